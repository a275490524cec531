/* step.c - lockstep step: step through one warp of one block by source line.
 *
 *     build unoptimized ── launch, recorded ──> recording, names ──> terminal, text, page
 *     build as usual    ── launch, recorded ──> counters at its end
 *
 * The first build gives variables their names. If it cannot be made or executed, or with
 * --optimised, the second one is stepped through, with PTX registers. If another warp of the
 * block faults and the user has not chosen a warp, that one is shown. If two warps race, both
 * are recorded. */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INSTANTS_MAX = 1 << 20, PAGE_STOPS = 2000, TEXT_STOPS = 100 };

/* The command line; an option that was not given is NULL. */
struct request {
    const char *kernel, *grid, *block, *shared, *device, *front, *html, *student, *lab_name,
        *exercise, *size;
    const char *at, *warp, *optimised, *steps, *from, *json;
    const char *words[ARGS_MAX + 1]; /* the file, then the kernel's arguments */
    int count;
    /* the parsed options */
    const struct lab *lab;
    const struct exercise *x;
    int step; /* index of the step in the exercise */
    unsigned at_block[3];
    uint64_t warp_number, step_count, first_step;
};

/* A build whose launch was recorded. */
struct recorded {
    struct build build;
    struct kernel *kernel;
    struct recording *recording;
    /* recordings of the two warps of a race; NULL: there is no race, or the recording is the one in
     * `recording` */
    struct recording *other[2];
    unsigned grid[3], block[3];
    struct err fault; /* the error of the launch that was recorded */
};

/* ---- the command line ---- */

static int read_numbers(struct request *q, struct err *e)
{
    if (q->at) {
        int commas = 0;
        if (options_extents("--at", q->at, q->at_block, e)) return -1;
        for (const char *c = q->at; *c; c++) commas += *c == ',';
        for (int i = commas + 1; i < 3; i++) q->at_block[i] = 0;
    }
    q->step_count = TEXT_STOPS;
    q->first_step = 1;
    if (q->warp && options_number("--warp", q->warp, 31, &q->warp_number, e)) return -1;
    if (q->steps && options_number("--steps", q->steps, INSTANTS_MAX, &q->step_count, e)) return -1;
    return q->from && options_number("--from", q->from, INSTANTS_MAX, &q->first_step, e) ? -1 : 0;
}

/* Find the exercise's step that --kernel names, or its first one. */
static int find_step(struct request *q, struct err *e)
{
    if (q->x->kind == EXERCISE_HOST)
        return err_set(e, ERR_USAGE, "%s %s is C for the CPU: there is no kernel to step",
            q->lab->name, q->x->name);
    for (q->step = 0; q->x->steps[q->step].kernel; q->step++)
        if (!q->kernel || !strcmp(q->kernel, q->x->steps[q->step].kernel)) return 0;
    return err_set(e, ERR_USAGE, "%s %s has no kernel %s", q->lab->name, q->x->name, q->kernel);
}

static int check_request(struct request *q, struct err *e)
{
    if (!device_simulated(q->device))
        return err_set(e, ERR_USAGE,
            "--device %s: a simulated device is needed, such as sim:h200; on a GPU, use cuda-gdb",
            q->device);
    if (q->lab_name && q->count)
        return err_set(
            e, ERR_USAGE, "%s: with --lab, no file or argument can be given", q->words[0]);
    if (q->size && !q->lab_name)
        return err_set(e, ERR_USAGE, "--size %s is for an exercise of a lab", q->size);
    if (q->lab_name)
        return !(q->lab = options_lab(q->lab_name, e)) ||
                       !(q->x = options_exercise(q->lab, q->exercise ? q->exercise : "", e)) ||
                       find_step(q, e)
                   ? -1
                   : 0;
    if (!q->count || !q->kernel || !q->grid || !q->block)
        return err_set(e, ERR_USAGE,
            "step needs %s, for example: lockstep step my.cu --kernel add --grid 4 --block 256 i32:1024 "
            "buf:f32:1024",
            !q->count    ? "a file"
            : !q->kernel ? "--kernel NAME"
            : !q->grid   ? "--grid X[,Y[,Z]]"
                         : "--block X[,Y[,Z]]");
    return 0;
}

