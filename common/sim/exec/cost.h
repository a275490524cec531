/* cost.h - what the access of one warp to memory costs (cost.c). */
#ifndef LOCKSTEP_SIM_COST_H
#define LOCKSTEP_SIM_COST_H

#include "sim/exec/access.h"

/* The meaning of count and extra depends on the space. */
struct cost {
    unsigned words; /* different addresses */
    /* sectors and tags; wavefronts and conflicts; different addresses and 0 */
    unsigned count, extra;
    /* global and local: through the data banks of the first-level cache */
    unsigned passes;
    unsigned moved; /* global and local: bytes */
    unsigned turns; /* atomic operations on global memory: sectors */
};

/* By the model, for "bytes" a lane. */
struct cost cost_of(const struct model_profile *p, enum ptx_space space, const uint64_t addr[32],
    uint32_t mask, unsigned bytes, enum touch_kind kind);
/* The same for an atomic operation on global memory. */
struct cost cost_atomic(struct batch *v, const uint64_t addr[32], uint32_t mask, unsigned bytes);
/* Add it to the counters of a step. */
void cost_charge(struct sim_step_counts *s, enum ptx_space space, const struct cost *c);
/* Keep the addresses of a warp's access, for maps, if it is the first one of a lower block than
 * the one that is kept: so the result does not depend on which host thread runs which blocks. */
void cost_record(struct batch *v, const struct uop *u, enum ptx_space space,
    const uint64_t addr[32], uint32_t mask, unsigned bytes, int write);

#endif
