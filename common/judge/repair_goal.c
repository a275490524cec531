/* repair_goal.c - does an edit keep a kernel within its step's budgets, or bring it there?
 *
 *     edit right on every shape ── the slots, counted at a small size: lower by as much as is needed?
 *              │                                       │ only where the kernel is right and over budget
 *              └── the file with the edit, compiled as it is, at the step's size: all budgets met?
 *
 * Where several edits make a kernel right, the one that keeps to the budgets is what was meant. */
#include "judge/repair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A sample of the blocks is scaled, so it is no more exact than this. */
static const double NEAR = 1.02;
/* Operations of a launch above which a sample is counted. Where blocks differ it can be far off. */
static const double MANY = 4e8;
/* The longest side of a small size: of products and their sums, other matrices, vectors; multiprocessors of a
 * sample. */
enum { SMALL_PRODUCT = 128, SMALL_SUM = 32, SMALL = 256, SMALL_VECTOR = 1 << 15, PICKED = 4 };

/* Is a budget missed, by more than a sample of the blocks can tell? */
static int is_missed(const struct step *s, const struct metrics *m, const struct metrics *reference)
{
    int missed = 0;
    for (const struct budget *b = s->budgets; b && b->why; b++) {
        double v = score_held(s, b, m, reference);
        missed |= !(b->rule == AT_MOST ? v <= b->limit * NEAR : v >= b->limit / NEAR);
    }
    return missed;
}

int goal_nearer(const struct repair_case *c, const struct metrics *m, const struct metrics *base)
{
    for (const struct budget *b = c->step->budgets; b && b->why; b++) {
        double is = score_held(c->step, b, c->now, &c->goal->metrics);
        if (score_budget(b, is)) continue;
        /* what grows with the grid is less at a small size, so half of it will do */
        double v = score_held(c->step, b, m, base), before = score_held(c->step, b, base, base);
        double most = 1.1 * before * fmax(b->limit / is, 0.5), least = before * fmin(b->limit / is, 2) / 1.1;
        if (!(b->rule == AT_MOST ? v <= most && v < before : v >= least && v > before)) return 0;
    }
    return 1;
}

int goal_count(struct bound *b, const struct step *s, int small, struct measurement *out)
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

/* The instructions of a warp above which a kernel is far from the reference, and ends. */
static uint64_t limit(const struct bound *b, const struct repair_case *c)
{
    static const double FAR = 20, LEAST = 4096;
    struct launch_shape shape;
    struct err e;
    if (!c->goal->known || run_shape(b, c->step->dims, &shape, &e)) return 0;
    double warps = (double)shape.grid[0] * shape.grid[1] * (b->block[0] * b->block[1] + 31) / 32;
    double inst = c->goal->metrics.v[METRIC_INST];
    return isnan(inst) || warps < 1 ? 0 : (uint64_t)(LEAST + FAR * inst / warps);
}

/* Count a file's text at the step's size. Returns 0; 1: it doesn't compile, or fails. */
static int count_text(const struct repair_case *c, const char *text, struct measurement *counts)
{
    struct compiled compiled = {0};
    struct device *d = NULL;
    struct module *m = NULL;
    struct bound b;
    struct err e;
    const char *file = c->compiled->file;
    compile_text(&c->workbench->kit, &c->workbench->front, file, text, &compiled);
    int runs = compiled.status == COMPILE_OK && !device_open(c->workbench->name, &d, &e) &&
        !device_load(d, compiled.ptx, file, file, &m, &e) && !run_bind(&b, d, m, c->step, file, &e);
    if (runs) b.budget = limit(&b, c), runs = !goal_count(&b, c->step, 0, counts);
    if (m) device_unload(d, m);
    if (d) device_close(d);
    compiled_free(&compiled);
    return !runs;
}

/* Count the solution, if it is not counted yet. Returns whether its counts are known. */
static int know(const struct repair_case *c, struct goal *g)
{
    struct measurement counts = {0};
    if (g->solution) {
        g->known = !count_text(c, g->solution, &counts);
        g->metrics = counts.metrics, g->ms = counts.ms;
        measurement_free(&counts);
        free(g->solution);
        g->solution = NULL;
    }
    return g->known;
}

int goal_meets(const struct repair_case *c, const struct code *code, const struct edit *x)
{
    static const double BOTH = 3, ONE = 1.2; /* processor seconds that counting takes at most, by and large */
    struct buf text = {0};
    struct measurement counts = {0};
    struct goal *g = c->goal;
    if (!g || (!c->now && repair_left(c) < (g->known ? ONE : BOTH)) || !know(c, g)) return 1;
    if (!c->now && repair_left(c) < ONE) return 1;
    edit_apply(code->text, x, 0, strlen(code->text), &text);
    int bad = count_text(c, text.data, &counts);
    int meets = bad ? -1 : !is_missed(c->step, &counts.metrics, &g->metrics) &&
        (c->now || counts.ms <= SCORE_SPEED * g->ms);
    measurement_free(&counts);
    buf_free(&text);
    return meets;
}
