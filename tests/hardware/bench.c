/* bench.c - lockstep-hardware bench: how fast the kit is on this machine.
 *
 *     grade_solutions        wall time and peak memory of grading the solutions
 *     cpu_naive_1024         the naive product of two 1024 x 1024 matrices in C, gcc -O2, one core
 *     sim_*_1024_vs_cpu      time to simulate that product on all cores, over cpu_naive_1024
 *     sim_*_lane_instructions  thread instructions simulated per second
 *     checks_*               CPU time of a simulation with racecheck and initcheck, over that without
 *     FILE KERNEL            the ten slowest of other people's kernels (bench_large.c)
 *
 * Ratios compare two times of the same run, so they can be compared between machines.
 */
#define _GNU_SOURCE
#include "exercise/exercise.h"
#include "explain/explain.h"
#include "hardware/hardware.h"
#include "judge/judge.h"
#include "os/os.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { N = 1024, SEED = 1 };

static const struct step product_steps[] = {
    {.kernel = "product", .problem = "matmul", .dims = {N, N, N}}, {0}};
static const struct exercise product = {
    .name = "product", .kind = EXERCISE_HOST, .steps = product_steps};

/* The products of labs 01 and 02. In 01 threadIdx.x selects the row, in 02 the column. */
static const struct simulated {
    const char *lab, *ratio, *rate;
} simulated[] = {
    {"02-coalesced", "sim_coalesced_1024_vs_cpu", "sim_coalesced_1024_lane_instructions"},
    {"01-naive", "sim_naive_1024_vs_cpu", "sim_naive_1024_lane_instructions"},
};

/* What the checks are timed on: kernels that read one array and write another, a transpose,
 * which writes as often as it reads, and a product that reads and writes c all the time, which
 * is the worst case. */
static const struct checked {
    const char *name, *lab, *exercise;
    int step;
} checked[] = {
    {"checks_coalesced_1024", "02-coalesced", "matmul", 0},
    {"checks_unrolled_1024", "06-unrolled", "matmul", 1},
    {"checks_aat_1024", "05-padded", "aat", 0},
    {"checks_transpose_2048", "05-padded", "transpose", 0},
    {"checks_naive_transpose", "01-naive", "transpose", 0},
    {"checks_tiled_512", "03-tiled", "matmul", 0},
};

/* list is the JSON array of results. Without --format json each result is also printed at once. */
struct bench {
    struct workbench workbench; /* the workbench of the solutions */
    json_t *list;
    int json;
};

/* Add one result to the list, and print it unless the format is JSON. */
static void add(struct bench *b, const char *name, double value, const char *unit, const char *note)
{
    json_array_append_new(b->list, json_pack("{s:s, s:f, s:s, s:s}", "name", name, "value", value,
                                       "unit", unit, "note", note));
    if (!b->json) {
        printf("%-38s %10.4g %-22s %s\n", name, value, unit, note);
        fflush(stdout);
    }
}

/* The time of the naive product in C, the median of three runs, in a process of its own like any
 * host exercise. */
static int cpu_seconds(struct bench *b, double *seconds, struct err *e)
{
    static const struct lab kernels = {.name = "kernels"};
    struct workbench *w = &b->workbench;
    char *directory = kit_path(&w->kit, "tests/hardware");
    struct build product_build;
    struct instance in;
    double times[3];
    build_compile(&product_build, w, directory, &kernels, &product);
    const struct compiled *c = &product_build.compiled;
    instance_make(&in, problem_find("matmul"), product_steps[0].dims, SEED);
    int bad = c->status != COMPILE_OK ? err_set(e, ERR_ENV, "%s: %s", c->file,
                                            c->output.len ? c->output.data : c->err.text)
                                      : build_bind(&product_build, e);
    for (int i = 0; !bad && i < 3; i++) {
        struct measurement m;
        bad = build_run(&product_build, 0, &in, RUN_TIMED, &m, e);
        times[i] = m.ms / 1000;
    }
    *seconds = bad ? 0 : timing_median(times, 3);
    build_close(&product_build);
    instance_free(&in);
    free(directory);
    return bad;
}

/* The time to simulate a lab's product, the median of three runs, and its thread instructions.
 * The result is compared with the expected one, since a wrong simulation could be fast. */
static int sim_seconds(struct bench *b, const char *lab_name, double *seconds,
    double *lane_instructions, struct err *e)
{
    const struct lab *lab = options_lab(lab_name, e);
    const struct exercise *x = lab ? options_exercise(lab, "matmul", e) : NULL;
    double times[3];
    struct build a = {0};
    struct instance in;
    int bad = !x || build_open(&a, &b->workbench, lab, x, e);
    instance_make(&in, problem_find("matmul"), product_steps[0].dims, SEED);
    for (int i = 0; !bad && i < 3; i++) {
        struct measurement m = {0};
        double start = clock_seconds();
        bad = build_run(&a, 0, &in, RUN_TIMED, &m, e);
        times[i] = clock_seconds() - start;
        *lane_instructions = m.metrics.v[METRIC_THREAD_INST];
        measurement_free(&m);
    }
    struct expected want;
    struct buf why = {0};
    expected_make(&want, &in);
    if (!bad && explain_output(&in, &want, in.data[2], &(struct finding){0}, &why))
        bad = err_set(e, ERR_ENV, "%s: the simulated product is wrong: %s", lab_name, why.data);
    buf_free(&why);
    expected_free(&want);
    *seconds = timing_median(times, 3);
    instance_free(&in);
    if (x) build_close(&a);
    return bad;
}

