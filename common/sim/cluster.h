/* cluster.h - private to sim/: thread block clusters, that is neighbouring blocks that run at the
 * same time and can access each other's shared memory.
 *
 *     shared-memory address        0 ... 2^24         of the block itself
 *                                  rank + 1 << 24     of the cluster's block with that rank (mapa)
 *
 * Source: CUDA C++ Programming Guide, Thread Block Clusters; PTX ISA, mapa, barrier.cluster. */
#ifndef LOCKSTEP_SIM_CLUSTER_H
#define LOCKSTEP_SIM_CLUSTER_H

#include "sim/crew.h"

/* Can blocks of this launch wait for each other? If so, each block keeps the same slot of a
 * multiprocessor from its start to its end. */
static inline int blocks_meet(const struct launch *l) { return l->kernel->grid_sync || l->turns; }
/* Sets the number of blocks in each cluster, from the launch's shape or the kernel's attribute.
 * Returns -1 with *e filled if the grid is no multiple of that number or the GPU does not support
 * it. */
int cluster_shape(struct launch *l, const char *name, struct err *e);
/* Run all blocks on one host thread, switching between those that are resident on the GPU. */
void cluster_run(struct crew *c);

/* Sets stride and first of the launch. To be called after its number of blocks and its clusters are
 * set. seed: sim_options.order. */
void cluster_order(struct launch *l, uint64_t seed);
/* Sets ctaid, the position in the grid of the block with this number. Blocks of one cluster have
 * consecutive numbers, so with clusters the number is not the usual row-major index. */
void cluster_place(const struct launch *l, uint64_t block, unsigned ctaid[3]);
/* The value of a special register about clusters (which: an enum ptx_sreg) for the worker's
 * block. */
uint64_t cluster_sreg(const struct worker *w, int which);
/* The slot (struct worker) of the block whose shared memory *addr lies in; *addr becomes an address
 * within that block's own shared memory. NULL: no such block runs. */
struct worker *cluster_owner(struct worker *w, uint64_t *addr);
/* For an access by one lane: returns the slot of the block whose shared memory *addr lies in, and
 * converts *addr, as cluster_owner does. A fault unless the bytes *addr .. *addr + bytes - 1 lie in
 * the shared memory of a running block of the cluster. */
struct worker *cluster_reach(
    struct batch *v, const struct uop *u, uint64_t *addr, int lane, uint64_t bytes);

#endif
