/* repair_run.c - run the kernel with an edit: on which shapes is it right?
 *
 *     slots ── one compiler run ──> a kernel that contains all edits; lockstep_pick chooses one
 *     other edits (#define, types) ── another, at the same time ──> namespace v17 { ... }, v18, ...
 *                                          two workers, each with a device of its own, take edit after edit
 *
 * Of the shapes that fail, the one that is cheapest to run is tried first. If the compiler
 * rejects choices or variants, it is run again without them. */
#include "explain/repair.h"
#include "judge/judge.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 2, ROUNDS = 8 };

/* What one thread uses to run edits. */
struct worker {
    struct bench *bench;
    struct device *device;
    struct module *slots, *variants;
    struct bound_kernel bound;
    dev_ptr pick;
    int *zeros; /* host copy of the kernel's array lockstep_pick, all 0 between runs */
    int bad;    /* 1: the worker could not be opened */
};

struct bench {
    const struct repair_case *of;
    const struct code *code;
    struct slots *list;
    const struct edits *edits;
    const struct problem *problem;
    struct front front;
    struct instance in[SHAPES];
    struct expected want[SHAPES];
    int first; /* index of the shape that is tried first */
    /* 1 if the unedited kernel runs to its end on shape `first`: edits are then first run without
     * checks for races and the like, and again with them if the result is right */
    int silent;
    /* if the kernel is right but misses a budget: its counts at a small size */
    struct metrics base;
    int based;
    struct compiled slots, variants;
    int which[VARIANTS], lines[VARIANTS], refused[VARIANTS], variant_count;
    struct worker workers[WORKERS];
    /* arguments of the current call of bench_try */
    const struct edit *const *trying;
    char *right; /* for each of these edits: every result was right */
    int count;
    double until;
    atomic_int next, found;
};

/* ---- compile ---- */

/* The line of the next error in the compiler's output; 0: no more errors. *at: where to
 * continue. */
static int error_line(const struct compiled *c, const char **at)
{
    size_t name = strlen(c->file);
    while (**at) {
        const char *line = *at, *end = line + strcspn(line, "\n"), *error = strstr(line, " error:");
        *at = *end ? end + 1 : end;
        if (!strncmp(line, c->file, name) && strchr(":(", line[name]) && error && error < end)
            return atoi(line + name + 1);
    }
    return 0;
}

/* Mark the choice on a line of the compiled text as refused; if there is none, as when two choices
 * of a slot have different types, all choices of the innermost slot around the line. Returns
 * whether a choice was marked that was not marked before. */
static int refuse(struct slots *s, int line)
{
    struct slot *in = NULL;
    for (size_t i = 0; i < s->count; i++) {
        struct slot *x = &s->list[i];
        for (size_t k = 0; k < x->count; k++) {
            int lines = 0;
            for (const char *t = x->choices[k].text; *t; t++) lines += *t == '\n';
            if (!x->choices[k].line || line < x->choices[k].line ||
                line > x->choices[k].line + lines)
                continue;
            int known = x->choices[k].refused;
            x->choices[k].refused = 1;
            return !known;
        }
        if (line >= x->from && line <= x->to && (!in || x->from >= in->from)) in = x;
    }
    int more = 0;
    for (size_t k = 0; in && k < in->count; k++) {
        more |= !in->choices[k].refused;
        in->choices[k].refused = 1;
    }
    return more;
}

static void compile(struct bench *b, const struct buf *text, struct compiled *out)
{
    compiled_free(out);
    compile_text(&b->of->workbench->kit, &b->front, b->of->compiled->file, text->data, out);
    effort_compiled(b->of, text->len);
}

static void compile_slots(struct bench *b)
{
    for (int round = 0, again = 1; round < ROUNDS && again; round++) {
        struct buf text = {0};
        slots_write(b->list, b->of->step->kernel, &text);
        compile(b, &text, &b->slots);
        const char *at =
            b->slots.status == COMPILE_BAD && b->slots.output.data ? b->slots.output.data : "";
        again = 0;
        for (int line; (line = error_line(&b->slots, &at));) again |= refuse(b->list, line);
        buf_free(&text);
    }
}

/* ---- the text of variants: copies of the kernel, one for each edit that fits in no slot ---- */

static int touches(const struct code *c, const struct item *x, const struct edit *e)
{
    size_t first = c->tokens[x->first].at, end = c->tokens[x->last].at + c->tokens[x->last].len;
    for (int i = 0; i < e->count; i++)
        if (e->splices[i].at >= first && e->splices[i].at < end) return 1;
    return 0;
}

static void put_item(struct bench *b, const struct item *x, const struct edit *e, struct buf *text)
{
    const struct code *c = b->code;
    edit_apply(
        c->text, e, c->tokens[x->first].at, c->tokens[x->last].at + c->tokens[x->last].len, text);
    buf_add(text, "\n", 1);
}

