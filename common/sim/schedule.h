/* schedule.h - private to sim/: how evenly the work of a launch lies on its warps and
 * multiprocessors. */
#ifndef LOCKSTEP_SIM_SCHEDULE_H
#define LOCKSTEP_SIM_SCHEDULE_H

#include <stdint.h>

struct worker;
struct launch;

/* Sums over the blocks of a worker: instructions of all warps; of the longest warp of each block,
 * times the warps of the block. */
struct schedule {
    uint64_t all, longest;
};
void schedule_end_block(struct worker *w); /* the present block has ended */

/* The share of the grid's work that the busiest multiprocessor has done when it ends; 0: not
 * known. */
double schedule_busiest(const struct launch *l);

#endif
