/* early_stop.c - do not run the whole launch with counters if that would take long and cannot earn
 * points: the kernel misses a budget by far, or earns no points anyway.
 *
 *     the blocks of 4 multiprocessors are run ──> time for all blocks, and counters scaled to all
 *                                       │
 *           does the whole launch need more seconds than session.brief, and is a budget missed by more
 *           than a factor of 2, or does the step earn no points?
 *                no ──> the whole launch is run with counters
 *                yes ─> these counters are the result, and the message reports that
 *
 * Only a learner's own run (session.brief) ends early: a grading runs whole launches. */
#include "judge/grade.h"

#include <math.h>

enum { PICKED = 4 };
static const double BY_FAR = 2;
/* Processor seconds. INSTRUCTION: to simulate a warp instruction; SECTOR: a sector that it reads or
 * writes in global memory; BLOCK: the start of a block. Measured on the solutions and the tests'
 * slow kernels, on a processor of 2022. */
static const double INSTRUCTION = 30e-9, SECTOR = 20e-9, BLOCK = 4e-6;
/* floating-point operations of a launch; a launch with fewer never takes long */
static const double HEAVY = 1e8;

static int missed_by_far(
    const struct step *s, const struct metrics *m, const struct metrics *reference)
{
    for (const struct budget *b = s->budgets; b && b->why; b++) {
        double v = score_held(s, b, m, reference), limit = score_here(s, b, reference).limit;
        if (b->rule == AT_MOST ? v > BY_FAR * limit : v < limit / BY_FAR) return 1;
    }
    return 0;
}

/* Are the sample's counters enough? Yes if the step earns no points (then its counts are only
 * shown), or misses a budget by more than BY_FAR. */
static int decided(const struct step *s, const struct metrics *m, const struct metrics *reference)
{
    return !step_earns(s) || missed_by_far(s, m, reference);
}

/* Is a sample worth running? Yes if the step has budgets, or much work and no points. */
static int worth_a_try(const struct bound_kernel *b)
{
    const struct step *s = b->step;
    return s && (s->budgets || (!step_earns(s) && b->problem->useful(s->dims) > HEAVY));
}

/* Run a sample of a step's blocks with counters. *seconds: the processor time that all blocks would
 * need, computed from the instructions and sectors of the sample, not measured, so that it is the
 * same on every machine. The caller frees m. */
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