/* Append the #defines that an edit changes. changed: append them as they are after the edit; else
 * as they are in the file. */
static void put_defines(struct bench *b, const struct edit *e, int changed, struct buf *text)
{
    const struct code *c = b->code;
    for (int i = 0; i < c->item_count; i++) {
        const struct item *x = &c->items[i];
        if ((x->kind != ITEM_DEFINE && x->kind != ITEM_MACRO) || !touches(c, x, e)) continue;
        buf_printf(text, "#undef %.*s\n", WORD(c, x->name));
        put_item(b, x, changed ? e : NULL, text);
    }
}

/* Is the item one that all variants share? A tensor map is found by its name, which a namespace would
 * change. */
static int is_shared(const struct code *c, const struct item *x)
{
    return x->kind == ITEM_DEFINE || x->kind == ITEM_VARIABLE ||
           c->tokens[x->first].kind == TOKEN_DIRECTIVE || code_is(c, x->first, "TENSOR_MAP");
}

/* Append the functions that the kernel uses, and its LAUNCH line, in a namespace. A macro adds
 * the variant's number to the kernel's name. */
static void put_variant(struct bench *b, int number, struct buf *text)
{
    const struct code *c = b->code;
    const struct edit *e = &b->edits->list[number];
    const char *kernel = b->of->step->kernel;
    put_defines(b, e, 1, text);
    buf_printf(text, "#define %s %s_%d\nnamespace v%d {\n", kernel, kernel, number, number);
    for (int i = 0; i < c->item_count; i++) {
        const struct item *x = &c->items[i];
        if (x->kind == ITEM_LAUNCH && code_is(c, x->name, kernel)) {
            struct buf line = {0};
            edit_apply(c->text, e, c->tokens[x->name].at + strlen(kernel),
                c->tokens[x->last].at + 1, &line);
            buf_printf(text, "%s(%s_%d%s\n",
                code_is(c, x->first, "LAUNCH") ? "LAUNCH" : "LAUNCH_SHARED", kernel, number,
                line.data);
            buf_free(&line);
        } else if ((x->kind == ITEM_FUNCTION && x->used) ||
                   (x->kind == ITEM_OTHER && !is_shared(c, x))) {
            put_item(b, x, e, text);
        }
    }
    buf_printf(text, "}\n#undef %s\n", kernel);
    put_defines(b, e, 0, text);
}

static void write_variants(struct bench *b, struct buf *text)
{
    const struct code *c = b->code;
    for (int i = 0; i < c->item_count; i++)
        if (is_shared(c, &c->items[i])) put_item(b, &c->items[i], NULL, text);
    for (int i = 0; i < b->variant_count; i++) {
        b->lines[i] = 1;
        for (size_t k = 0; k < text->len; k++) b->lines[i] += text->data[k] == '\n';
        if (!b->refused[i]) put_variant(b, b->which[i], text);
    }
}

static void *compile_variants(void *context)
{
    struct bench *b = context;
    for (size_t i = 0; i < b->edits->count && b->variant_count < VARIANTS; i++)
        if (b->edits->list[i].place_count < 0) b->which[b->variant_count++] = (int)i;
    for (int round = 0, again = b->variant_count > 0; round < ROUNDS && again; round++) {
        struct buf text = {0};
        write_variants(b, &text);
        compile(b, &text, &b->variants);
        const char *at = b->variants.status == COMPILE_BAD && b->variants.output.data
                             ? b->variants.output.data
                             : "";
        again = 0;
        for (int line; (line = error_line(&b->variants, &at));) {
            int i = b->variant_count - 1;
            while (i > 0 && b->lines[i] > line) i--;
            again |= !b->refused[i];
            b->refused[i] = 1;
        }
        buf_free(&text);
    }
    return NULL;
}

/* ---- run ---- */

/* How many instructions a warp may execute: many times what a thread's outputs need. The limit
 * stops endless loops. */
static uint64_t limit(const struct bench *bench, const struct bound_kernel *b, const int *dims)
{
    /* In warp instructions: LEAST for every kernel; for each output of a thread, TILE, which is
     * enough to set a tile to zero, and EACH for each useful operation of that output. MOST: the
     * most outputs per thread for which this is added. */
    static const double LEAST = 16384, EACH = 100, TILE = 1000, MOST = 256;
    /* In warp instructions, for host C, which runs as one thread: ALONE for every function, and ALL
     * for each useful operation */
    static const double ALONE = 1e6, ALL = 200;
    long x, y;
    if (bench->of->host) return (uint64_t)(ALONE + ALL * b->problem->useful(dims));
    b->problem->extents(dims, &x, &y);
    double outputs = (double)(b->covers[0] * b->covers[1]) / (b->block[0] * b->block[1]);
    if (outputs > MOST) outputs = MOST;
    return (uint64_t)(LEAST + outputs * (TILE + EACH * b->problem->useful(dims) / (double)(x * y)));
}

