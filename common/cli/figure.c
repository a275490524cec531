/* figure.c - lockstep figure: write a figure as SVG to stdout. view/figure.c parses the words and
 * draws; this file runs the lab's kernels whose counts and times a figure shows.
 *
 *     hide --lab 03 --exercise matmul ...     a lab's launch, which is run here
 *     hide --warps 2 --work 24                or numbers
 *     padding --dark                          in the colours for dark paper
 *     roofline --lab 06                       a ladder's rungs up to a lab, each of which is run here */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The launch from which a figure takes its numbers; lab NULL: there is none. */
struct launch_of {
    const char *lab, *exercise, *kernel, *size, *student, *front;
};

/* Remove the options that name the launch, such as --lab and --size, from argv. Returns how many
 * words remain, or -1. */
static int take_words(int argc, char **argv, struct launch_of *of, struct err *e)
{
    const struct {
        const char *name, **to;
    } words[] = {{"--lab", &of->lab}, {"--exercise", &of->exercise}, {"--kernel", &of->kernel},
        {"--size", &of->size}, {"--student", &of->student}, {"--front", &of->front}};
    int left = 0;
    for (int i = 0; i < argc; i++) {
        const char **to = NULL;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (!strcmp(argv[i], words[k].name)) to = words[k].to;
        if (!to)
            argv[left++] = argv[i];
        else if (i + 1 == argc)
            return err_set(e, ERR_USAGE, "%s needs a value", argv[i]);
        else
            *to = argv[++i];
    }
    if (!of->lab && (of->exercise || of->kernel || of->size || of->student || of->front))
        return err_set(e, ERR_USAGE, "a figure of a launch needs --lab NN --exercise NAME");
    return left;
}

/* Run the kernel at the given size, and get its work from the launch. */
static int run(struct build *b, const struct launch_of *of, struct model_work *work, struct err *e)
{
    int step = 0, dims[DIMS];
    const struct step *steps = b->exercise->steps;
    while (of->kernel && steps[step].kernel && strcmp(of->kernel, steps[step].kernel)) step++;
    if (!steps[step].kernel)
        return err_set(e, ERR_USAGE, "%s has no kernel %s", b->exercise->name, of->kernel);
    const struct problem *problem = b->bound[step].problem;
    memcpy(dims, steps[step].dims, sizeof dims);
    if (of->size && options_size(of->size, problem, dims, e)) return -1;
    struct instance in;
    struct measurement m = {0};
    instance_make(&in, problem, dims, 1);
    int bad = build_run(b, step, &in, RUN_TIMED, &m, e);
    *work = m.work;
    measurement_free(&m);
    instance_free(&in);
    return bad;
}

static int measure(
    const struct launch_of *of, const char *device, struct model_work *work, struct err *e)
{
    const struct lab *lab = options_lab(of->lab, e);
    const struct exercise *x =
        lab ? options_exercise(lab, of->exercise ? of->exercise : "", e) : NULL;
    struct workbench w;
    struct build b;
    if (!x) return -1;
    if (x->kind == EXERCISE_HOST)
        return err_set(
            e, ERR_USAGE, "%s %s is C for the CPU: it has no launch", lab->name, x->name);
    char *name = xasprintf("%s%s", strncmp(device, "sim:", 4) ? "sim:" : "", device);
    const struct workbench_options o = {
        .device = name, .front = of->front, .directory = of->student};
    int bad = workbench_open(&w, &o, e);
    if (!bad) {
        bad = build_open(&b, &w, lab, x, e) || run(&b, of, work, e);
        build_close(&b);
    }
    workbench_close(&w);
    free(name);
    return bad ? -1 : 0;
}

/* Remove --dark from argv. Returns whether it was there. */
static int take_dark(int *argc, char **argv)
{
    int left = 0, dark = 0;
    for (int i = 0; i < *argc; i++)
        if (!strcmp(argv[i], "--dark"))
            dark = 1;
        else
            argv[left++] = argv[i];
    *argc = left;
    return dark;
}

/* ---- a roofline: the kernels of all labs up to one, each at the same size ---- */

struct climb {
    struct session session;
    const struct lab *last;
    const struct problem *problem;
    int dims[DIMS];
    struct figure_point *points;
    int count, tensors;
    struct err *e;
};

/* Called for each rung of the ladder (exercise.h): the last rung up to the chosen lab sets the
 * size, as in the table of that lab's README. */