/* ---- recording ---- */

/* Check that the block and the warp exist. Returns the block's linear index, x first, or
 * UINT64_MAX with an error. */
static uint64_t block_number(const struct request *q, const struct recorded *r, struct err *e)
{
    const unsigned *at = q->at_block, *grid = r->grid;
    unsigned warps = (r->block[0] * r->block[1] * r->block[2] + 31) / 32;
    for (int i = 0; i < 3; i++)
        if (at[i] >= grid[i]) {
            err_set(e, ERR_USAGE, "--at %s: the grid has %u x %u x %u blocks, counted from 0",
                q->at, grid[0], grid[1], grid[2]);
            return UINT64_MAX;
        }
    if (q->warp_number >= warps) {
        err_set(e, ERR_USAGE, "--warp %s: a block has %u warp%s, counted from 0", q->warp, warps,
            plural_s(warps));
        return UINT64_MAX;
    }
    return at[0] + (uint64_t)grid[0] * (at[1] + (uint64_t)grid[1] * at[2]);
}

/* What a launch needs besides the kernel: for an exercise its inputs; for a user's own file the
 * launch shape and the arguments. */
struct inputs {
    struct instance *in;
    const struct launch_shape *shape;
    const void *const *args;
};

/* Launch and record one warp. *fault: the launch's error, if it failed. */
static struct recording *record_warp(const struct request *q, struct recorded *r, uint64_t block,
    int warp, const struct inputs *i, struct err *fault, int *bad)
{
    struct device *d = r->build.device;
    struct recording *of =
        recording_start(d, block, warp, INSTANTS_MAX, r->build.workbench->front.debug);
    *bad = i->in ? build_run(&r->build, q->step, i->in, RUN_PLAIN, NULL, fault)
                 : device_launch(d, r->kernel, i->shape, i->args, NULL, fault);
    recording_end(of, *bad ? fault : NULL, r->build.compiled.ptx);
    return of;
}

/* Record a warp in r->recording. Returns 0 if there is a recording, even if the kernel faulted. */
static int watch(const struct request *q, struct recorded *r, uint64_t block, int warp,
    const struct inputs *i, struct err *e)
{
    int bad;
    recording_free(r->recording);
    r->recording = record_warp(q, r, block, warp, i, &r->fault, &bad);
    if (bad && !recording_count(r->recording) && recording_fault_warp(r->recording) < 0) {
        *e = r->fault;
        return -1;
    }
    return 0;
}

/* Record the warp that the user has chosen. If the user has chosen none, record the first warp, or
 * another one that faults. For a race, record both warps. */
static int record(
    const struct request *q, struct recorded *r, const struct inputs *i, struct err *e)
{
    uint64_t block = block_number(q, r, e);
    struct err ignored;
    int pair[2], bad;
    if (block == UINT64_MAX || watch(q, r, block, (int)q->warp_number, i, e)) return -1;
    int other = recording_fault_warp(r->recording);
    if (!q->warp && other >= 0 && other != (int)q->warp_number && watch(q, r, block, other, i, e))
        return -1;
    for (int k = 0; recording_race(r->recording, pair) && k < 2; k++)
        if (pair[k] != recording_warp(r->recording))
            r->other[k] = record_warp(q, r, block, pair[k], i, &ignored, &bad);
    return 0;
}

static int record_lab(
    const struct request *q, struct workbench *w, struct recorded *r, struct err *e)
{
    struct instance in;
    struct launch_shape shape;
    int dims[DIMS];
    if (build_open(&r->build, w, q->lab, q->x, e)) return -1;
    const struct bound_kernel *b = &r->build.bound[q->step];
    memcpy(dims, b->step->dims, sizeof dims);
    if ((q->size && options_size(q->size, b->problem, dims, e)) || run_shape(b, dims, &shape, e))
        return -1;
    memcpy(r->grid, shape.grid, sizeof r->grid);
    memcpy(r->block, shape.block, sizeof r->block);
    r->kernel = b->kernel;
    instance_make(&in, b->problem, dims, 1);
    int bad = record(q, r, &(struct inputs){.in = &in}, e);
    instance_free(&in);
    return bad;
}