/* Run the kernel on a shape. 1: every element is right; 0: some are wrong; -1: the kernel faulted. */
static int run_on(struct worker *w, struct bound_kernel *bound, int shape)
{
    struct bench *b = w->bench;
    struct instance in = b->in[shape];
    struct err e = {0};
    int output = b->problem->output;
    in.data[output] = xcalloc(instance_bytes(&in, output), 1);
    uint64_t before = device_settings(bound->device)->executed;
    bound->budget = limit(b, bound, in.dims);
    struct difference d;
    int right = -1;
    if (!run_kernel(bound, &in, NULL, &e))
        right = !compare_output(&in, &b->want[shape], in.data[output], &d);
    effort_ran(b->of, bound->device, before, 0);
    free(in.data[output]);
    return right;
}

int bench_fails(struct repair_case *c)
{
    /* seconds of effort after which no further shape is run, once the kernel was wrong on one */
    static const double ENOUGH = 0.2;
    struct bench b = {.of = c, .problem = problem_find(c->step->problem)};
    struct worker w = {.bench = &b};
    struct bound_kernel bound = *c->bound;
    int fails = c->host != NULL;
    double start = effort_done(c);
    c->partly = 0;
    for (int i = 0; i < c->count && !c->host; i++) {
        if (fails && (c->partly || effort_done(c) - start > ENOUGH)) break;
        instance_make(&b.in[i], b.problem, c->shapes[i], c->seeds[i]);
        expected_make(&b.want[i], &b.in[i]);
        int right = run_on(&w, &bound, i) == 1;
        fails |= !right;
        c->partly |= right;
        instance_free(&b.in[i]);
        expected_free(&b.want[i]);
    }
    return fails;
}

/* Run the bound kernel on all shapes. Is every result right and, if a budget is the goal, are the
 * counts nearer to it? */
static int run_shapes(struct worker *w, struct bound_kernel *bound)
{
    struct bench *b = w->bench;
    device_settings(w->device)->unchecked = b->silent;
    int right = run_on(w, bound, b->first) == 1;
    device_settings(w->device)->unchecked = 0;
    for (int k = 0; k < b->of->count && right; k++)
        if (k != b->first || b->silent) right = run_on(w, bound, k) == 1;
    struct measurement m;
    bound->budget = 0;
    if (!b->of->now || !right) return right;
    uint64_t before = device_settings(w->device)->executed;
    right = !goal_count(bound, b->of->step, 1, &m, NULL) &&
            (!b->based || goal_nearer(b->of, &m.metrics, &b->base));
    if (!b->based) b->base = m.metrics;
    effort_ran(b->of, w->device, before, 1);
    measurement_free(&m);
    return right;
}

static int run_variant(struct worker *w, int number)
{
    struct bench *b = w->bench;
    struct step step = *b->of->step;
    struct bound_kernel bound;
    struct err e;
    char *kernel = xasprintf("%s_%d", step.kernel, number);
    step.kernel = kernel;
    int right = w->variants &&
                !run_bind(&bound, w->device, w->variants, &step, b->of->compiled->file, &e) &&
                run_shapes(w, &bound);
    free(kernel);
    return right;
}

/* Run the kernel with an edit. Returns what run_shapes does. */
static int run_edit(struct worker *w, const struct edit *x)
{
    struct bench *b = w->bench;
    struct bound_kernel bound = w->bound;
    struct err e;
    if (x->place_count < 0) return run_variant(w, (int)(x - b->edits->list));
    for (int i = 0; i < x->place_count; i++) {
        const struct slot *s = &b->list->list[x->places[i].slot];
        if (x->places[i].choice && s->choices[x->places[i].choice - 1].refused) return 0;
    }
    for (int i = 0; i < x->place_count; i++) w->zeros[x->places[i].slot] = x->places[i].choice;
    int bad =
        device_copy_in(w->device, w->pick, w->zeros, (b->list->count + 1) * sizeof *w->zeros, &e);
    for (int i = 0; i < x->place_count; i++) w->zeros[x->places[i].slot] = 0;
    return !bad && run_shapes(w, &bound);
}

