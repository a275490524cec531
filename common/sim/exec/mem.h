/* mem.h - what loads and stores (mem.c), atomics (atom.c) and their faults (fault.c) share. */
#ifndef LOCKSTEP_SIM_MEM_H
#define LOCKSTEP_SIM_MEM_H

#include "sim/machine.h"

struct span mem_span(struct batch *v, enum ptx_space space, uint64_t addr);
unsigned char *mem_lane(struct batch *v, const struct uop *u, enum ptx_space space, struct span *span, uint64_t addr,
                        int lane, int write);
void mem_count_warp(struct batch *v, const struct uop *u, enum ptx_space space, const uint64_t addr[32], uint32_t mask,
                    unsigned bytes, int write);
/* The space that a generic address lies in; takes the window off the address. */
enum ptx_space mem_generic(uint64_t *addr);

/* A warp's generic access of at most 4 bytes a lane, some lanes' to global memory and those of the mask to local memory at addr. */
static inline void sim_count_mixed(struct sim_step_counts *c, const uint64_t addr[32], uint32_t mask)
{
    c->mixed++;
    c->mixed_sectors += model_local_sectors(addr, mask);
}

#endif