static int take_size(void *context, const struct rung *r)
{
    struct climb *c = context;
    if (strcmp(r->lab->name, c->last->name) > 0) return 1;
    memcpy(c->dims, r->exercise->steps[r->step].dims, sizeof c->dims);
    c->count++;
    return 0;
}

/* Model the kernel of one rung. The rate counts the operations of the problem, so additional
 * operations of a kernel gain nothing. */
static int add_point(void *context, const struct rung *r)
{
    struct climb *c = context;
    struct measurement m = {0};
    if (strcmp(r->lab->name, c->last->name) > 0) return 1;
    if (reference_measure(&c->session, r->lab, r->exercise, r->step, c->dims, &m, c->e)) return -1;
    double rate = problem_rate(c->problem, c->dims, m.ms),
           bytes = m.metrics.v[METRIC_DRAM_READ_BYTES] + m.metrics.v[METRIC_DRAM_WRITE_BYTES];
    char *name = xasprintf("%s: %.0f", r->exercise->steps[r->step].rung, rate);
    c->points[c->count++] = (struct figure_point){name, rate * m.ms * 1e6 / bytes, rate};
    c->tensors |= r->exercise->needs == FEATURE_TENSORS;
    measurement_free(&m);
    return 0;
}

/* Draw a roofline with the kernels for C = A B of all labs up to the chosen one. */
static int draw_ladder(const struct launch_of *of, const char *device, int argc, char **argv,
    struct buf *out, struct err *e)
{
    struct climb c = {.last = options_lab(of->lab, e), .problem = problem_find("matmul"), .e = e};
    uint64_t seed = 1;
    if (!c.last) return -1;
    ladder_walk("matmul", EXERCISE_CUDA, take_size, &c);
    if (of->size && options_size(of->size, c.problem, c.dims, e)) return -1;
    c.points = xcalloc((size_t)c.count + 1, sizeof *c.points);
    c.count = 0;
    char *name = xasprintf("%s%s", strncmp(device, "sim:", 4) ? "sim:" : "", device);
    int bad = session_open(&c.session, name, of->front, NULL, &seed, e);
    if (!bad) {
        bad = ladder_walk("matmul", EXERCISE_CUDA, add_point, &c) < 0;
        session_close(&c.session);
    }
    if (!bad) {
        char *size = problem_size(c.problem, c.dims);
        const struct figure_of shown = {
            .points = c.points, .count = c.count, .tensors = c.tensors, .size = size};
        bad = figure_pattern(argc, argv, &shown, out, e);
        free(size);
    }
    for (int i = 0; i < c.count; i++) free((char *)c.points[i].name);
    free(c.points);
    free(name);
    return bad ? -1 : 0;
}

/* Draw a figure; if a lab is named, of a launch of its kernel. */
static int draw(const struct launch_of *of, const char *device, int argc, char **argv,
    struct buf *out, struct err *e)
{
    struct model_work work = {0};
    const struct figure_of shown = {.work = &work};
    if (of->lab && measure(of, device, &work, e)) return -1;
    return figure_pattern(argc, argv, of->lab ? &shown : NULL, out, e);
}

int figure_make(int argc, char **argv, struct buf *out, struct err *e)
{
    struct launch_of of = {0};
    const char *device = "h200";
    int dark = take_dark(&argc, argv);
    if (argc < 1)
        return err_set(
            e, ERR_USAGE, "which figure? For example: lockstep figure global --stride 2");
    if ((argc = take_words(argc, argv, &of, e)) < 0) return -1;
    int shows = figure_shows(argc, argv, of.lab != NULL, e);
    if (shows < 0) return -1;
    if (shows == FIGURE_LADDER && (of.exercise || of.kernel || of.student))
        return err_set(e, ERR_USAGE,
            "figure %s shows the solutions of all labs up to --lab; it takes no --exercise, --kernel or "
            "--student",
            argv[0]);
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], "--device")) device = argv[i + 1];
    int ladder = of.lab && shows == FIGURE_LADDER;
    if ((ladder ? draw_ladder : draw)(&of, device, argc, argv, out, e)) return -1;
    if (dark) figure_dark(out);
    return 0;
}

/* Prints only a complete figure. If a lab is named, its solution is launched, unless --student
 * names a folder. */
int command_figure(int argc, char **argv, struct err *e)
{
    struct buf out = {0};
    int bad = figure_make(argc, argv, &out, e);
    if (!bad) fwrite(out.data, 1, out.len, stdout);
    buf_free(&out);
    return bad;
}
