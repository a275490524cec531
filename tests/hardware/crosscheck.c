/* crosscheck.c - lockstep-hardware crosscheck: the simulator's counters beside those that ncu reads
 * on a GPU.
 *
 *     with --device cuda   ncu runs `lockstep-hardware run`; its CSV gives the measured values of each row
 *     otherwise            the measured values are those of tests/hardware/records
 *
 * The simulated values are always computed anew. With --others the kernels are those of
 * tests/hardware/kernels/others.cu, with --courses or --tuning those of that folder, of which ncu
 * also reads how busy each unit is.
 */
#define _GNU_SOURCE
#include "hardware/hardware.h"
#include "hardware/courses.h"
#include "hardware/crosscheck.h"
#include "hardware/ncu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Wavefronts of shared memory under a second name. The GPU counts them where an instruction is
 * issued (these names) and in the data pipe (the metric's own name). In the data pipe,
 * wavefronts that collide with those of other accesses are counted again, so that number varies
 * from run to run. */
static const struct second {
    const char *name;
    enum metric metric;
} seconds[] = {
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", METRIC_SLD_WAVEFRONTS},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", METRIC_SST_WAVEFRONTS}};
enum {
    SECONDS = sizeof seconds / sizeof *seconds,
    MOST = METRIC_COUNT + 1 + SECONDS + COURSES_UNITS
};

/* Numbers of ncu that are no metric of the simulator: the time and the registers of a thread are
 * compared; how busy a unit is (UNIT) is only measured. */
enum beyond { TIME = METRIC_COUNT, REGISTERS, UNIT };

/* name[i]: a metric that ncu is asked for; metric[i]: the simulator's metric that is compared with
 * it. */
struct names {
    const char *name[MOST];
    int metric[MOST]; /* METRIC_COUNT and above: a value of enum beyond */
    int count;
};

static void add_name(struct names *n, const char *name, int metric)
{
    n->name[n->count] = name;
    n->metric[n->count++] = metric;
}

/* All names that ncu may know: the time, the metrics that are not the simulator's own, and the
 * second names. */
static struct names all_names(void)
{
    struct names n = {.count = 0};
    add_name(&n, CROSSCHECK_TIME, TIME);
    for (int i = 0; i < METRIC_COUNT; i++)
        if (strncmp(model_metrics[i].ncu, "lockstep__", 10)) add_name(&n, model_metrics[i].ncu, i);
    for (int i = 0; i < SECONDS; i++) add_name(&n, seconds[i].name, (int)seconds[i].metric);
    return n;
}

/* Are these the kernels in the manner of courses? Their times, limits and registers are compared,
 * not their counters. */
static int is_timed(const struct lab *only) { return only == &courses_lab || only == &tuning_lab; }

/* The names to ask ncu for: all_names and, for the kernels in the manner of courses, registers and
 * units. */
static struct names names_of(const struct lab *only)
{
    struct names n = all_names();
    if (is_timed(only)) {
        add_name(&n, COURSES_REGISTERS, REGISTERS);
        for (int i = 0; i < COURSES_UNITS; i++) add_name(&n, courses_units[i].name, UNIT);
    }
    return n;
}

/* ---- the measured values ---- */

/* How ncu is run. A member that is NULL has the default. */
struct hardware {
    struct ncu ncu;
    const char *device, *ptx, *front;
    const struct lab *only; /* NULL: all labs */
};

/* Run ncu with these metrics around `lockstep-hardware run LAB EXERCISE`; NULL: all labs or
 * exercises. Returns its exit status, or -1 if it could not be started. */
static int run_ncu(const struct hardware *h, const struct names *names, const char *lab,
    const char *exercise, struct err *e)
{
    struct buf metrics = {0};
    const char *words[12] = {"run"};
    int n = 1;
    for (int i = 0; i < names->count; i++)
        buf_printf(&metrics, "%s%s", i ? "," : "", names->name[i]);
    if (lab) words[n++] = lab;
    if (exercise) words[n++] = exercise;
    words[n++] = "--device", words[n++] = h->device;
    if (h->ptx) words[n++] = "--ptx", words[n++] = h->ptx;
    if (h->front) words[n++] = "--front", words[n++] = h->front;
    int status = ncu_run(&h->ncu, metrics.data, 0, words, e);
    buf_free(&metrics);
    return status;
}

/* Read the CSV that ncu wrote. Returns the number of launches; on failure the log's text is the
 * error. */
