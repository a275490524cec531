/* ladder.c - lockstep-hardware ladder: every rung of the labs (exercise.h) at several sizes, beside
 * NVIDIA's routines.
 *
 *     on a GPU           measured by events: cold L2, the median of several runs after a warm-up; then the
 *                        output is checked at elements drawn at random
 *     --cpu              the product alone as it was recorded, under the products of lab 03 on this machine
 *     on a simulator     the recorded rows, with the modelled time added; large sizes run only a sample of
 *                        blocks and are not checked
 */
#include "hardware/hardware.h"
#include "hardware/ceilings.h"
#include "exercise/exercise.h"
#include "hardware/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kernels that take longer than SLOW_MS run once, without a warm-up. The runs of a kernel
 * together should take about LONG_MS. SAMPLE (blocks per multiprocessor) and SAMPLE_SMS say how
 * much of a large launch is simulated: see sample_of. */
static const double OUT_OF_REACH = 1e11; /* useful operations that take the simulator minutes */
enum { RUNS = 15, SLOW_MS = 2000, LONG_MS = 3000, SIZES = 5, SAMPLE = 2, SAMPLE_SMS = 4 };

/* The ladders and their sizes. */
static const struct plan {
    const char *name, *problem;
    /* a problem whose rungs are an upper bound, listed first; NULL: none */
    const char *bound;
    /* use this exercise's steps instead of the problem's rungs; NULL: use the rungs */
    const char *exercise;
    int dims[SIZES][DIMS]; /* the list of sizes ends at zeros */
    /* useful operations up to which the simulator runs every block */
    double affordable;
} plans[] = {
    {"matmul", "matmul", NULL, NULL,
        {{1024, 1024, 1024}, {2048, 2048, 2048}, {4096, 4096, 4096}, {8192, 8192, 8192},
            {16384, 16384, 16384}},
        2e10},
    {"transpose", "transpose", "copy", NULL, {{4096, 4096}, {16384, 16384}}, 3e9},
    {"aat", "aat", NULL, NULL, {{2048, 32}, {8192, 32}, {16384, 32}}, 2e9},
    {"shape", "transpose", NULL, "shape", {{4096, 4096}, {16384, 16384}}, 3e9},
};

/* The state of a run. field: the buffers of the current problem at the current size (hardware.h). */
struct climb {
    struct workbench workbench;
    const struct plan *plan;
    struct field field;
    json_t *record; /* a GPU adds rows to it; the simulator completes its rows */
    int simulated;
    double before, first;
    int with_cpu;
    /* time of the naive product on this machine at the current size; NAN: not timed */
    double cpu_ms;
    struct err *e;
};

/* ---- rows ---- */

static json_t *pack_dims(const struct problem *p, const int *dims)
{
    json_t *a = json_array();
    for (int i = 0; i < problem_dims(p); i++) json_array_append_new(a, json_integer(dims[i]));
    return a;
}

/* The recorded row of a rung at a size; NULL if it was not measured. */
static json_t *find_row(
    const json_t *record, const char *ladder, const struct rung *r, const int *dims)
{
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(record, "rows"), i, row)
    {
        int d[DIMS];
        record_dims(row, d);
        if (!memcmp(d, dims, sizeof d) && !strcmp(record_text(row, "ladder"), ladder) &&
            !strcmp(record_text(row, "lab"), r->lab->name) &&
            !strcmp(record_text(row, "exercise"), r->exercise->name) &&
            (int)record_number(row, "step") == r->step)
            return row;
    }
    return NULL;
}

static const char *rung_name(const struct step *s) { return s->rung ? s->rung : s->kernel; }

/* A new row without times. The caller owns it. */
static json_t *pack_row(const struct climb *c, const struct rung *r, const struct bound_kernel *b)
{
    const struct step *s = &r->exercise->steps[r->step];
    return json_pack("{s:s, s:s, s:s, s:i, s:s, s:o, s:[i, i]}", "ladder", c->plan->name, "lab",
        r->lab->name, "exercise", r->exercise->name, "step", r->step, "rung", rung_name(s), "dims",
        pack_dims(c->field.problem, c->field.dims), "block", (int)b->block[0], (int)b->block[1]);
}

/* ---- measuring and modelling ---- */

