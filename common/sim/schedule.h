/* schedule.h - private to sim/: how evenly the work of a launch is spread over its warps and
 * multiprocessors. */
#ifndef LOCKSTEP_SIM_SCHEDULE_H
#define LOCKSTEP_SIM_SCHEDULE_H

#include <stdint.h>

struct worker;
struct launch;

/* Instruction counts, summed over the blocks that a worker ran. all: those of all warps; longest:
 * those of each block's longest warp, times the number of warps in the block. */
struct schedule {
    uint64_t all, longest;
};
/* To be called when the worker's current block has ended. */
void schedule_end_block(struct worker *w);

/* The busiest multiprocessor's share of all work of the grid; 0: not known. */
double schedule_busiest(const struct launch *l);

#endif