static int read_log(
    const struct hardware *h, const struct names *names, double **values, struct err *e)
{
    char *csv = NULL;
    if (file_read(h->ncu.log, 64 << 20, &csv, NULL, e)) return -1;
    int launches = crosscheck_parse(csv, names->name, names->count, values, e);
    if (launches < 0) err_set(e, ERR_ENV, "ncu: %.600s", csv);
    free(csv);
    return launches;
}

/* Drop the names that ncu reports as unknown. Returns how many. */
static int drop_named(const struct hardware *h, struct names *names)
{
    char *text = NULL;
    int kept = 0, count = names->count;
    if (file_read(h->ncu.log, 64 << 20, &text, NULL, NULL)) return 0;
    for (int i = 0; i < count; i++) {
        /* "Failed to find metric NAME" */
        if (strstr(text, "ind metric") && strstr(text, names->name[i])) {
            fprintf(stderr, "lockstep: ncu has no %s here\n", names->name[i]);
            continue;
        }
        names->name[kept] = names->name[i];
        names->metric[kept++] = names->metric[i];
    }
    names->count = kept;
    free(text);
    return count - kept;
}

/* Keep only the names that this ncu can read on this GPU, by running it with each name alone.
 * Slow: a fallback. */
static void keep_known(const struct hardware *h, struct names *names)
{
    struct names known = {.count = 0};
    struct err ignored;
    for (int i = 0; i < names->count; i++) {
        struct names one = {{names->name[i]}, {names->metric[i]}, 1};
        double *values = NULL;
        if (run_ncu(h, &one, "01", "copy", &ignored) == 0 &&
            read_log(h, &one, &values, &ignored) > 0 && !isnan(values[0])) {
            known.name[known.count] = one.name[0];
            known.metric[known.count++] = one.metric[0];
        } else {
            fprintf(stderr, "lockstep: ncu has no %s here\n", one.name[0]);
        }
        free(values);
    }
    *names = known;
}

/* Find the metrics that can be read, on one small kernel, then read them for all kernels.
 * Returns the number of launches. */
static int measure(const struct hardware *h, struct names *names, double **values, struct err *e)
{
    int status = run_ncu(h, names, "01", "copy", e);
    if (status < 0) return -1;
    if (status > 0 && drop_named(h, names)) status = run_ncu(h, names, "01", "copy", e);
    if (status > 0) {
        keep_known(h, names);
        if (!names->count)
            return err_set(
                e, ERR_ENV, "ncu reads no counters here; may it? (ERR_NVGPUCTRPERM asks for root)");
    }
    status = run_ncu(h, names, h->only ? h->only->name : NULL, NULL, e);
    if (status)
        return status < 0
                   ? -1
                   : err_set(e, ERR_ENV, "ncu ended with status %d; see %s", status, h->ncu.log);
    return read_log(h, names, values, e);
}

/* ---- rows ---- */

/* The state of a run. next is the launch whose values the next kernel gets; ncu reports launches
 * in the order in which check_all visits the kernels. */
struct crosscheck {
    struct workbench workbench;
    struct names names;
    const struct lab *const *labs;
    json_t *record;
    const double *values; /* launches x names; NULL: the record's measured values are used */
    int launches, next, simulated;
    struct err *e;
};

/* The record's row for a step; NULL if it was not measured. */
static json_t *find_kernel(
    const json_t *record, const struct lab *lab, const struct exercise *x, int step)
{
    size_t i;
    json_t *k;
    json_array_foreach(json_object_get(record, "kernels"), i,
        k) if (!strcmp(record_text(k, "lab"), lab->name) &&
               !strcmp(record_text(k, "exercise"), x->name) &&
               (int)record_number(k, "step") == step) return k;
    return NULL;
}

static int is_recorded(const json_t *record, const struct lab *lab, const struct exercise *x)
{
    for (int i = 0; x->steps[i].kernel; i++)
        if (find_kernel(record, lab, x, i)) return 1;
    return 0;
}

static int simulate(const struct bound_kernel *b, struct measurement *m, struct err *e)
{
    struct instance in;
    instance_make(&in, b->problem, b->step->dims, 1);
    int bad = run_kernel(b, &in, m, e);
    instance_free(&in);
    return bad;
}

/* The simulated values in the order of the names. The time is in whole nanoseconds, as ncu
 * reports it. */
