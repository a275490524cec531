/* compare.c - lockstep compare: run one exercise on several simulated GPUs.
 *
 *     for each device: build ──> for each kernel: run ──> a row in that kernel's table
 *
 *     matmul_naive, 1024 x 1024 x 1024
 *                      loads      stores   shared
 *     device         each eff %  each eff %  ld  st  occ%  ms  GFLOPS  limited by
 *     sim:gtx280      ...
 *     sim:h200        ...
 *
 * The outer loop goes over devices, so that only one is open at a time. So rows are collected
 * for each kernel and printed at the end. */
#include "cli/cli.h"
#include "exercise/exercise.h"
#include "judge/judge.h"
#include "view/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Append a number, right-aligned; "-" if the number is NAN, which means not counted. */
static void column(struct buf *out, int width, double v)
{
    char text[16];
    buf_printf(out, "%*s", width, profile_number(v, text));
}

/* Append a device's row: counters, modelled time and rate. */
static void row(struct buf *out, const struct build *b, const struct bound_kernel *bound,
    const struct measurement *m)
{
    const double *v = m->metrics.v;
    buf_printf(out, "%-13s", device_name(b->device));
    column(out, 6, v[METRIC_GLD_SECTORS_PER_REQUEST]);
    column(out, 6, v[METRIC_GLD_EFFICIENCY]);
    column(out, 6, v[METRIC_GST_SECTORS_PER_REQUEST]);
    column(out, 6, v[METRIC_GST_EFFICIENCY]);
    column(out, 5, v[METRIC_SLD_PER_REQUEST]);
    column(out, 5, v[METRIC_SST_PER_REQUEST]);
    column(out, 5, v[METRIC_OCCUPANCY]);
    struct buf ms = {0}, rate = {0};
    buf_rounded(&ms, m->ms);
    buf_rounded(&rate, problem_rate(bound->problem, bound->step->dims, m->ms));
    buf_printf(out, " %7s %7s  %.12s\n", ms.data, rate.data, part_name(m->bottleneck));
    buf_free(&ms);
    buf_free(&rate);
}

/* The same as JSON. */
static json_t *row_json(
    const struct build *b, const struct bound_kernel *bound, const struct measurement *m)
{
    json_t *o = json_pack("{s:s,s:o,s:o,s:s}", "device", device_name(b->device), "time_ms",
        json_number(m->ms), "rate",
        json_number(problem_rate(bound->problem, bound->step->dims, m->ms)), "limited_by",
        part_name(m->bottleneck));
    json_object_set_new(o, "counters", json_counters(&m->metrics));
    return o;
}

/* Append a table's title and header. The widths are those of row(). */
static void head(struct buf *out, const struct bound_kernel *b)
{
    char *size = problem_size(b->problem, b->step->dims);
    buf_printf(out, "%s, %s\n", b->step->kernel, size);
    buf_printf(out, "%25s%12s%10s\n", "loads", "stores", "shared");
    buf_printf(out, "%-13s%6s%6s%6s%6s%5s%5s%5s %7s %7s  %s\n", "device", "each", "eff %", "each",
        "eff %", "ld", "st", "occ%", "ms", b->problem->unit, "limited by");
    free(size);
}

/* The state of a comparison. If no launch succeeds, `why` is the error. */
struct comparison {
    const struct lab *lab;
    const struct exercise *exercise;
    const char *kernel;           /* compare only this kernel; NULL: all kernels */
    struct buf tables[STEPS_MAX]; /* one per kernel of the exercise */
    int all;                      /* 1: all simulated devices are compared, grouped by generation */
    const char *above[STEPS_MAX]; /* the generation of a table's last row; NULL: none */
    /* for --format json: [{"kernel", "size", "unit", "devices": [row_json, or {"device",
     * "refused"}]}]; else NULL */
    json_t *kernels;
    /* a line for each device for which the exercise cannot be built */
    struct buf refused;
    int rows;       /* how many launches have succeeded */
    struct err why; /* the last error */
};