static int record_file(
    const struct request *q, struct workbench *w, struct recorded *r, struct err *e)
{
    struct arguments a = {0};
    struct launch_shape shape = {{0}};
    const void *args[ARGS_MAX];
    uint64_t shared = 0;
    if (options_extents("--grid", q->grid, r->grid, e) ||
        options_extents("--block", q->block, r->block, e) ||
        (q->shared && options_number("--shared", q->shared, 1 << 20, &shared, e)) ||
        build_open_file(&r->build, w, q->words[0], e) ||
        !(r->kernel = profile_kernel(r->build.module, q->kernel, q->words[0], e)))
        return -1;
    memcpy(shape.grid, r->grid, sizeof shape.grid);
    memcpy(shape.block, r->block, sizeof shape.block);
    shape.dynamic_shared = shared;
    int bad = arguments_place(
        &a, r->build.device, r->kernel, q->kernel, q->words[0], q->words + 1, q->count - 1, e);
    for (int i = 0; i < a.count; i++) args[i] = a.value[i];
    bad = bad || record(q, r, &(struct inputs){NULL, &shape, args}, e);
    arguments_free(&a);
    return bad ? -1 : 0;
}

/* Build, launch and record. debug: without optimization. */
static int record_build(
    const struct request *q, struct workbench *w, int debug, struct recorded *r, struct err *e)
{
    *r = (struct recorded){0};
    w->front.debug = debug;
    return q->lab ? record_lab(q, w, r, e) : record_file(q, w, r, e);
}

static void recorded_free(struct recorded *r)
{
    recording_free(r->recording);
    for (int k = 0; k < 2; k++) recording_free(r->other[k]);
    if (r->build.workbench) build_close(&r->build);
    *r = (struct recorded){0};
}

/* ---- output ---- */

/* Set the names of the kernel's parameters, if the debug information has all of them. */
static void name_parameters(struct step_session *s, const struct kernel *k)
{
    const struct param *params;
    int want = kernel_params(k, &params), n = 0;
    int line = recording_count(s->recording) ? recording_at(s->recording, 0)->ptx_line : 0;
    for (int i = 0; i < s->names.variable_count; i++) {
        const struct step_variable *v = &s->names.variables[i];
        if (v->parameter && line >= v->from && line < v->to && n < 32) s->parameters[n++] = v->name;
    }
    for (int i = 0; n != want && i < 32; i++) s->parameters[i] = NULL;
}

static struct step_session session_of(const struct request *q, const struct recorded *r, int debug)
{
    struct step_session s = {.recording = r->recording,
        .device = r->build.device,
        .file = r->build.compiled.file,
        .source = r->build.compiled.source,
        .ptx = r->build.compiled.ptx,
        .front = r->build.workbench->front.name,
        .kernel = q->lab ? q->x->steps[q->step].kernel : q->kernel,
        .debug = debug,
        .warp = recording_warp(r->recording)};
    memcpy(s.grid, r->grid, sizeof s.grid);
    memcpy(s.block, r->block, sizeof s.block);
    memcpy(s.at, q->at_block, sizeof s.at);
    if (debug) step_names_read(&s.names, s.ptx, r->kernel);
    name_parameters(&s, r->kernel);
    int pair[2];
    struct recording *both[2];
    for (int k = 0; k < 2; k++) both[k] = r->other[k] ? r->other[k] : r->recording;
    if (recording_race(r->recording, pair)) step_race_find(&s, both);
    return s;
}

static void print_steps(const struct request *q, struct step_session *s)
{
    struct buf out = {0};
    size_t stops = recording_stops(s->recording), from = q->first_step ? q->first_step - 1 : 0;
    step_race_text(s, &out);
    for (size_t i = from; i < stops && i < from + q->step_count; i++) step_text(s, i, &out);
    if (stops > from + q->step_count) buf_printf(&out, "... %zu steps in all\n", stops);
    if (out.len) fwrite(out.data, 1, out.len, stdout);
    buf_free(&out);
}

