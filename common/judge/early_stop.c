/* early_stop.c - end a run whose outcome is known: counting it would take long, and the kernel
 * misses a budget by far or earns no points.
 *
 *     4 of the multiprocessors ──> their share of the work: so long for all, and counters scaled to all
 *                                       │
 *           all would take over session.brief, and a budget is missed more than twice over, or there are
 *           no points for it?
 *                no ──> the whole launch is run and counted, as without this file
 *                yes ─> these counters are the result, and the message reports it
 *
 * Only a learner's own run (session.brief) ends early: a grading runs everything. */
#include "judge/grade.h"

#include <math.h>

enum { PICKED = 4 };
static const double BY_FAR = 2;
/* Processor seconds to simulate a warp instruction, a sector that it touches in global memory, and
 * the start of a block. Measured on the solutions and the tests' slow kernels, on a 2022 processor. */
static const double INSTRUCTION = 30e-9, SECTOR = 20e-9, BLOCK = 4e-6;
static const double HEAVY = 1e8; /* operations: no kernel with fewer takes long */

static int missed_by_far(
    const struct step *s, const struct metrics *m, const struct metrics *reference)
{
    for (const struct budget *b = s->budgets; b && b->why; b++) {
        double v = score_held(s, b, m, reference), limit = score_here(s, b, reference).limit;
        if (b->rule == AT_MOST ? v > BY_FAR * limit : v < limit / BY_FAR) return 1;
    }
    return 0;
}

/* A given kernel earns no points: its counts are only for reading, and predictions are compared
 * with those of the reference. */
static int decided(const struct step *s, const struct metrics *m, const struct metrics *reference)
{
    return !step_earns(s) || missed_by_far(s, m, reference);
}

/* May the step end early at all? */
static int worth_a_try(const struct bound_kernel *b)
{
    const struct step *s = b->step;
    return s && (s->budgets || (!step_earns(s) && b->problem->useful(s->dims) > HEAVY));
}

/* Run a step with a sample of its blocks. Also gives the processor seconds for all blocks, computed
 * from what the sample executes: a clock would end a run on one machine and not on another. The
 * caller frees m. */
static int run_sample(
    struct build *b, int step, uint64_t seed, struct measurement *m, double *seconds, struct err *e)
{
    struct bound_kernel *bound = &b->bound[step];
    struct instance in;
    struct launch_shape shape = {{0}};
    uint64_t before = device_settings(bound->device)->executed;
    instance_make(&in, bound->problem, bound->step->dims, seed);
    bound->sample_sms = PICKED;
    int bad = run_shape(bound, bound->step->dims, &shape, e) || build_count(b, step, &in, m, e);
    bound->sample_sms = 0;
    instance_free(&in);
    double blocks = (double)shape.grid[0] * shape.grid[1];
    double sectors = bad ? 0 : m->metrics.v[METRIC_GLD_SECTORS] + m->metrics.v[METRIC_GST_SECTORS];
    double executed = (double)(device_settings(bound->device)->executed - before) * blocks /
                      (PICKED * shape.sample);
    *seconds = INSTRUCTION * executed + SECTOR * sectors + BLOCK * blocks;
    return bad;
}

int early_end(struct build *b, int step, const struct metrics *reference, uint64_t seed,
    double most, struct measurement *m, double *seconds)
{
    const struct bound_kernel *bound = &b->bound[step];
    const struct model_profile *p = b->device ? device_profile(b->device) : NULL;
    struct launch_shape shape;
    struct err e = {0};
    if (!worth_a_try(bound) || !p || !workbench_simulated(b->workbench) || p->sms <= PICKED ||
        run_shape(bound, bound->step->dims, &shape, &e))
        return 0;
    if ((double)shape.grid[0] * shape.grid[1] < 4 * p->sms) return 0;
    *m = (struct measurement){0};
    int bad = run_sample(b, step, seed, m, seconds, &e);
    if (!bad && *seconds > most && decided(bound->step, &m->metrics, reference)) return 1;
    measurement_free(m);
    *m = (struct measurement){0};
    return 0;
}