/* One launch with a cold L2. */
static int run_once(const struct climb *c, const struct bound_kernel *b, double *ms, struct err *e)
{
    struct measurement m = {0};
    if (device_flush(c->field.device, e) || field_launch(&c->field, b, NULL, &m, e)) return -1;
    *ms = m.ms;
    measurement_free(&m);
    return 0;
}

/* Measure a kernel: 15 runs, fewer if it is slow. The first run is the warm-up: its time is
 * overwritten by the next, unless it is the only one. */
static int measure(const struct climb *c, const struct bound_kernel *b, json_t *row, struct err *e)
{
    double ms[RUNS];
    int runs = 0;
    if (run_once(c, b, &ms[0], e)) return -1;
    if (ms[0] > SLOW_MS) runs = 1;
    int most = ms[0] * RUNS < LONG_MS ? RUNS : ms[0] * 5 < LONG_MS ? 5 : 3;
    while (runs < most && !(runs == 1 && ms[0] > SLOW_MS))
        if (run_once(c, b, &ms[runs++], e)) return -1;
    qsort(ms, (size_t)runs, sizeof *ms, compare_doubles);
    json_object_set_new(row, "ms", json_real(ms[runs / 2]));
    json_object_set_new(row, "least", json_real(ms[0]));
    json_object_set_new(row, "most", json_real(ms[runs - 1]));
    json_object_set_new(row, "runs", json_integer(runs));
    return 0;
}

/* Whether the simulator runs only a sample of the blocks. */
static int sampled(const struct climb *c)
{
    return c->simulated && c->field.problem->useful(c->field.dims) > c->plan->affordable;
}

/* Choose the sample for a large launch: a few blocks on each multiprocessor or, if even that is
 * too much work, all blocks that a few multiprocessors hold at once. */
static int sample_of(
    const struct climb *c, const struct bound_kernel *b, struct sample *out, struct err *e)
{
    struct launch_shape s;
    *out = (struct sample){0};
    if (!sampled(c)) return 0;
    if (run_shape(b, c->field.dims, &s, e)) return -1;
    double blocks = (double)s.grid[0] * s.grid[1] * s.grid[2];
    double work = c->field.problem->useful(c->field.dims) / blocks * SAMPLE *
                  device_profile(c->field.device)->sms;
    *out = work > OUT_OF_REACH ? (struct sample){.sms = SAMPLE_SMS}
                               : (struct sample){.blocks = SAMPLE};
    return 0;
}

/* Add the modelled time and the bottleneck to a recorded row. */
static int model(const struct climb *c, const struct bound_kernel *b, json_t *row, struct err *e)
{
    struct measurement m = {0};
    struct sample sample;
    if (sample_of(c, b, &sample, e) || field_launch(&c->field, b, &sample, &m, e)) return -1;
    json_object_set_new(row, "sample", json_integer(sample.blocks));
    json_object_set_new(row, "sample_sms", json_integer(sample.sms));
    json_object_set_new(row, "modelled_ms", json_real(m.ms));
    json_object_set_new(row, "bottleneck", json_string(model_part_names[m.bottleneck]));
    measurement_free(&m);
    return 0;
}

/* Print one line of progress: the time, the rate and, if known, the modelled time with its
 * error. */
static void tell(const struct climb *c, const char *name, const json_t *row, double ms)
{
    double modelled = record_number(row, "modelled_ms");
    struct buf out = {0};
    char *size = problem_size(c->field.problem, c->field.dims);
    buf_printf(&out, "%-10s %-32s %-28s ", c->plan->name, size, name);
    buf_rounded(&out, ms);
    buf_printf(&out, " ms  ");
    buf_rounded(&out, problem_rate(c->field.problem, c->field.dims, ms));
    buf_printf(&out, " %s", c->field.problem->unit);
    if (isfinite(record_number(row, "error")))
        buf_printf(&out, "  error %.1e", record_number(row, "error"));
    if (isfinite(modelled))
        buf_printf(&out, "  modelled %.4g ms, %+.0f%% (%s)", modelled, 100 * (modelled / ms - 1),
            record_text(row, "bottleneck"));
    if (isfinite(c->cpu_ms)) buf_printf(&out, "  %.0f x the naive CPU", c->cpu_ms / ms);
    printf("%s\n", out.data);
    fflush(stdout);
    buf_free(&out);
    free(size);
}