/* The rows of a kernel in the JSON. A kernel that is not there yet is added. */
static json_t *rows_of(json_t *kernels, const struct bound_kernel *b)
{
    size_t i;
    json_t *o;
    json_array_foreach(kernels, i, o)
    {
        if (!strcmp(json_string_value(json_object_get(o, "kernel")), b->step->kernel))
            return json_object_get(o, "devices");
    }
    char *size = problem_size(b->problem, b->step->dims);
    o = json_pack("{s:s,s:s,s:s,s:[]}", "kernel", b->step->kernel, "size", size, "unit",
        b->problem->unit, "devices");
    free(size);
    json_array_append_new(kernels, o);
    return json_object_get(o, "devices");
}

/* If all GPUs are compared, append the name of a generation above its first row in a kernel's
 * table. */
static void begin_generation(struct comparison *c, int kernel, const struct model_profile *p)
{
    const char *name = model_generation(p);
    if (!c->all || c->above[kernel] == name) return;
    buf_printf(&c->tables[kernel], "%s\n", name);
    c->above[kernel] = name;
}

/* Run the exercise on one device. Each kernel adds a row to its table or, if it cannot be
 * launched, a line with the reason. Returns -1 only if the device cannot be opened. */
static int on_device(const struct workbench_options *o, struct comparison *c, struct err *e)
{
    struct workbench w;
    struct build b;
    if (workbench_open(&w, o, e)) return -1;
    /* if the exercise cannot be built for this device, note why and continue with the next */
    int bad = build_open(&b, &w, c->lab, c->exercise, &c->why);
    if (bad) buf_printf(&c->refused, "%-13s %s\n", o->device, c->why.text);
    for (int i = 0; !bad && c->exercise->steps[i].kernel; i++) {
        const struct bound_kernel *bound = &b.bound[i];
        struct measurement m = {0};
        struct instance in;
        int ran = 0;
        if (c->kernel && strcmp(c->kernel, c->exercise->steps[i].kernel)) continue;
        if (!c->tables[i].len) head(&c->tables[i], bound);
        begin_generation(c, i, device_profile(b.device));
        instance_make(&in, bound->problem, bound->step->dims, 1);
        if (build_run(&b, i, &in, RUN_TIMED, &m, &c->why))
            buf_printf(&c->tables[i], "%-13s %s\n", o->device, c->why.text);
        else
            row(&c->tables[i], &b, bound, &m), c->rows++, ran = 1;
        if (c->kernels)
            json_array_append_new(
                rows_of(c->kernels, bound), ran ? row_json(&b, bound, &m)
                                                : json_pack("{s:s,s:o}", "device", o->device,
                                                      "refused", json_text(c->why.text)));
        measurement_free(&m);
        instance_free(&in);
    }
    build_close(&b);
    workbench_close(&w);
    return 0;
}

/* Append the names of all simulated devices, grouped by generation. */
static void list_by_generation(struct buf *out)
{
    const struct model_profile *p, *q;
    for (int i = 0; (p = model_profile_at(i)); i++) {
        int first = 1;
        for (int k = 0; k < i; k++)
            first &= strcmp(model_generation(model_profile_at(k)), model_generation(p)) != 0;
        for (int k = i; first && (q = model_profile_at(k)); k++)
            if (!strcmp(model_generation(q), model_generation(p)))
                buf_printf(out, "%ssim:%s", out->len ? "," : "", q->name);
    }
}

/* Run on each device of a list such as "sim:gtx280,sim:h200"; NULL: on all simulated devices. */
static int on_devices(
    const char *devices, struct workbench_options *o, struct comparison *c, struct err *e)
{
    struct buf all = {0};
    c->all = !devices;
    if (c->all) list_by_generation(&all);
    char *list = xstrdup(devices ? devices : all.data), *rest = list;
    int bad = 0;
    for (char *device; !bad && (device = strsep(&rest, ","));) {
        o->device = device_meant(device);
        if (!device_simulated(o->device))
            bad = err_set(e, ERR_USAGE,
                "--devices %s: simulated devices are compared, such as sim:gtx280,sim:h200",
                device);
        bad = bad || on_device(o, c, e);
    }
    free(list);
    buf_free(&all);
    return bad ? -1 : 0;
}

