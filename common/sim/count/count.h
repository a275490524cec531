/* count.h - private to sim/: from sums over a launch to counters, paces and times. */
#ifndef LOCKSTEP_SIM_COUNT_H
#define LOCKSTEP_SIM_COUNT_H

#include "sim/machine.h"

/* The latency of code along one warp (critical_path.c). waits: the number of points where it waits
 * for global loads, each as long as its loads were late; asks: the number of points where it issues
 * loads. */
struct critical_path {
    double clocks, waits, asks;
    double together; /* of the waits: those that several warps of a block share */
    double waiting;  /* of the clocks: those spent in waits for global loads */
    double ready;    /* of the waits together: those that come first behind a barrier */
};
/* The critical path of the longest warp of a mean block: each basic block as often as the mean warp
 * executes it, times the instructions of the longest warp over the mean warp's. l2_miss: the share
 * of L2 requests that were fetched from DRAM. */
struct critical_path critical_path_launch(const struct launch *l,
    const struct sim_step_counts *steps, const uint64_t *block_warps, double l2_miss);
/* The pace of a launch. asked: sectors that the multiprocessors requested from the L2; last: the
 * instant of the last one; fillings: how often the multiprocessors have filled with blocks. */
struct pace counters_pace(const struct launch *l, const struct sim_step_counts *steps,
    const uint64_t *block_warps, const uint64_t *block_lanes, double asked, uint32_t last,
    double fillings);
void counters_sum(const struct launch *l, const struct sim_step_counts *steps,
    const uint64_t *block_warps, const uint64_t *block_lanes, const struct trace_totals *caches,
    double partition_ratio, double row_ratio, struct sim_result *r);

/* The cost of a wgmma product on tensor cores, in half-precision multiply-adds of mma.sync. */
double counters_wgmma(const struct ptx_step *s);

#endif
