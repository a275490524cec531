/* repair_goal.c - the proof of an edit: is the file with it right, and does it meet the step's
 * budgets?
 *
 *     edit right in its slots ── run with counters, small size: lower by as much as is needed?
 *              │                                       │ only if the kernel is right and misses a budget
 *              └── the file with the edit, compiled and run as the learner's is: right on each shape
 *                  of the check, and on several blocks? Then at the step's size: all budgets met?
 *
 * Of several edits that make a kernel right, one that also meets the budgets is what was meant. */
#include "explain/repair.h"
#include "judge/judge.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The tolerance for a budget, as a factor: counts scaled up from a sample of the blocks are off by
 * up to 2%. */
static const double NEAR = 1.02;
/* The counters of launches with more floating-point operations than this are those of a sample of
 * their blocks, scaled up. If blocks differ in their work, the result can be far off. */
static const double MANY = 4e8;
/* The longest side of a small size. SMALL_PRODUCT: for the rows and columns of a matrix product;
 * SMALL_SUM: for its k; SMALL: for other matrices; SMALL_VECTOR: for vectors. PICKED: the number of
 * multiprocessors whose blocks are the sample. */
enum { SMALL_PRODUCT = 128, SMALL_SUM = 32, SMALL = 256, SMALL_VECTOR = 1 << 15, PICKED = 4 };

/* Is a budget missed by more than the tolerance? */
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
        /* counts that grow with the grid are lower at a small size, so half of the required factor
         * is enough */
        double v = score_held(c->step, b, m, base), before = score_held(c->step, b, base, base);
        double by = here.limit / is, most = 1.1 * before * fmax(by, 0.5),
               least = before * fmin(by, 2) / 1.1;
        if (!(b->rule == AT_MOST ? v <= most && v < before : v >= least && v > before)) return 0;
    }
    return 1;
}

/* Is the output of a launch on these inputs right? The answer is computed after the run, from
 * inputs that a kernel may not have changed. */
static int is_answer(const struct instance *in)
{
    struct expected want = {0};
    struct difference d;
    expected_make(&want, in);
    int right = !compare_output(in, &want, in->data[in->problem->output], &d);
    expected_free(&want);
    return right;
}

int goal_count(
    struct bound_kernel *b, const struct step *s, int small, struct measurement *out, int *right)
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
    if (right) *right = product || bad || is_answer(&in);
    instance_free(&in);
    return bad;
}

/* The number of instructions after which a warp is stopped, because the kernel is far slower than
 * the reference; 0: no limit. */
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

/* A text, compiled and loaded as the learner's file is. */
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

/* Run the compiled text on one shape: is the output right? */
static int is_right_on(struct tried *t, const struct repair_case *c, const int *dims, uint64_t seed)
{
    struct instance in;
    struct err e;
    const struct problem *p = problem_find(c->step->problem);
    uint64_t before = device_settings(t->device)->executed;
    instance_make(&in, p, dims, seed);
    int right = !run_kernel(&t->bound, &in, NULL, &e);
    effort_ran(c, t->device, before, 0);
    right = right && is_answer(&in);
    instance_free(&in);
    return right;
}

/* If a block covers more than the shapes of the check have: set dims, one of these shapes, to
 * three blocks along each axis. Returns 0 if that is not needed. */