/* Print the devices for which the exercise cannot be built, the tables, and a legend. */
static void print_comparison(const struct comparison *c)
{
    if (c->refused.len) printf("%s\n", c->refused.data);
    for (int i = 0; i < STEPS_MAX; i++)
        if (c->tables[i].len) printf("%s\n", c->tables[i].data);
    printf("each: sectors a request (transactions before compute capability 5.0).\n"
           "ld, st: wavefronts of a shared load or store. occ%%: occupancy. ms: modelled.\n");
}

/* Does one of the exercise's steps launch this kernel? */
static int has_kernel(const struct exercise *x, const char *kernel)
{
    for (const struct step *s = x->steps; s->kernel; s++)
        if (!strcmp(s->kernel, kernel)) return 1;
    return 0;
}

/* If the kit has no solution of the exercise: say so, and set *labs to the folder of the learner's
 * own files, which the caller frees. */
static int own_instead(const struct comparison *c, char **labs, struct err *e)
{
    struct kit k;
    if (kit_find(&k, e)) return -1;
    if (!kit_has_solution(&k, c->lab, c->exercise)) {
        *labs = kit_path(&k, "labs");
        fprintf(stderr, "your own file in %s: this kit does not have the solution\n\n", *labs);
    }
    kit_free(&k);
    return 0;
}

/* An exercise in host C has no kernel, and is an error. */
int command_compare(int argc, char **argv, struct err *e)
{
    const char *words[2], *devices = NULL, *format = NULL;
    struct workbench_options o = {0};
    struct comparison c = {0};
    const struct option_spec specs[] = {{"--devices", &devices}, {"--kernel", &c.kernel},
        {"--student", &o.directory}, {"--front", &o.front}, {"--format", &format}, {0}};
    int count = options_parse(argc, argv, specs, words, 2, e);
    int json = options_format(format, e);
    if (count < 0 || json < 0) return -1;
    if (count < 2)
        return err_set(e, ERR_USAGE,
            "which exercise? For example: lockstep compare 05 transpose --devices sim:gtx280,sim:h200");
    if (!(c.lab = options_lab(words[0], e)) || !(c.exercise = options_exercise(c.lab, words[1], e)))
        return -1;
    if (c.exercise->kind == EXERCISE_HOST)
        return err_set(e, ERR_USAGE, "%s %s is C for the CPU: there is no kernel to compare",
            c.lab->name, c.exercise->name);
    if (c.kernel && !has_kernel(c.exercise, c.kernel))
        return err_set(
            e, ERR_USAGE, "%s %s has no kernel %s", c.lab->name, c.exercise->name, c.kernel);
    /* without --student the solutions run, but the learner's predictions decide what may be
     * shown */
    if (suspect_told_in(o.directory, NULL, o.front, c.lab, c.exercise, e)) return -1;
    char *labs = NULL;
    if (!o.directory && own_instead(&c, &labs, e)) return -1;
    if (labs) o.directory = labs;
    if (json) c.kernels = json_array();
    int bad = on_devices(devices, &o, &c, e);
    /* the exercise failed on every device, so the learner's file is at fault */
    if (!bad && !c.rows) {
        bad = -1;
        *e = c.why;
    } else if (!bad && json) {
        json_print(json_incref(c.kernels));
    } else if (!bad) {
        print_comparison(&c);
    }
    json_decref(c.kernels);
    for (int i = 0; i < STEPS_MAX; i++) buf_free(&c.tables[i]);
    buf_free(&c.refused);
    free(labs);
    return bad;
}