/* Time the products of lab 03 on this machine's processor. */
static int cpu_rungs(struct climb *c)
{
    static const char *const functions[] = {"matmul_cpu_naive", "matmul_cpu"};
    const json_t *none = NULL;
    double naive = NAN;
    for (int i = 0; i < 2; i++) {
        double ms = NAN;
        if (cpu_time(&c->workbench, functions[i], c->field.dims, &ms, c->e)) return -1;
        naive = i ? naive : ms;
        c->cpu_ms = i ? naive : NAN;
        tell(c, i ? "CPU, tiled" : "CPU, naive", none, ms);
    }
    return 0;
}

/* Add the error of C = A B to a row. Rows of other problems get none. */
static int add_error(const struct climb *c, json_t *row)
{
    int product = !strcmp(problem_kind(c->field.problem), "matmul");
    double error = product ? field_error(&c->field, c->e) : 0;
    if (error > 0) json_object_set_new(row, "error", json_real(error));
    return error < 0 ? -1 : 0;
}

/* Use the field for another problem than the plan's, until field_back. Its data are used again
 * unless the elements have another type. *kept: the plan's field. */
static int field_for(struct climb *c, const struct problem *p, struct field *kept)
{
    *kept = c->field;
    if (p->buffers[0].element != kept->problem->buffers[0].element)
        return field_place(&c->field, kept->device, p, kept->dims, c->e);
    c->field.problem = p;
    return field_poison(&c->field, c->e);
}

static void field_back(struct climb *c, const struct field *kept)
{
    if (c->field.data[0] != kept->data[0]) field_free(&c->field);
    c->field = *kept;
}

/* Measure or model one rung at the current size, and check its output. */
static int one_rung(struct climb *c, const struct rung *r)
{
    struct build x;
    struct field kept;
    json_t *row =
        c->simulated ? json_incref(find_row(c->record, c->plan->name, r, c->field.dims)) : NULL;
    if (c->simulated && !row) return 0; /* never measured, so there is no row to add to */
    if (c->with_cpu) {
        tell(c, record_text(row, "rung"), NULL, record_number(row, "ms"));
        json_decref(row);
        return 0;
    }
    int bad = kernels_open(&x, &c->workbench, r->lab, r->exercise, c->e) |
              field_for(c, problem_find(r->exercise->steps[r->step].problem), &kept);
    const struct bound_kernel *b = &x.bound[r->step];
    if (!bad && !row) row = pack_row(c, r, b);
    if (!bad)
        bad =
            (c->simulated ? model : measure)(c, b, row, c->e) ||
            (!sampled(c) && field_check(&c->field, rung_name(&r->exercise->steps[r->step]), c->e));
    bad = bad || (!c->simulated && add_error(c, row));
    if (!bad) tell(c, record_text(row, "rung"), row, record_number(row, "ms"));
    if (!bad && !c->simulated) json_array_append(json_object_get(c->record, "rows"), row);
    json_decref(row);
    build_close(&x);
    field_back(c, &kept);
    return bad ? -1 : 0;
}

static int visit_rung(void *context, const struct rung *r) { return one_rung(context, r); }

/* Called for each routine of NVIDIA's that was timed. */
static void add_ceiling(void *context, const char *name, double ms, double error)
{
    struct climb *c = context;
    json_t *row = json_pack("{s:s, s:s, s:o, s:f}", "ladder", c->plan->name, "name", name, "dims",
        pack_dims(c->field.problem, c->field.dims), "ms", ms);
    if (error > 0) json_object_set_new(row, "error", json_real(error));
    tell(c, name, row, ms);
    json_array_append_new(json_object_get(c->record, "ceilings"), row);
}

/* Time NVIDIA's routines for the bounding problem, for the problem itself and for those like it. */
static int ceilings_of(struct climb *c)
{
    const char *missing = NULL;
    const struct problem *p;
    int bad = 0;
    for (int i = 0; (p = problem_at(i)) && !bad; i++)
        if (!strcmp(problem_kind(p), c->plan->problem) ||
            (c->plan->bound && !strcmp(p->name, c->plan->bound))) {
            struct field kept;
            bad = field_for(c, p, &kept) ||
                  ceilings_measure(&c->field, add_ceiling, c, &missing, c->e);
            field_back(c, &kept);
        }
    if (missing) fprintf(stderr, "lockstep: %s\n", missing);
    return bad;
}

