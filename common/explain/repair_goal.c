/* repair_goal.c - the proof of an edit: is the file with it right, and within its step's budgets?
 *
 *     edit right in its slots ── counted at a small size: lower by as much as is needed?
 *              │                                       │ only where the kernel is right and over budget
 *              └── the file with the edit, compiled and run as the learner's is: right on each shape
 *                  of the check, and on several blocks? Then at the step's size: all budgets met?
 *
 * Where several edits make a kernel right, the one that keeps to the budgets is what was meant. */
#include "explain/repair.h"
#include "judge/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A sample of the blocks is scaled up, so it is only this exact. */
static const double NEAR = 1.02;
/* Operations of a launch above which a sample is counted. Where blocks differ it can be far off. */
static const double MANY = 4e8;
/* The longest side of a small size, for: products, their sums, other matrices, vectors; then the
 * multiprocessors of a sample. */
enum { SMALL_PRODUCT = 128, SMALL_SUM = 32, SMALL = 256, SMALL_VECTOR = 1 << 15, PICKED = 4 };

/* Is a budget missed by more than the error of a sample of the blocks? */
static int is_missed(const struct step *s, const struct metrics *m, const struct metrics *reference)
{
    int missed = 0;
    for (const struct budget *b = s->budgets; b && b->why; b++) {
        double v = score_held(s, b, m, reference), limit = score_here(s, b, reference).limit;
        missed |= !(b->rule == AT_MOST ? v <= limit * NEAR : v >= limit / NEAR);
    }
    return missed;
}

int goal_nearer(const struct repair_case *c, const struct metrics *m, const struct metrics *base)
{
    for (const struct budget *b = c->step->budgets; b && b->why; b++) {
        const struct budget here = score_here(c->step, b, &c->goal->metrics);
        double is = score_held(c->step, b, c->now, &c->goal->metrics);
        if (score_budget(&here, is)) continue;
        /* counts that grow with the grid are lower at a small size, so half the factor is enough */
        double v = score_held(c->step, b, m, base), before = score_held(c->step, b, base, base);
        double by = here.limit / is, most = 1.1 * before * fmax(by, 0.5),
               least = before * fmin(by, 2) / 1.1;
        if (!(b->rule == AT_MOST ? v <= most && v < before : v >= least && v > before)) return 0;
    }
    return 1;
}

int goal_count(struct bound_kernel *b, const struct step *s, int small, struct measurement *out)
{
    struct instance in;
    struct launch_shape shape;
    struct err e;
    int dims[DIMS] = {0};
    const struct problem *p = problem_find(s->problem);
    const struct model_profile *gpu = device_profile(b->device);
    int product = !strcmp(p->unit, "GFLOPS");
    for (int d = 0; d < problem_dims(p); d++) {
        int most = product && d == 1 ? SMALL_SUM : product ? SMALL_PRODUCT : SMALL;
        if (!p->two_dimensional) most = SMALL_VECTOR;
        for (dims[d] = s->dims[d]; small && dims[d] > most;) dims[d] /= 2;
    }
    instance_make(&in, p, dims, 1);
    if (gpu && p->useful(dims) > MANY && !run_shape(b, dims, &shape, &e) &&
        (double)shape.grid[0] * shape.grid[1] >= gpu->sms)
        b->sample_sms = PICKED;
    *out = (struct measurement){0};
    int bad = run_kernel(b, &in, out, &e);
    b->sample_sms = 0;
    instance_free(&in);
    return bad;
}

/* The instructions of a warp after which a kernel is far from the reference and is stopped. */
static uint64_t limit(const struct bound_kernel *b, const struct repair_case *c)
{
    static const double FAR = 20, LEAST = 4096;
    struct launch_shape shape;
    struct err e;
    if (!c->goal->known || run_shape(b, c->step->dims, &shape, &e)) return 0;
    double warps = (double)shape.grid[0] * shape.grid[1] * (b->block[0] * b->block[1] + 31) / 32;
    double inst = c->goal->metrics.v[METRIC_INST];
    return isnan(inst) || warps < 1 ? 0 : (uint64_t)(LEAST + FAR * inst / warps);
}

/* A file's text, compiled and loaded as the learner's file is. */
struct tried {
    struct compiled compiled;
    struct device *device;
    struct module *module;
    struct bound_kernel bound;
};

static int tried_open(struct tried *t, const struct repair_case *c, const char *text)
{
    struct err e;
    const char *file = c->compiled->file;
    *t = (struct tried){0};
    compile_text(&c->workbench->kit, &c->workbench->front, file, text, &t->compiled);
    effort_compiled(c, strlen(text));
    return t->compiled.status != COMPILE_OK || device_open(c->workbench->name, &t->device, &e) ||
           device_load(t->device, t->compiled.ptx, file, file, &t->module, &e) ||
           run_bind(&t->bound, t->device, t->module, c->step, file, &e);
}

static void tried_close(struct tried *t)
{
    if (t->module) device_unload(t->device, t->module);
    if (t->device) device_close(t->device);
    compiled_free(&t->compiled);
}

/* Is it right on a shape? */
static int is_right_on(struct tried *t, const struct repair_case *c, const int *dims, uint64_t seed)
{
    struct instance in;
    struct expected want = {0};
    struct err e;
    const struct problem *p = problem_find(c->step->problem);
    uint64_t before = device_settings(t->device)->executed;
    instance_make(&in, p, dims, seed);
    int right = !run_kernel(&t->bound, &in, NULL, &e);
    effort_ran(c, t->device, before, 0);
    if (right) {
        expected_make(&want, &in); /* for the inputs, which a kernel may not change */
        right = compare_share(&in, &want, in.data[p->output]) == 1;
    }
    expected_free(&want);
    instance_free(&in);
    return right;
}

