/* cost.h - the cost of one warp's memory access, as the counters count it (cost.c). */
#ifndef LOCKSTEP_SIM_COST_H
#define LOCKSTEP_SIM_COST_H

#include "sim/exec/access.h"

/* The cost of a warp's access. The meaning of count and extra depends on the memory space. */
struct cost {
    unsigned words; /* different addresses that its lanes access */
    /* global, local: sectors and tags; shared: wavefronts and conflicts; constant: different
     * addresses, and 0 */
    unsigned count, extra;
    /* global, local: passes through the data banks of the first-level cache */
    unsigned passes;
    unsigned moved; /* global, local: bytes of its sectors or transactions */
    /* global atomics: sectors, summed over the rounds that serialise lanes with the same address */
    unsigned turns;
};

/* Computes the cost by the model of the GPU. bytes: of each lane. */
struct cost cost_of(const struct model_profile *p, enum ptx_space space, const uint64_t addr[32],
    uint32_t mask, unsigned bytes, enum touch_kind kind);
/* The cost of a warp's atomic operation on global memory. bytes: of each lane. */
struct cost cost_atomic(struct batch *v, const uint64_t addr[32], uint32_t mask, unsigned bytes);
/* Add the cost to the counters of a step. */
void cost_charge(struct sim_step_counts *s, enum ptx_space space, const struct cost *c);
/* Keep the addresses of a warp's access as the step's example, unless the kept one is from the same
 * or a lower block. So the example does not depend on which host thread runs which block. */
void cost_record(struct batch *v, const struct uop *u, enum ptx_space space,
    const uint64_t addr[32], uint32_t mask, unsigned bytes, int write);

#endif
