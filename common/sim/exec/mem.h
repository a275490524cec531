/* mem.h - what loads and stores (mem.c), atomics (atom.c), faults (fault.c) and printf (print.c) share.
 *
 * A lane is given by its number in the batch, 0 to 255, where a parameter is called "lane"; masks and arrays
 * of 32 are those of one warp. Addresses are of the device; those of shared, local and parameter memory count
 * from the start of the space. */
#ifndef LOCKSTEP_SIM_MEM_H
#define LOCKSTEP_SIM_MEM_H

#include "sim/machine.h"

/* The span that addr lies in; one of 0 bytes if there is none. */
struct span mem_span(struct batch *v, enum ptx_space space, uint64_t addr);
/* Where u's access by a lane lies in the host's memory; faults if it is not allowed. span: where the lane
 * before it was; start with a span of 0 bytes. */
unsigned char *mem_lane(struct batch *v, const struct uop *u, enum ptx_space space, struct span *span, uint64_t addr,
                        int lane, int write);
/* Count one warp's access of "bytes" a lane. space is not SPACE_GENERIC. */
void mem_count_warp(struct batch *v, const struct uop *u, enum ptx_space space, const uint64_t addr[32], uint32_t mask,
                    unsigned bytes, int write);
/* The space that a generic address lies in. *addr becomes an address in that space. */
enum ptx_space mem_generic(uint64_t *addr);

/* Count a generic access of at most 4 bytes a lane that goes to global and to local memory at once. mask: the
 * lanes that access local memory, at addr. */
static inline void sim_count_mixed(struct sim_step_counts *c, const uint64_t addr[32], uint32_t mask)
{
    c->mixed++;
    c->mixed_sectors += model_local_sectors(addr, mask);
}

#endif
