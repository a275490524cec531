/* count.h - private to sim/: computes metrics, time and pace of a launch from its counts. */
#ifndef LOCKSTEP_SIM_COUNT_H
#define LOCKSTEP_SIM_COUNT_H

#include "sim/machine.h"

/* The latency of code along one warp (critical_path.c). waits: how often the warp waits for global
 * loads (the length of a wait depends on the share of loads that miss); asks: how often the warp
 * issues loads. */
struct critical_path {
    double clocks, waits, asks;
    double together; /* the part of waits that several warps of a block share */
    double waiting;  /* the part of clocks that is spent in waits for global loads */
    double ready;    /* the part of `together` whose waits are the first after a barrier */
};
/* The critical path of the longest warp of a mean block: each basic block executes as often as for
 * the mean warp, times the ratio of the longest warp's instructions to the mean warp's. l2_miss:
 * the share of L2 requests that are fetched from DRAM. */
struct critical_path critical_path_launch(const struct launch *l,
    const struct sim_step_counts *steps, const uint64_t *block_warps, double l2_miss);
/* The pace of a launch: how instants (ordinals of accesses to global memory) map to clocks. asked:
 * sectors that the multiprocessors requested from the L2; last: the last instant of a
 * multiprocessor; fillings: waves of blocks, that is how often the multiprocessors are filled with
 * blocks. */
struct pace counters_pace(const struct launch *l, const struct sim_step_counts *steps,
    const uint64_t *block_warps, const uint64_t *block_lanes, double asked, uint32_t last,
    double fillings);
void counters_sum(const struct launch *l, const struct sim_step_counts *steps,
    const uint64_t *block_warps, const uint64_t *block_lanes, const struct trace_totals *caches,
    double partition_ratio, double row_ratio, struct sim_result *r);

/* The cost of a wgmma product on tensor cores, in half-precision multiply-adds of mma.sync that
 * take as long. */
double counters_wgmma(const struct ptx_step *s);

#endif