/* Visit all steps of the exercises with this name, in all labs. */
static int steps_of(struct climb *c, const char *exercise)
{
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name; x++)
            for (int i = 0; !strcmp(x->name, exercise) && x->steps[i].kernel; i++)
                if (one_rung(c, &(struct rung){*l, x, i})) return -1;
    return 0;
}

/* Place the field for one size, then visit the rungs from the first lab to the last. */
static int one_size(struct climb *c, const int *dims)
{
    const struct plan *p = c->plan;
    const struct problem *problem = problem_find(p->problem);
    if (field_place(&c->field, c->workbench.device, problem, dims, c->e)) return -1;
    int bad = 0;
    if (p->exercise) {
        bad = steps_of(c, p->exercise);
    } else {
        bad = c->with_cpu && cpu_rungs(c);
        bad = bad || (p->bound && ladder_walk(p->bound, EXERCISE_CUDA, visit_rung, c)) ||
              ladder_walk(p->problem, EXERCISE_CUDA, visit_rung, c);
        bad = bad || (!c->simulated && ceilings_of(c));
    }
    field_free(&c->field);
    return bad ? -1 : 0;
}

/* Run all plans, or one, at all sizes up to the largest. */
static int climb(struct climb *c, const char *only, uint64_t largest)
{
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        for (int k = 0; k < SIZES && plans[i].dims[k][0]; k++) {
            c->plan = &plans[i];
            c->cpu_ms = NAN;
            if ((only && strcmp(only, plans[i].name)) || (uint64_t)plans[i].dims[k][0] > largest)
                continue;
            if (one_size(c, plans[i].dims[k])) return -1;
        }
    return 0;
}

static int known_plan(const char *only, struct err *e)
{
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        if (!only || !strcmp(only, plans[i].name)) return 0;
    return err_set(e, ERR_USAGE, "--only %s: there are matmul, transpose, aat and shape", only);
}

int command_ladder(int argc, char **argv, struct err *e)
{
    struct workbench_options o = {0};
    const char *out = NULL, *only = NULL, *largest = NULL, *cpu = NULL;
    const struct option_spec specs[] = {{"--device", &o.device}, {"--front", &o.front},
        {"--ptx", &o.ptx}, {"--out", &out}, {"--only", &only}, {"--largest", &largest},
        {"--cpu", &cpu, 1}, {0}};
    struct climb c = {.e = e};
    uint64_t limit = UINT64_MAX;
    if (options_parse(argc, argv, specs, NULL, 0, e) < 0 ||
        (largest && options_number("--largest", largest, 1 << 20, &limit, e)) ||
        known_plan(only, e))
        return -1;
    /* starts nvidia-smi, which must come before a device is opened */
    c.record = record_new("lockstep-hardware ladder --device cuda", "-");
    if (workbench_open(&c.workbench, &o, e)) {
        json_decref(c.record);
        return -1;
    }
    c.simulated = device_simulated(device_name(c.workbench.device));
    c.with_cpu = cpu != NULL;
    if (cpu && !largest) limit = 2048;
    if (cpu) only = "matmul";
    char *file = record_file(&c.workbench.kit, device_name(c.workbench.device), "ladder");
    int bad = 0;
    if (c.simulated) {
        json_decref(c.record);
        c.record = NULL;
        bad = record_read(file, &c.record, e);
    } else {
        json_t *machine = json_object_get(c.record, "machine");
        json_object_set_new(machine, "cuda", json_string(ceilings_cuda_version()));
        json_object_set_new(machine, "cublas", json_string(ceilings_cublas_version()));
        json_object_set_new(c.record, "front_end", json_string(c.workbench.front.name));
        json_object_set_new(c.record, "rows", json_array());
        json_object_set_new(c.record, "ceilings", json_array());
    }
    if (!bad && cpu && !c.simulated)
        bad = err_set(
            e, ERR_USAGE, "--cpu goes with a simulated device: a GPU's process starts no others");
    bad = bad || climb(&c, only, limit) || (out && record_write(out, c.record, e));
    json_decref(c.record);
    free(file);
    workbench_close(&c.workbench);
    return bad ? -1 : 0;
}
