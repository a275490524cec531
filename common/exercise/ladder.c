/* ladder.c - walk through the sequence of techniques for a problem: the steps of all labs that have
 * a rung name, in the order of the labs.
 *
 *     lab_table ── exercises of one kind ── steps with this problem and a rung ──> visit */
#include "exercise/exercise.h"

#include <math.h>
#include <string.h>

int ladder_walk(const char *problem, enum exercise_kind kind, rung_visit *visit, void *context)
{
    for (const struct lab *const *l = lab_table; *l; l++)
        for (const struct exercise *x = (*l)->exercises; x->name; x++)
            for (int i = 0; x->kind == kind && x->steps[i].kernel; i++) {
                struct rung r = {*l, x, i};
                const char *kind = problem_kind(problem_find(x->steps[i].problem));
                if (!x->steps[i].rung || strcmp(kind, problem)) continue;
                int stop = visit(context, &r);
                if (stop) return stop;
            }
    return 0;
}

/* The state of a search for the rung before `goal`, that is the reference step with the previous
 * technique. before: the last rung visited; its exercise stays NULL if goal is the first rung. */
struct search {
    struct rung goal, before;
};

/* Stop the walk at the goal. Exercises are compared by address, since each exists only once, in
 * lab_table. */
static int until_goal(void *context, const struct rung *r)
{
    struct search *s = context;
    if (r->exercise == s->goal.exercise && r->step == s->goal.step) return 1;
    s->before = *r;
    return 0;
}

int ladder_before(const struct lab *lab, const struct exercise *x, int step, struct rung *out)
{
    struct search s = {.goal = {lab, x, step}};
    const char *kind = problem_kind(problem_find(x->steps[step].problem));
    int found = ladder_walk(kind, x->kind, until_goal, &s);
    *out = s.before;
    return found && s.before.exercise ? 0 : -1;
}

static int until_first(void *context, const struct rung *r)
{
    *(struct rung *)context = *r;
    return 1;
}

void ladder_first(const struct problem *p, enum exercise_kind kind, struct rung *out)
{
    ladder_walk(problem_kind(p), kind, until_first, out);
}
