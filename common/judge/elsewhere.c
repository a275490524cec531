/* elsewhere.c - does a kernel use the technique at other sizes than the step's own? A kernel could
 * ask for its size, and do without the technique at all others.
 *
 *                     student    reference
 *     step's size        v          r         the budget is met
 *     another size       v'         r'        v' may be as many times r' as v is of r, and SLACK more
 *
 * Budgets have limits for the step's size alone, so the reference says what another size needs. */
#include "judge/grade.h"

#include <math.h>

/* SLACK: a kernel whose tiles do not divide the other size as well does more work there. NEARLY:
 * where the reference needs none, this share of the warp instructions is none. */
static const double SLACK = 1.5, NEARLY = 1 / 16.0;

static int holds(const struct step *s, const struct budget *b, const struct metrics *own,
    const struct metrics *reference, const struct metrics *own_there,
    const struct metrics *reference_there)
{
    struct budget here = score_here(s, b, reference);
    double v = score_held(s, b, own, reference), r = score_held(s, b, reference, reference);
    double there = score_held(s, b, own_there, reference_there);
    double needed = score_held(s, b, reference_there, reference_there);
    double times = r > 0 ? v / r : 1;
    /* how many warps fit depends on the number of blocks; a budget missed at the step's size is
     * told anyway */
    if (b->metric == METRIC_OCCUPANCY || !score_budget(&here, v) || isnan(needed)) return 1;
    if (b->rule == AT_LEAST) return there >= needed * fmin(times, 1) / SLACK;
    double none = own_there->v[METRIC_INST] * NEARLY;
    return there <= (needed > 0 ? needed * fmax(times, 1) * SLACK : none);
}

unsigned elsewhere_find(const struct step *s, const struct metrics *own,
    const struct metrics *reference, const struct metrics *own_there,
    const struct metrics *reference_there)
{
    unsigned missed = 0;
    for (int i = 0; s->budgets && s->budgets[i].why; i++)
        if (!holds(s, &s->budgets[i], own, reference, own_there, reference_there))
            missed |= 1u << i;
    return missed;
}