/* If a block covers more than the check's shapes: change dims, one of these, to a shape of three
 * blocks along each axis. Returns 0 if there is no need. */
static int enlarge(const struct bound_kernel *b, int *dims)
{
    enum { SIDE = 32, LENGTH = 1024 }; /* the check has several shapes up to these */
    const struct problem *p = b->problem;
    int covers = (int)fmax(b->covers[0], b->covers[1]), larger = 0;
    for (int d = 0; d < problem_dims(p) && covers > (p->two_dimensional ? SIDE : LENGTH); d++) {
        int depth = problem_dims(p) == 3 && d == 1;
        int parameter = p->parameter_dim && d == p->parameter_dim;
        if (b->step->fixed[d] || b->step->most[d] || depth || parameter) continue;
        dims[d] = 2 * covers + 23;
        larger = 1;
    }
    return larger;
}

/* Is it right on each shape of the check, on those of the search, and on several blocks? */
static int is_right(struct tried *t, const struct repair_case *c)
{
    const struct problem *p = problem_find(c->step->problem);
    int checks[SHAPES][DIMS], right = 1;
    struct rng rng;
    rng_seed(&rng, c->seed);
    int count = problem_shapes(p, c->step, &rng, checks);
    for (int i = 0; i < count && right; i++) right = is_right_on(t, c, checks[i], rng_u64(&rng));
    for (int i = 0; i < c->count && right; i++)
        if (memcmp(c->shapes[i], checks[i], sizeof *checks))
            right = is_right_on(t, c, c->shapes[i], c->seeds[i]);
    int *last = checks[count - 1];
    return right && (!enlarge(&t->bound, last) || is_right_on(t, c, last, c->seed));
}

/* Count it at the step's size. Returns 0; 1: it fails. */
static int tried_count(struct tried *t, const struct repair_case *c, struct measurement *counts)
{
    t->bound.budget = limit(&t->bound, c);
    uint64_t before = device_settings(t->device)->executed;
    int bad = goal_count(&t->bound, c->step, 0, counts);
    effort_ran(c, t->device, before, 1);
    t->bound.budget = 0;
    return bad;
}

/* Count the solution, if it is not counted yet. Returns whether its counts are known. */
static int know(const struct repair_case *c, struct goal *g)
{
    struct measurement counts = {0};
    struct tried t;
    if (!g->solution) return g->known;
    g->known = !tried_open(&t, c, g->solution) && !tried_count(&t, c, &counts);
    tried_close(&t);
    g->metrics = counts.metrics, g->ms = counts.ms;
    measurement_free(&counts);
    free(g->solution);
    g->solution = NULL;
    return g->known;
}

/* Count the unedited kernel, once. Returns whether its counts are known: it may fault. */
static int know_own(const struct repair_case *c, struct goal *g)
{
    struct measurement own = {0};
    struct bound_kernel bound = *c->bound;
    if (g->own_is) return g->own_is == OWN_COUNTED;
    bound.budget = limit(&bound, c);
    uint64_t before = device_settings(bound.device)->executed;
    g->own_is = goal_count(&bound, c->step, 0, &own) ? OWN_FAULTS : OWN_COUNTED;
    effort_ran(c, bound.device, before, 1);
    g->own = own.metrics;
    measurement_free(&own);
    return g->own_is == OWN_COUNTED;
}

/* Does the unedited kernel meet a budget that these counts miss? Only ratios of its own counts and
 * budgets of 0 are compared: a kernel that leaves out work has lower totals. */
static int is_lost(const struct repair_case *c, const struct metrics *m)
{
    const struct goal *g = c->goal;
    int lost = 0;
    for (const struct budget *b = c->step->budgets; b && b->why && know_own(c, c->goal); b++)
        if (b->metric >= METRIC_GLD_SECTORS_PER_REQUEST || !b->limit)
            lost |= score_budget(b, score_value(b->metric, &g->own, NULL)) &&
                    !score_budget(b, score_value(b->metric, m, NULL));
    return lost;
}

/* The same where it is right: counted. */
static int is_met(struct tried *t, const struct repair_case *c)
{
    struct measurement counts = {0};
    struct goal *g = c->goal;
    int is = tried_count(t, c, &counts) ? -1 : !is_missed(c->step, &counts.metrics, &g->metrics);
    if (!is && !c->now && is_lost(c, &counts.metrics)) is = -1;
    if (is > 0 && !c->now) is = counts.ms <= SCORE_SPEED * g->ms;
    measurement_free(&counts);
    return is;
}

int goal_meets(const struct repair_case *c, const struct code *code, const struct edit *x)
{
    /* seconds of effort that counting usually takes at most */
    static const double BOTH = 1.2, ONE = 0.5;
    struct buf text = {0};
    struct tried t;
    struct goal *g = c->goal;
    if (c->host) return 1;
    edit_apply(code->text, x, 0, strlen(code->text), &text);
    int is = !tried_open(&t, c, text.data) && is_right(&t, c) ? 1 : -1;
    int time = c->now || (g && effort_left(c) >= (g->known ? ONE : BOTH));
    int counted = g && time && is > 0 && know(c, g);
    if (counted && (c->now || effort_left(c) >= ONE)) is = is_met(&t, c);
    tried_close(&t);
    buf_free(&text);
    return is;
}
