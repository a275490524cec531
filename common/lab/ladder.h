/* ladder.h - the rungs of a problem: the reference's kernels, slowest idea first, in the order of the labs. */
#ifndef LOCKSTEP_LAB_LADDER_H
#define LOCKSTEP_LAB_LADDER_H

#include "lab/grade.h"

struct rung {
    const struct lab *lab;
    const struct exercise *exercise;
    int step;
};
/* Kernels and host C are ladders of their own. Calls visit for each rung of the problem in table order, until it
 * returns non-zero, which is returned. */
typedef int rung_visit(void *context, const struct rung *r);
int ladder_walk(const char *problem, enum exercise_kind kind, rung_visit *visit, void *context);

/* The rung before this step on its ladder. 0, or -1 when it is the first, or is no rung. */
int ladder_before(const struct lab *lab, const struct exercise *x, int step, struct rung *out);

/* Three significant digits or so, without exponents: "0.372", "17.9", "1120". */
void print_rounded(struct buf *out, double v);

/* Was the table from here to end, which says "kernels by NAME.", made by another compiler than front? Its kernels may well take
 * another time then: it is nothing to check. */
int made_by_another(const char *front, const char *table, const char *end);

#endif