static int load(struct worker *w)
{
    struct bench *b = w->bench;
    const struct repair_case *c = b->of;
    const char *file = c->compiled->file;
    size_t bytes;
    struct err e = {0};
    w->zeros = xcalloc(b->list->count + 1, sizeof *w->zeros);
    if (b->slots.status != COMPILE_OK || device_open(c->workbench->name, &w->device, &e)) return -1;
    device_settings(w->device)->threads = 1;
    /* A kernel with choices copies registers that an asynchronous product still uses. That is not
     * reported as a fault, unless the search is about such a fault. */
    int flown = c->found.kind == FOUND_PRODUCT;
    device_settings(w->device)->uncounted = !c->now;
    device_settings(w->device)->load_uncounted = !c->now && !flown;
    if (device_load(w->device, b->slots.ptx, file, file, &w->slots, &e) ||
        run_bind(&w->bound, w->device, w->slots, c->step, file, &e))
        return -1;
    if (b->variants.status == COMPILE_OK && b->variants.ptx &&
        device_load(w->device, b->variants.ptx, file, file, &w->variants, &e))
        w->variants = NULL;
    w->pick = module_variable(w->slots, "lockstep_pick", &bytes);
    return w->pick ? 0 : -1;
}

static void *worker_open(void *context)
{
    struct worker *w = context;
    w->bad = load(w);
    return NULL;
}

static void worker_close(struct worker *w)
{
    if (w->slots) device_unload(w->device, w->slots);
    if (w->variants) device_unload(w->device, w->variants);
    if (w->device) device_close(w->device);
    free(w->zeros);
}

static void *work(void *context)
{
    struct worker *w = context;
    struct bench *b = w->bench;
    for (int i; !atomic_load(&b->found) && effort_done(b->of) < b->until;) {
        if ((i = atomic_fetch_add(&b->next, 1)) >= b->count) break;
        b->right[i] = (char)run_edit(w, b->trying[i]);
        if (b->right[i]) atomic_store(&b->found, 1);
    }
    return NULL;
}

int bench_try(struct bench *b, const struct edit *const *which, int count, double until)
{
    pthread_t other;
    int first = 0;
    b->trying = which, b->count = count, b->until = until;
    b->right = xcalloc((size_t)count + 1, 1);
    atomic_store(&b->next, 0);
    atomic_store(&b->found, 0);
    int apart = !pthread_create(&other, NULL, work, &b->workers[1]);
    work(&b->workers[0]);
    if (apart) pthread_join(other, NULL);
    while (first < count && !b->right[first]) first++;
    free(b->right);
    return first < count ? first : -1;
}

/* ---- opening a bench ---- */

/* The index of the shape that is cheapest to run, among those on which the unedited kernel is
 * wrong; -1: there are none. */
static int cheapest(struct bench *b)
{
    int best = -1, silent = 0;
    struct edit none = {0};
    for (int i = 0; i < b->of->count; i++) {
        double useful = b->problem->useful(b->of->shapes[i]);
        if (best >= 0 && useful >= b->problem->useful(b->of->shapes[best])) continue;
        struct bound_kernel bound = b->workers[0].bound;
        int is = run_on(&b->workers[0], &bound, i);
        if (is < 1) best = i, silent = !is;
    }
    b->silent = silent;
    if (best >= 0 || !b->of->now) return best;
    b->first = 0;
    b->based = run_edit(&b->workers[0], &none);
    return b->based ? 0 : -1;
}

struct bench *bench_open(
    const struct repair_case *c, const struct code *code, struct slots *slots, struct edits *l)
{
    struct bench *b = xcalloc(1, sizeof *b);
    pthread_t other;
    *b = (struct bench){.of = c,
        .code = code,
        .list = slots,
        .edits = l,
        .problem = problem_find(c->step->problem)};
    b->front = c->workbench->front;
    b->front.quick = 1;
    int apart = !pthread_create(&other, NULL, compile_variants, b);
    compile_slots(b);
    for (int i = 0; i < c->count; i++) {
        instance_make(&b->in[i], b->problem, c->shapes[i], c->seeds[i]);
        expected_make(&b->want[i], &b->in[i]);
    }
    if (apart) pthread_join(other, NULL);
    for (int i = 0; i < WORKERS; i++) b->workers[i].bench = b;
    apart = !pthread_create(&other, NULL, worker_open, &b->workers[1]);
    worker_open(&b->workers[0]);
    if (apart)
        pthread_join(other, NULL);
    else
        worker_open(&b->workers[1]);
    if (!b->workers[0].bad && !b->workers[1].bad && (b->first = cheapest(b)) >= 0) return b;
    bench_close(b);
    return NULL;
}

void bench_close(struct bench *b)
{
    for (int i = 0; i < WORKERS; i++) worker_close(&b->workers[i]);
    for (int i = 0; i < b->of->count; i++) {
        instance_free(&b->in[i]);
        expected_free(&b->want[i]);
    }
    compiled_free(&b->slots);
    compiled_free(&b->variants);
    free(b);
}