static json_t *simulated_row(const struct crosscheck *c, const struct measurement *m)
{
    json_t *row = json_array();
    for (int i = 0; i < c->names.count; i++) {
        int metric = c->names.metric[i];
        json_array_append_new(row, json_number(metric == TIME        ? round(m->ms * 1e6)
                                               : metric == REGISTERS ? m->work.registers
                                               : metric == UNIT      ? NAN
                                                                     : m->metrics.v[metric]));
    }
    return row;
}

/* Append a row with the values of the next launch. */
static json_t *new_kernel(struct crosscheck *c, const struct lab *lab, const struct exercise *x,
    int step, const struct bound_kernel *b)
{
    char *size = problem_size(b->problem, b->step->dims);
    json_t *measured = json_array(), *k;
    for (int i = 0; i < c->names.count; i++)
        json_array_append_new(
            measured, json_number(c->values[(size_t)c->next * (size_t)c->names.count + (size_t)i]));
    c->next++;
    k = json_pack("{s:s, s:s, s:i, s:s, s:s, s:o}", "lab", lab->name, "exercise", x->name, "step",
        step, "kernel", b->step->kernel, "size", size, "measured", measured);
    json_array_append_new(json_object_get(c->record, "kernels"), k);
    free(size);
    return k;
}

/* Fill one row. A kernel that the record does not have is skipped; a launch that ncu did not see
 * is an error. Counts the kernels simulated. */
static int check_step(struct crosscheck *c, const struct lab *lab, const struct exercise *x,
    int step, const struct bound_kernel *b)
{
    struct measurement m = {0};
    json_t *k = c->values ? NULL : find_kernel(c->record, lab, x, step);
    if (c->values ? c->next >= c->launches : !k)
        return c->values ? err_set(c->e, ERR_ENV, "ncu saw %d launches, and there are more kernels",
                               c->launches)
                         : 0;
    if (!k) k = new_kernel(c, lab, x, step, b);
    if (simulate(b, &m, c->e)) return -1;
    c->simulated++;
    json_object_set_new(k, "simulated", simulated_row(c, &m));
    json_object_set_new(k, "bottleneck", json_string(model_part_names[m.bottleneck]));
    measurement_free(&m);
    return 0;
}

/* All steps of all exercises, in the order in which `run` launches them. An exercise that no GPU
 * has measured yet is left out. A row of the record that names no kernel of the kit is an error:
 * its simulated values would be old. */
static int check_all(struct crosscheck *c)
{
    for (const struct lab *const *l = c->labs; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name; x++) {
            struct build loaded;
            if (x->kind != EXERCISE_CUDA || exercise_suspect(x) ||
                (!c->values && !is_recorded(c->record, *l, x)))
                continue;
            int bad = kernels_open(&loaded, &c->workbench, *l, x, c->e);
            for (int i = 0; x->steps[i].kernel && !bad; i++)
                bad = check_step(c, *l, x, i, &loaded.bound[i]);
            build_close(&loaded);
            if (bad) return -1;
        }
    int rows = (int)json_array_size(json_object_get(c->record, "kernels"));
    if (c->simulated != rows)
        return err_set(
            c->e, ERR_ENV, "the record has %d kernels, of which %d are here", rows, c->simulated);
    return 0;
}

/* ---- the command ---- */

static json_t *names_json(const struct names *n)
{
    json_t *a = json_array();
    for (int i = 0; i < n->count; i++) json_array_append_new(a, json_string(n->name[i]));
    return a;
}

/* The metrics of a record. A name that the kit does not have is an error, since nothing could be
 * compared with it. */
static int recorded_names(
    const json_t *record, const struct lab *only, struct names *n, struct err *e)
{
    struct names all = names_of(only);
    size_t i;
    json_t *v;
    n->count = 0;
    json_array_foreach(json_object_get(record, "metrics"), i, v)
    {
        int k = 0;
        while (k < all.count && strcmp(all.name[k], json_string_value(v))) k++;
        if (k == all.count || n->count == MOST)
            return err_set(e, ERR_ENV, "the record has %s, which is no metric of the kit",
                json_string_value(v));
        n->name[n->count] = all.name[k];
        n->metric[n->count++] = all.metric[k];
    }
    return 0;
}

/* The sets of kernels that can be compared; lab NULL: those of the labs. */
static const struct set {
    const struct lab *lab, *labs[2];
    const char *command;
} sets[] = {{NULL, {NULL}, "lockstep-hardware crosscheck --device cuda"},
    {&others_lab, {&others_lab}, "lockstep-hardware crosscheck --others --device cuda"},
    {&courses_lab, {&courses_lab}, "lockstep-hardware crosscheck --courses --device cuda"},
    {&tuning_lab, {&tuning_lab}, "lockstep-hardware crosscheck --tuning --device cuda"}};

