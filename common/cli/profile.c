/* profile.c - lockstep profile: launch a kernel once on a simulated GPU and explain each of its lines.
 *
 *     FILE.cu --kernel --grid --block ARGUMENT...   --> profile_file --┐
 *                                                                      ├--> struct profile --> report
 *     --lab NN --exercise EX                        --> profile_lab  --┘
 *
 * report: text, or with --json JSON, or with --map one line's accesses; --svg and --html write files as well.
 */
#include "cli/cli.h"
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The command line. An option that was not given is NULL. */
struct request {
    const char *kernel, *grid, *block, *shared, *device, *front, *json, *map, *svg, *html, *student;
    const char *lab, *exercise;
    const char *words[ARGS_MAX + 1]; /* the file, then the kernel's arguments */
    int count;
};

/* ---- the launch ---- */

static void report_json(const struct profile *p, struct buf *out)
{
    json_t *o = profile_json(p);
    char *dump = json_dumps(o, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    buf_printf(out, "%s\n", dump);
    free(dump);
    json_decref(o);
}

static int write_if_asked(const char *file, const struct buf *text, struct err *e)
{
    return file ? file_write(file, text->data ? text->data : "", text->len, e) : 0;
}

/* Make all output first, then write it. If a part fails, such as a map of a line without an
 * access, no file is written and nothing is printed. */
static int report(const struct request *q, const struct profile *p, struct err *e)
{
    struct buf out = {0}, svg = {0}, page = {0};
    uint64_t line = 0;
    int bad = q->map && options_number("--map", q->map, 1 << 20, &line, e);
    bad = bad || (q->svg && profile_map_svg(p, (int)line, &svg, e));
    if (!bad && q->json) report_json(p, &out);
    else if (!bad && q->map) bad = profile_map_text(p, (int)line, &out, e);
    else if (!bad) profile_text(p, &out);
    if (!bad && q->html) profile_page(p, &page);
    bad = bad || write_if_asked(q->svg, &svg, e) || write_if_asked(q->html, &page, e);
    if (!bad) fwrite(out.data, 1, out.len, stdout);
    buf_free(&out);
    buf_free(&svg);
    buf_free(&page);
    return bad ? -1 : 0;
}

/* How many instances of the template `name` are in the list "a, b<int>, b<float>". */
static int instances(const char *list, const char *name)
{
    int count = 0;
    size_t n = strlen(name);
    for (const char *at = list; at && *at; at = strstr(at, ", ") ? strstr(at, ", ") + 2 : NULL)
        count += !strncmp(at, name, n) && at[n] == '<';
    return count;
}

struct kernel *profile_kernel(struct module *m, const char *name, const char *file, struct err *e)
{
    struct kernel *k = module_kernel(m, name);
    struct buf there = {0};
    module_kernels(m, &there);
    const char *list = there.data ? there.data : "";
    int several = k && instances(list, name) > 1;
    if (several)
        err_set(e, ERR_USAGE, "%s: kernel %s is a template with several instances; name one of %s", file,
            name, list);
    else if (!k && *list)
        err_set(e, ERR_USAGE, "%s: there is no kernel %s; the kernels are: %s", file, name, list);
    else if (!k)
        err_set(e, ERR_USAGE,
            "%s: there is no kernel %s, and no other kernel: a kernel is a __global__ function, and a "
            "template has to be instantiated",
            file, name);
    buf_free(&there);
    return several ? NULL : k;
}

/* The words with spaces between them. The caller frees the result. */
static char *joined(const char *const *words, int count)
{
    struct buf b = {0};
    for (int i = 0; i < count; i++) buf_printf(&b, "%s%s", i ? " " : "", words[i]);
    return b.data ? b.data : xstrdup("");
}

/* Place the arguments in device memory, launch the kernel once and store the counters in p->m. */
static int launch(const struct request *q, const struct build *b, struct profile *p, struct err *e)
{
    struct kernel *k = profile_kernel(b->module, q->kernel, p->file, e);
    struct arguments a = {0};
    struct launch_shape shape = {.dynamic_shared = p->shared};
    const void *args[ARGS_MAX];
    int bad = !k || arguments_place(&a, b->device, k, q->kernel, p->file, q->words + 1, q->count - 1, e);
    memcpy(shape.grid, p->grid, sizeof shape.grid);
    memcpy(shape.block, p->block, sizeof shape.block);
    for (int i = 0; i < a.count; i++) args[i] = a.value[i];
    p->kernel = xstrdup(q->kernel);
    p->what = joined(q->words + 1, q->count - 1);
    bad = bad || device_launch(b->device, k, &shape, args, &p->m, e);
    arguments_free(&a);
    return bad ? -1 : 0;
}

/* The other members of a profile belong to the build. */
static void profile_free(struct profile *p)
{
    measurement_free(&p->m);
    free(p->kernel);
    free(p->what);
}

/* The members that only depend on the build. They point into it, so the build must outlive the
 * profile. */
static struct profile profile_of(const struct build *b)
{
    return (struct profile){.device = device_name(b->device),
        .gpu = device_profile(b->device),
        .front = b->workbench->front.name,
        .file = b->compiled.file,
        .source = b->compiled.source};
}

/* Profile a kernel of the user's own file. Warnings of the compiler go to stderr, so stdout can
 * be JSON. */
static int profile_file(const struct request *q, struct workbench *w, struct err *e)
{
    struct build b;
    uint64_t shared = 0;
    struct profile p = {0}, asked = {0};
    int bad = options_extents("--grid", q->grid, asked.grid, e) ||
        options_extents("--block", q->block, asked.block, e) ||
        (q->shared && options_number("--shared", q->shared, 1 << 20, &shared, e));
    if (bad) return -1;
    bad = build_open_file(&b, w, q->words[0], e);
    if (bad && b.compiled.status != COMPILE_OK && b.compiled.status != COMPILE_BROKEN)
        e->kind = ERR_USAGE; /* the file itself is at fault, and the command line names it */
    if (!bad) {
        if (b.compiled.output.len) fprintf(stderr, "%s\n", b.compiled.output.data);
        p = profile_of(&b);
        p.shared = shared;
        memcpy(p.grid, asked.grid, sizeof p.grid);
        memcpy(p.block, asked.block, sizeof p.block);
        bad = launch(q, &b, &p, e) || report(q, &p, e);
    }
    profile_free(&p);
    build_close(&b);
    return bad ? -1 : 0;
}

/* ---- a step of a lab ---- */

/* Profile one step of an exercise, on the inputs and in the launch shape that the exercise
 * prescribes. */
static int profile_step(const struct request *q, struct build *b, int step, struct err *e)
{
    const struct bound *bound = &b->bound[step];
    const int *dims = bound->step->dims;
    struct instance in;
    struct profile p = profile_of(b);
    struct launch_shape shape;
    p.kernel = xstrdup(bound->step->kernel);
    p.what = problem_size(bound->problem, dims);
    p.shared = bound->shared;
    instance_make(&in, bound->problem, dims, 1);
    int bad = run_shape(bound, dims, &shape, e) || build_run(b, step, &in, RUN_TIMED, &p.m, e);
    if (!bad) {
        memcpy(p.grid, shape.grid, sizeof p.grid);
        memcpy(p.block, shape.block, sizeof p.block);
        bad = report(q, &p, e);
    }
    instance_free(&in);
    profile_free(&p);
    return bad;
}

/* Profile each step of an exercise, or only that of --kernel. */
static int profile_lab(const struct request *q, struct workbench *w, const struct lab *lab,
    const struct exercise *x, struct err *e)
{
    struct build b;
    int found = 0, bad = build_open(&b, w, lab, x, e);
    for (int i = 0; !bad && x->steps[i].kernel; i++)
        if (!q->kernel || !strcmp(q->kernel, x->steps[i].kernel)) {
            if (found++ && !q->json) printf("\n");
            bad = profile_step(q, &b, i, e);
            if (q->json || q->html || q->svg) /* each of these outputs describes one launch */
                break;
        }
    if (!bad && !found) bad = err_set(e, ERR_USAGE, "%s %s has no kernel %s", lab->name, x->name, q->kernel);
    build_close(&b);
    return bad ? -1 : 0;
}

/* Check the command line before anything is opened. *lab and *x are set if --lab is given. */
static int check_request(
    const struct request *q, const struct lab **lab, const struct exercise **x, struct err *e)
{
    if (!device_simulated(q->device))
        return err_set(e, ERR_USAGE,
            "--device %s: lockstep profile needs a simulated device, such as sim:h200; on a GPU, use ncu",
            q->device);
    if (q->lab && q->count)
        return err_set(e, ERR_USAGE, "%s: with --lab, no file or argument can be given", q->words[0]);
    if (q->lab &&
        (!(*lab = options_lab(q->lab, e)) ||
            !(*x = options_exercise(*lab, q->exercise ? q->exercise : "", e))))
        return -1;
    if (q->lab && (*x)->kind == EXERCISE_HOST)
        return err_set(
            e, ERR_USAGE, "%s %s is C for the CPU: there is no kernel to profile", (*lab)->name, (*x)->name);
    if (!q->lab && (!q->count || !q->kernel || !q->grid || !q->block))
        return err_set(e, ERR_USAGE,
            "profile needs %s, for example: lockstep profile my.cu --kernel add --grid 4 --block 256 "
            "i32:1024 buf:f32:1024",
            !q->count        ? "a file"
                : !q->kernel ? "--kernel NAME"
                : !q->grid   ? "--grid X[,Y[,Z]]"
                             : "--block X[,Y[,Z]]");
    return 0;
}

/* The default device is the simulated H200, even if a GPU is present: profile needs a simulated
 * device. */
int command_profile(int argc, char **argv, struct err *e)
{
    struct request q = {.device = "sim:h200"};
    const struct option_spec specs[] = {{"--kernel", &q.kernel}, {"--grid", &q.grid}, {"--block", &q.block},
        {"--shared", &q.shared}, {"--device", &q.device}, {"--front", &q.front}, {"--json", &q.json, 1},
        {"--map", &q.map}, {"--svg", &q.svg}, {"--html", &q.html}, {"--lab", &q.lab},
        {"--exercise", &q.exercise}, {"--student", &q.student}, {0}};
    q.count = options_parse(argc, argv, specs, q.words, ARGS_MAX + 1, e);
    const struct lab *lab = NULL;
    const struct exercise *x = NULL;
    struct workbench w;
    if (q.count < 0 || check_request(&q, &lab, &x, e)) return -1;
    /* a file of one's own needs no labs */
    const struct workbench_options o = {
        .device = q.device, .front = q.front, .directory = lab ? q.student : "."};
    if (workbench_open(&w, &o, e)) return -1;
    int bad = lab ? profile_lab(&q, &w, lab, x, e) : profile_file(&q, &w, e);
    workbench_close(&w);
    return bad;
}