static int enlarge(const struct bound_kernel *b, int *dims)
{
    /* SIDE: the check has several shapes whose sides are at most this; LENGTH: the same for
     * vectors */
    enum { SIDE = 32, LENGTH = 1024 };
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

/* Is the compiled text right on each shape of the check, on each shape of the search and on a shape
 * of several blocks? If the unedited kernel fails only at the step's own size (c->whole), is it
 * right at that size, too? */
static int is_right(struct tried *t, const struct repair_case *c)
{
    const struct problem *p = problem_find(c->step->problem);
    int checks[SHAPES][DIMS], right = 1;
    struct rng rng;
    rng_seed(&rng, c->seed);
    int count = problem_shapes(p, c->step, &rng, checks, NULL);
    for (int i = 0; i < count && right; i++) right = is_right_on(t, c, checks[i], rng_u64(&rng));
    for (int i = 0; i < c->count && right; i++)
        if (memcmp(c->shapes[i], checks[i], sizeof *checks))
            right = is_right_on(t, c, c->shapes[i], c->seeds[i]);
    int *last = checks[count - 1];
    right = right && (!enlarge(&t->bound, last) || is_right_on(t, c, last, c->seed));
    return right && (!c->whole || is_right_on(t, c, c->step->dims, c->seed));
}

/* Run the compiled text with counters at the step's size. -1: it faulted, was stopped, or is wrong. */
static int tried_count(struct tried *t, const struct repair_case *c, struct measurement *counts)
{
    t->bound.budget = limit(&t->bound, c);
    uint64_t before = device_settings(t->device)->executed;
    int right, bad = goal_count(&t->bound, c->step, 0, counts, &right);
    effort_ran(c, t->device, before, 1);
    t->bound.budget = 0;
    return bad || !right ? -1 : 0;
}

/* Run the solution with counters, unless that was done before. Returns whether its counts are
 * known. */
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

/* Run the learner's unedited kernel with counters, unless that was done before. Returns whether its
 * counts are known; they are not if the kernel faults. */
static int know_own(const struct repair_case *c, struct goal *g)
{
    struct measurement own = {0};
    struct bound_kernel bound = *c->bound;
    if (g->own_is) return g->own_is == OWN_COUNTED;
    bound.budget = limit(&bound, c);
    uint64_t before = device_settings(bound.device)->executed;
    g->own_is = goal_count(&bound, c->step, 0, &own, NULL) ? OWN_FAULTS : OWN_COUNTED;
    effort_ran(c, bound.device, before, 1);
    g->own = own.metrics;
    measurement_free(&own);
    return g->own_is == OWN_COUNTED;
}

/* Does the edit lose a budget: is there a budget that the unedited kernel meets and the counts m
 * miss? A ratio is compared with the budget's own limit. A wrong kernel that leaves out work has
 * lower totals, so a total may exceed its limit by the factor MUCH; totals are not compared at all
 * if a part of the output is not written. An unedited kernel that faults counts as meeting all
 * budgets; then each limit, and the solution's time, may be exceeded by MUCH. */
static int is_lost(const struct repair_case *c, const struct measurement *m)
{
    static const double MUCH = 1.5;
    const struct goal *g = c->goal;
    int counted = know_own(c, c->goal), part = counted && c->found.kind == FOUND_NOT_WRITTEN;
    int lost = !counted && m->ms > MUCH * g->ms;
    for (const struct budget *b = c->step->budgets; b && b->why; b++) {
        int total = b->metric < METRIC_GLD_SECTORS_PER_REQUEST && b->limit > 0;
        struct budget here = total || !counted ? score_here(c->step, b, &g->metrics) : *b;
        if (total && part) continue;
        int met = !counted || score_budget(&here, score_value(b->metric, &g->own, NULL));
        if (total || !counted) here.limit *= b->rule == AT_MOST ? MUCH : 1 / MUCH;
        lost |= met && !score_budget(&here, score_value(b->metric, &m->metrics, NULL));
    }
    return lost;
}

/* Run a kernel that is right with counters, at the step's size. Returns how good it is. */
static enum goal_is is_met(struct tried *t, const struct repair_case *c)
{
    struct measurement counts = {0};
    struct goal *g = c->goal;
    enum goal_is is = GOAL_NOT;
    if (!tried_count(t, c, &counts)) {
        int met = !is_missed(c->step, &counts.metrics, &g->metrics);
        int fast = c->now || counts.ms <= SCORE_SPEED * g->ms;
        if (met && fast)
            is = GOAL_MET;
        else if (c->now || !is_lost(c, &counts))
            is = GOAL_RIGHT;
    }
    measurement_free(&counts);
    return is;
}

static void *know_apart(void *c)
{
    know(c, ((const struct repair_case *)c)->goal);
    return NULL;
}

enum goal_is goal_meets(
    const struct repair_case *c, const struct code *code, const struct edit *x, int counts)
{
    /* Seconds of effort that must be left to begin a run with counters: BOTH for two kernels, ONE
     * for one kernel, which is what that usually takes. OVER: the same for an edit that is not the
     * solution's. Its counters are taken even if somewhat too much effort was spent, since such an
     * edit may undo what the exercise asks for and is not reported without them. */
    static const double BOTH = 1.2, ONE = 0.5, OVER = -1;
    struct buf text = {0};
    struct tried t;
    struct goal *g = c->goal;
    if (c->host) return GOAL_MET;
    edit_apply(code->text, x, 0, strlen(code->text), &text);
    double both = x->solves ? BOTH : OVER, one = x->solves ? ONE : OVER;
    int time = c->now || (g && effort_left(c) >= (g->known ? one : both));
    /* in a handout there is no solution to compare with */
    int known = counts && g && (g->known || g->solution);
    pthread_t other;
    int apart =
        known && time && g->solution && !pthread_create(&other, NULL, know_apart, (void *)c);
    enum goal_is is = !tried_open(&t, c, text.data) && is_right(&t, c) ? GOAL_UNCOUNTED : GOAL_NOT;
    if (apart) pthread_join(other, NULL);
    int counted = known && time && is != GOAL_NOT && know(c, g);
    if (counted && (c->now || effort_left(c) >= one))
        is = is_met(&t, c);
    else if (known && is == GOAL_UNCOUNTED && !x->solves)
        is = GOAL_NOT;
    tried_close(&t);
    buf_free(&text);
    return is;
}