/* The path of a set's record, which the caller frees. Kernels in the manner of courses have one
 * record for each compiler, "clang" or "nvcc". */
static char *set_file(const struct set *s, const struct workbench *w)
{
    const char *device = device_name(w->device);
    if (!is_timed(s->lab)) return record_file(&w->kit, device, s->lab ? "others" : "crosscheck");
    char *name =
        xasprintf("%s-%s", s->lab->name, strncmp(w->front.name, "nvcc", 4) ? "clang" : "nvcc");
    char *file = record_file(&w->kit, device, name);
    free(name);
    return file;
}

/* Measure, and start a new record. ncu's log is kept if something failed, since the error names
 * it. */
static int from_hardware(struct crosscheck *c, struct hardware *h, const struct set *set,
    const char *program, double **values)
{
    if (ncu_open(&h->ncu, program, c->e)) return -1;
    c->record = record_new(set->command, c->workbench.front.name);
    c->names = names_of(h->only);
    c->launches = measure(h, &c->names, values, c->e);
    c->values = *values;
    json_object_set_new(c->record, "metrics", names_json(&c->names));
    json_object_set_new(c->record, "kernels", json_array());
    ncu_close(&h->ncu, c->launches < 0);
    return c->launches < 0 ? -1 : 0;
}

static void print_result(const json_t *record, const struct set *set, int aside)
{
    struct buf out = {0};
    if (is_timed(set->lab)) {
        courses_table(record, aside, &out);
        buf_printf(&out, "\n");
        courses_heading(&out);
        courses_summary(record, aside, &out);
    } else {
        crosscheck_table(record, &out);
        buf_printf(&out, "\n");
        if (set->lab) crosscheck_l2(record, &out);
        buf_printf(&out, set->lab ? "\n" : "");
        crosscheck_times(record, &out);
    }
    fwrite(out.data, 1, out.len, stdout);
    buf_free(&out);
}

/* Fill in the record's measured values, from the hardware or the file, and its simulated values. */
static int make_record(struct crosscheck *c, struct hardware *h, const struct set *set,
    const char *program, double **values)
{
    if (!device_simulated(h->device))
        return from_hardware(c, h, set, program, values) || check_all(c);
    char *file = set_file(set, &c->workbench);
    int bad =
        record_is_of(file, h->device)
            ? 0
            : err_set(c->e, ERR_USAGE,
                  "--device %s: there is no record of that GPU; of sim:h200 and sim:h100 there is",
                  h->device);
    bad = bad || record_read(file, &c->record, c->e) ||
          recorded_names(c->record, h->only, &c->names, c->e);
    free(file);
    return bad || check_all(c);
}

int command_crosscheck(int argc, char **argv, struct err *e)
{
    struct hardware h = {.device = device_default()};
    struct workbench_options o = {.device = "sim:h200"};
    const char *out = NULL, *program = "ncu", *others = NULL, *courses = NULL, *tuning = NULL,
               *aside = NULL;
    const struct option_spec specs[] = {{"--device", &h.device}, {"--ptx", &h.ptx},
        {"--front", &h.front}, {"--ncu", &program}, {"--out", &out}, {"--others", &others, 1},
        {"--courses", &courses, 1}, {"--tuning", &tuning, 1}, {"--aside", &aside, 1}, {0}};
    struct crosscheck c = {.e = e, .labs = lab_table};
    double *values = NULL;
    if (options_parse(argc, argv, specs, NULL, 0, e) < 0) return -1;
    if (!!others + !!courses + !!tuning > 1 || (aside && !courses))
        return err_set(e, ERR_USAGE, "%s",
            aside ? "--aside: only --courses has a half set aside"
                  : "--others, --courses, --tuning: name one of them");
    const struct set *set = &sets[tuning ? 3 : courses ? 2 : others ? 1 : 0];
    o.ptx = h.ptx, o.front = h.front;
    if (device_simulated(h.device)) o.device = h.device;
    if (set->lab) c.labs = set->labs, h.only = set->lab;
    if (workbench_open(&c.workbench, &o, e)) return -1;
    int bad = make_record(&c, &h, set, program, &values) || (out && record_write(out, c.record, e));
    if (!bad) print_result(c.record, set, aside != NULL);
    json_decref(c.record);
    free(values);
    workbench_close(&c.workbench);
    return bad ? -1 : 0;
}
