/* mem.h - what loads and stores (mem.c), atomics (atom.c) and their faults (fault.c) share. */
#ifndef LOCKSTEP_SIM_MEM_H
#define LOCKSTEP_SIM_MEM_H

#include "sim/machine.h"

struct span mem_span(struct convoy *v, enum ptx_space space, uint64_t addr);
unsigned char *mem_lane(struct convoy *v, const struct uop *u, enum ptx_space space, struct span *span, uint64_t addr,
                        int lane, int write);
unsigned mem_count_warp(struct convoy *v, const struct uop *u, enum ptx_space space, const uint64_t addr[32], uint32_t mask,
                    unsigned bytes, int write);
/* The space that a generic address lies in; takes the window off the address. */
enum ptx_space mem_generic(uint64_t *addr);

#endif
