/* profile.c - lockstep profile: launch kernels once on a simulated GPU and report on each of their
 * lines.
 *
 *     FILE.cu --kernel ... --> profile_file --+
 *                                             |--> struct profile, one per kernel --> report
 *     --lab NN ...         --> profile_step --+       its `before`: profile_before.c
 *
 * report: text; with --json JSON, with --map one line's accesses, with --html - the page; --svg and
 * --html FILE also write files. */
#include "cli/profile.h"
#include "explain/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the report ---- */

static void report_json(const struct profile *p, int count, struct buf *out)
{
    json_t *o = profile_json(p, count);
    char *dump = json_dumps(o, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    buf_printf(out, "%s\n", dump);
    free(dump);
    json_decref(o);
}

static void report_text(const struct profile *p, int count, struct buf *out)
{
    struct screen screen = screen_of(STDOUT_FILENO);
    for (int i = 0; i < count; i++) {
        if (i) buf_printf(out, "\n");
        profile_text(&screen, &p[i], out);
    }
}

/* Append the accesses of a line, for each kernel that has any; line 0: of all lines. */
static int report_map(const struct profile *p, int count, int line, struct buf *out, struct err *e)
{
    int found = 0;
    for (int i = 0; i < count; i++) {
        struct err none;
        struct buf one = {0};
        if (!profile_map_text(&p[i], line, &one, &none)) {
            buf_printf(out, "%s%s", found++ ? "\n" : "", one.data);
        } else if (i + 1 == count && !found) {
            buf_free(&one);
            return profile_map_text(&p[0], line, out, e);
        }
        buf_free(&one);
    }
    return 0;
}

static int write_if_asked(const char *file, const struct buf *text, struct err *e)
{
    return file ? file_write(file, text->data ? text->data : "", text->len, e) : 0;
}

/* All output is made before any is written, so that after an error, such as a line without an
 * access for --map, no file was written and nothing printed. */
int profile_report(
    const struct profile_request *q, const struct profile *p, int count, struct err *e)
{
    struct buf out = {0}, svg = {0}, page = {0};
    uint64_t line = 0;
    int bad = q->map && options_number("--map", q->map, 1 << 20, &line, e);
    if (!bad && q->svg && count > 1)
        bad = err_set(e, ERR_USAGE, "--svg %s draws one kernel: name one, such as --kernel %s",
            q->svg, p[0].kernel);
    bad = bad || (q->svg && profile_map_svg(&p[0], (int)line, &svg, e));
    int page_alone = q->html && !strcmp(q->html, "-");
    if (!bad && page_alone)
        profile_page(p, count, &out);
    else if (!bad && q->json)
        report_json(p, count, &out);
    else if (!bad && q->map)
        bad = report_map(p, count, (int)line, &out, e);
    else if (!bad)
        report_text(p, count, &out);
    if (!bad && q->html && !page_alone) profile_page(p, count, &page);
    bad = bad || write_if_asked(q->svg, &svg, e) ||
          write_if_asked(page_alone ? NULL : q->html, &page, e);
    if (!bad) fwrite(out.data, 1, out.len, stdout);
    buf_free(&out);
    buf_free(&svg);
    buf_free(&page);
    return bad ? -1 : 0;
}

/* ---- launches ---- */

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
        err_set(e, ERR_USAGE, "%s: kernel %s is a template with several instances; name one of %s",
            file, name, list);
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

/* The words, joined by blanks. The caller frees the result. */
static char *joined(const char *const *words, int count)
{
    struct buf b = {0};
    for (int i = 0; i < count; i++) buf_printf(&b, "%s%s", i ? " " : "", words[i]);
    return b.data ? b.data : xstrdup("");
}

struct profile profile_of(const struct build *b)
{
    return (struct profile){.device = device_name(b->device),
        .gpu = device_profile(b->device),
        .front = b->workbench->front.name,
        .file = b->compiled.file,
        .source = b->compiled.source,
        .ptx = b->compiled.ptx};
}

void profile_close(struct profile *p)
{
    measurement_free(&p->m);
    free(p->kernel);
    free(p->what);
    free(p->wrong);
    *p = (struct profile){0};
}

/* Copies the arguments to device memory, launches the kernel once, and stores the counters in
 * p->m. */
int profile_file(const struct profile_request *q, const struct build *b, const char *kernel,
    struct profile *p, struct err *e)
{
    struct kernel *k = profile_kernel(b->module, kernel, p->file, e);
    struct arguments a = {0};
    struct launch_shape shape = {{0}};
    uint64_t shared = 0;
    const void *args[ARGS_MAX];
    int bad = !k || options_extents("--grid", q->grid, p->grid, e) ||
              options_extents("--block", q->block, p->block, e) ||
              (q->shared && options_number("--shared", q->shared, 1 << 20, &shared, e)) ||
              arguments_place(&a, b->device, k, kernel, p->file, q->words + 1, q->count - 1, e);
    memcpy(shape.grid, p->grid, sizeof shape.grid);
    memcpy(shape.block, p->block, sizeof shape.block);
    shape.dynamic_shared = p->shared = shared;
    for (int i = 0; i < a.count; i++) args[i] = a.value[i];
    p->kernel = xstrdup(kernel);
    p->what = joined(q->words + 1, q->count - 1);
    if (k) p->symbol = kernel_symbol(k);
    bad = bad || device_launch(b->device, k, &shape, args, &p->m, e);
    arguments_free(&a);
    return bad ? -1 : 0;
}

/* Why the output of a launch is wrong; NULL: it is right. The caller frees the text. */
static char *wrong_result(const struct instance *in)
{
    struct expected want;
    struct finding found;
    struct buf why = {0};
    expected_make(&want, in);
    int bad = explain_output(in, &want, in->data[in->problem->output], &found, &why);
    guesses_unmark(&why);
    expected_free(&want);
    if (bad) return why.data;
    buf_free(&why);
    return NULL;
}

/* Uses the inputs and the launch shape that the exercise prescribes. */
int profile_step(struct build *b, int step, const int dims[DIMS], struct profile *p, struct err *e)
{
    const struct bound_kernel *bound = &b->bound[step];
    struct instance in;
    struct launch_shape shape;
    p->kernel = xstrdup(bound->step->kernel);
    p->what = problem_size(bound->problem, dims);
    p->shared = bound->shared;
    p->symbol = kernel_symbol(bound->kernel);
    instance_make(&in, bound->problem, dims, 1);
    int bad = run_shape(bound, dims, &shape, e) || build_run(b, step, &in, RUN_TIMED, &p->m, e);
    if (!bad) {
        memcpy(p->grid, shape.grid, sizeof p->grid);
        memcpy(p->block, shape.block, sizeof p->block);
        p->wrong = wrong_result(&in);
    }
    instance_free(&in);
    return bad ? -1 : 0;
}

/* ---- the command ---- */

/* Profile a kernel of the user's own file. The compiler's warnings go to stderr, since stdout
 * may be JSON. */
static int file_command(const struct profile_request *q, struct workbench *w, struct err *e)
{
    struct build b;
    struct profile p = {0};
    struct before before;
    int bad = options_extents("--grid", q->grid, p.grid, e) ||
              options_extents("--block", q->block, p.block, e);
    if (bad) return -1;
    bad = build_open_file(&b, w, q->words[0], e);
    if (bad && b.compiled.status != COMPILE_OK && b.compiled.status != COMPILE_BROKEN)
        e->kind = ERR_USAGE; /* the file is wrong, and the file is a part of the command line */
    bad = before_open(&before, w, bad ? NULL : q->before, 0, bad ? NULL : e) || bad;
    if (!bad) {
        if (b.compiled.output.len) fprintf(stderr, "%s\n", b.compiled.output.data);
        p = profile_of(&b);
        p.show_ptx = q->ptx != NULL, p.pictures = q->pictures != NULL;
        bad = profile_file(q, &b, q->kernel, &p, e) || before_file(&before, w, q, &p.before, e) ||
              profile_report(q, &p, 1, e);
    }
    before_close(&before);
    profile_close(&p);
    build_close(&b);
    return bad ? -1 : 0;
}

/* Profile each step of an exercise, or only the kernel named by --kernel. */
static int lab_command(const struct profile_request *q, struct workbench *w, const struct lab *lab,
    const struct exercise *x, struct err *e)
{
    struct build b;
    struct before before;
    struct profile p[STEPS_MAX];
    int count = 0, compared = 0, bad = build_open(&b, w, lab, x, e);
    bad = before_open(&before, w, bad ? NULL : q->before, 1, bad ? NULL : e) || bad;
    for (int i = 0; !bad && x->steps[i].kernel; i++) {
        if (q->kernel && strcmp(q->kernel, x->steps[i].kernel)) continue;
        struct profile *one = &p[count++];
        *one = profile_of(&b);
        one->show_ptx = q->ptx != NULL, one->pictures = q->pictures != NULL;
        bad = profile_step(&b, i, x->steps[i].dims, one, e) ||
              before_step(&before, w, x, i, &one->before, e);
        compared += one->before != NULL;
    }
    if (!bad && !count)
        bad = err_set(e, ERR_USAGE, "%s %s has no kernel %s", lab->name, x->name, q->kernel);
    if (!bad && q->before && !compared) bad = before_nothing(&before, x, e);
    bad = bad || profile_report(q, p, count, e);
    for (int i = 0; i < count; i++) profile_close(&p[i]);
    before_close(&before);
    build_close(&b);
    return bad ? -1 : 0;
}

/* Check the command line before anything is opened. *lab and *x are set if there is a --lab. */
static int check_request(const struct profile_request *q, const struct lab **lab,
    const struct exercise **x, struct err *e)
{
    if (!device_simulated(q->device))
        return err_set(e, ERR_USAGE,
            "--device %s: lockstep profile needs a simulated device, such as sim:h200; on a GPU, use ncu",
            q->device);
    if (q->lab && q->count)
        return err_set(
            e, ERR_USAGE, "%s: with --lab, no file or argument can be given", q->words[0]);
    if (q->lab && (!(*lab = options_lab(q->lab, e)) ||
                      !(*x = options_exercise(*lab, q->exercise ? q->exercise : "", e))))
        return -1;
    if (q->lab && (*x)->kind == EXERCISE_HOST)
        return err_set(e, ERR_USAGE, "%s %s is C for the CPU: there is no kernel to profile",
            (*lab)->name, (*x)->name);
    if (!q->lab && (!q->count || !q->kernel || !q->grid || !q->block))
        return err_set(e, ERR_USAGE,
            "profile needs %s, for example: lockstep profile my.cu --kernel add --grid 4 --block 256 "
            "i32:1024 buf:f32:1024",
            !q->count    ? "a file"
            : !q->kernel ? "--kernel NAME"
            : !q->grid   ? "--grid X[,Y[,Z]]"
                         : "--block X[,Y[,Z]]");
    return 0;
}

/* The default device is the simulated H200 even if a GPU is present, since only a simulated device
 * can profile. In a lab, the learner's own file is profiled, unless --student names a folder. */
int command_profile(int argc, char **argv, struct err *e)
{
    struct profile_request q = {.device = "sim:h200"};
    const struct option_spec specs[] = {{"--kernel", &q.kernel}, {"--grid", &q.grid},
        {"--block", &q.block}, {"--shared", &q.shared}, {"--device", &q.device},
        {"--front", &q.front}, {"--json", &q.json, 1}, {"--map", &q.map}, {"--svg", &q.svg},
        {"--html", &q.html}, {"--lab", &q.lab}, {"--exercise", &q.exercise},
        {"--student", &q.student}, {"--before", &q.before}, {"--ptx", &q.ptx, 1},
        {"--pictures", &q.pictures, 1}, {"--recorded", &q.recorded}, {0}};
    const char *defines[DEFINES_MAX + 1];
    if ((argc = options_defines(argc, argv, defines, e)) < 0) return -1;
    q.count = options_parse(argc, argv, specs, q.words, ARGS_MAX + 1, e);
    if (q.recorded && !q.count) return profile_recorded(&q, e);
    const struct lab *lab = NULL;
    const struct exercise *x = NULL;
    struct workbench w;
    if (q.count < 0 || check_request(&q, &lab, &x, e) ||
        (lab && suspect_told_in(q.student, q.device, q.front, lab, x, e)))
        return -1;
    /* a user's own file needs no labs */
    const struct workbench_options o = {
        .device = q.device, .front = q.front, .directory = lab ? q.student : "."};
    if (workbench_open(&w, &o, e)) return -1;
    w.front.defines = defines;
    if (!q.student) {
        free(w.directory);
        w.directory = kit_path(&w.kit, "labs");
    }
    int bad = lab ? lab_command(&q, &w, lab, x, e) : file_command(&q, &w, e);
    workbench_close(&w);
    return bad;
}