/* CPU time of all threads of this process. */
static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Simulate a step with and without the checks in turn, at least three times each and for at
 * least half a second. *with and *without get the CPU time of the shortest run. */
static int checks_ratio(
    struct bench *b, const struct checked *c, double *with, double *without, struct err *e)
{
    const struct lab *lab = options_lab(c->lab, e);
    const struct exercise *x = lab ? options_exercise(lab, c->exercise, e) : NULL;
    struct build a = {0};
    struct instance in;
    int bad = !x || build_open(&a, &b->workbench, lab, x, e);
    double spent = 0;
    *with = *without = 1e9;
    if (x)
        instance_make(&in, problem_find(x->steps[c->step].problem), x->steps[c->step].dims, SEED);
    for (int i = 0; !bad && (i < 6 || spent < 0.5); i++) {
        struct measurement m = {0};
        double start = processor_seconds(), *least = i % 2 ? without : with;
        device_settings(a.device)->unchecked = i % 2;
        bad = build_run(&a, c->step, &in, RUN_TIMED, &m, e);
        double took = processor_seconds() - start;
        *least = took < *least ? took : *least;
        spent += took;
        measurement_free(&m);
    }
    if (x) instance_free(&in);
    if (x) build_close(&a);
    return bad;
}

/* Grade the solutions in a process of its own. Add its wall time and its peak memory. */
static int grade_seconds(struct bench *b, struct err *e)
{
    char *solutions = kit_path(&b->workbench.kit, "solutions"),
         *self = kit_path(&b->workbench.kit, "build/lockstep");
    const char *argv[] = {self, "grade", "--student", solutions, NULL};
    struct spawn s = {.argv = argv, .seconds = 600, .file_bytes = (size_t)1 << 30};
    struct buf out = {0};
    struct rusage usage;
    int status = 0;
    double start = clock_seconds();
    int bad = spawn_run(&s, &out, &status, e);
    if (!bad && status)
        bad = err_set(e, ERR_ENV, "grading the solutions ended with status %d: %s", status,
            out.data ? out.data : "");
    if (!bad) {
        add(b, "grade_solutions", clock_seconds() - start, "s",
            "all labs; the reference times may come from the cache");
        getrusage(RUSAGE_CHILDREN, &usage);
        add(b, "grade_solutions_memory", (double)usage.ru_maxrss / 1024, "MiB",
            "the largest process of that grading, at its peak");
    }
    buf_free(&out);
    free(self);
    free(solutions);
    return bad;
}

static void slow(void *context, const char *name, double rate)
{
    add(context, name, rate, "lane-instructions/s", "among the ten slowest of tests/large.txt");
}

/* All benchmarks, in the order in which they are reported. */
static int run(struct bench *b, struct err *e)
{
    double cpu = 0;
    if (grade_seconds(b, e) || cpu_seconds(b, &cpu, e)) return -1;
    add(b, "cpu_naive_1024", cpu, "s", "naive product, gcc -O2, one core, median of three");
    for (size_t i = 0; i < sizeof simulated / sizeof *simulated; i++) {
        double seconds = 0, lanes = 0;
        if (sim_seconds(b, simulated[i].lab, &seconds, &lanes, e)) return -1;
        char *note =
            xasprintf("%.3g s simulated with all counters, over %.3g s on the CPU", seconds, cpu);
        add(b, simulated[i].ratio, seconds / cpu, "ratio", note);
        free(note);
        add(b, simulated[i].rate, lanes / seconds, "lane-instructions/s",
            "on all cores, counters on");
    }
    for (size_t i = 0; i < sizeof checked / sizeof *checked; i++) {
        double with = 0, without = 0;
        if (checks_ratio(b, &checked[i], &with, &without, e)) return -1;
        char *note = xasprintf(
            "%.3g s of CPU time with racecheck and initcheck, over %.3g s without", with, without);
        add(b, checked[i].name, with / without, "ratio", note);
        free(note);
    }
    return bench_large(&b->workbench, slow, b, e);
}

int command_bench(int argc, char **argv, struct err *e)
{
    const char *format = NULL;
    const struct option_spec specs[] = {{"--format", &format}, {0}};
    struct bench b = {0};
    const struct workbench_options o = {.device = "sim:h200"};
    if (options_parse(argc, argv, specs, NULL, 0, e) < 0 ||
        (b.json = options_format(format, e)) < 0 || workbench_open(&b.workbench, &o, e))
        return -1;
    b.list = json_array();
    int bad = run(&b, e);
    if (!bad && b.json) {
        json_t *o = json_pack("{s:O}", "benchmarks", b.list);
        char *dump = json_dumps(o, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
        printf("%s\n", dump);
        free(dump);
        json_decref(o);
    }
    json_decref(b.list);
    workbench_close(&b.workbench);
    return bad;
}
