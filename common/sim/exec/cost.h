/* cost.h - the cost of one warp's memory access, as the counters count it (cost.c). */
#ifndef LOCKSTEP_SIM_COST_H
#define LOCKSTEP_SIM_COST_H

#include "sim/exec/access.h"

/* The cost of a warp's access. The meaning of count and extra depends on the memory space. */
struct cost {
    unsigned words; /* number of different addresses that the warp's lanes access */
    /* count and extra are, for global and local memory: sectors and tags; for shared memory:
     * wavefronts and conflicts; for constant memory: different addresses and 0 */
    unsigned count, extra;
    /* global and local memory: passes through the data banks of the first-level cache */
    unsigned passes;
    unsigned moved; /* global and local memory: bytes of the sectors or transactions */
    /* atomics on global memory: sectors, summed over the rounds that serialize lanes with the same
     * address */
    unsigned turns;
};

/* Computes the cost of a warp's access by the model of the GPU. bytes: bytes of each lane. */
struct cost cost_of(const struct model_profile *p, enum ptx_space space, const uint64_t addr[32],
    uint32_t mask, unsigned bytes, enum touch_kind kind);
/* The cost of a warp's atomic operation on global memory. bytes: bytes of each lane. */
struct cost cost_atomic(struct batch *v, const uint64_t addr[32], uint32_t mask, unsigned bytes);
/* Keep the addresses of a warp's access as the step's example, unless the example kept so far is
 * from the same or a lower block. So the example does not depend on which host thread runs which
 * block. */
void cost_record(struct batch *v, const struct uop *u, enum ptx_space space,
    const uint64_t addr[32], uint32_t mask, unsigned bytes, int write);

#endif