static int write_page(
    const struct request *q, const struct workbench *w, struct step_session *s, struct err *e)
{
    char *path = kit_path(&w->kit, "common/step/page.html"), *template = NULL;
    struct buf out = {0};
    int bad = file_read(path, 1 << 20, &template, NULL, e);
    if (!bad) {
        step_complete(s);
        step_page(s, template, PAGE_STOPS, &out);
        bad = file_write(q->html, out.data, out.len, e);
    }
    free(template);
    free(path);
    buf_free(&out);
    return bad;
}

static int print_json(struct step_session *s)
{
    struct buf out = {0};
    step_complete(s);
    step_json(s, PAGE_STOPS, &out);
    fwrite(out.data, 1, out.len, stdout);
    buf_free(&out);
    return 0;
}

static int show(
    const struct request *q, const struct workbench *w, struct step_session *s, struct err *e)
{
    if (!recording_stops(s->recording))
        return err_set(e, ERR_USAGE, "warp %d executes nothing in this block", s->warp);
    if (q->json) return print_json(s);
    if (q->html) return write_page(q, w, s, e);
    if (!q->steps && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) return step_terminal(s, e);
    /* the output of print_steps shows no counters */
    print_steps(q, s);
    return 0;
}

/* The arguments of count_optimised. */
struct later {
    const struct request *request;
    struct workbench *workbench;
};

/* Run the optimized build to its end, to show its counters beside those of the unoptimized
 * build. */
static void count_optimised(struct step_session *s)
{
    const struct later *l = s->later_ctx;
    struct workbench *w = l->workbench;
    struct recorded r;
    struct request same = *l->request;
    struct err ignored;
    char warp[16];
    snprintf(warp, sizeof warp, "%d", s->warp);
    same.warp = warp;
    same.warp_number = (uint64_t)s->warp;
    if (!record_build(&same, w, 0, &r, &ignored) && !recording_fault(r.recording) &&
        !recording_cut(r.recording)) {
        s->optimised = recording_state(r.recording, recording_count(r.recording))->so_far;
        s->has_optimised = 1;
    }
    recorded_free(&r);
}

int command_step(int argc, char **argv, struct err *e)
{
    struct request q = {.device = "sim:h200"};
    const struct option_spec specs[] = {{"--kernel", &q.kernel}, {"--grid", &q.grid},
        {"--block", &q.block}, {"--shared", &q.shared}, {"--device", &q.device},
        {"--front", &q.front}, {"--html", &q.html}, {"--json", &q.json, 1}, {"--lab", &q.lab_name},
        {"--exercise", &q.exercise}, {"--student", &q.student}, {"--size", &q.size},
        {"--at", &q.at}, {"--warp", &q.warp}, {"--optimised", &q.optimised, 1},
        {"--steps", &q.steps}, {"--from", &q.from}, {0}};
    struct workbench w;
    struct recorded r;
    const char *defines[DEFINES_MAX + 1];
    if ((argc = options_defines(argc, argv, defines, e)) < 0) return -1;
    q.count = options_parse(argc, argv, specs, q.words, ARGS_MAX + 1, e);
    if (q.count < 0 || read_numbers(&q, e) || check_request(&q, e) ||
        (q.lab && suspect_told_in(q.student, q.device, q.front, q.lab, q.x, e)))
        return -1;
    /* a user's own file needs no labs */
    struct workbench_options o = {
        .device = q.device, .front = q.front, .directory = q.lab ? q.student : "."};
    if (workbench_open(&w, &o, e)) return -1;
    w.front.defines = defines;
    if (!q.student) {
        free(w.directory);
        w.directory = kit_path(&w.kit, "labs");
    }
    int debug = !q.optimised, bad = record_build(&q, &w, debug, &r, e);
    if (bad && debug && e->kind != ERR_USAGE) {
        recorded_free(&r);
        debug = 0;
        bad = record_build(&q, &w, 0, &r, e);
    }
    if (!bad) {
        struct step_session s = session_of(&q, &r, debug);
        struct later later = {&q, &w};
        s.later_ctx = &later;
        s.later = debug ? count_optimised : NULL;
        bad = show(&q, &w, &s, e);
        step_names_free(&s.names);
    }
    recorded_free(&r);
    workbench_close(&w);
    return bad ? -1 : 0;
}
