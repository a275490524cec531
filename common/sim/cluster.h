/* cluster.h - private to sim/: clusters, neighbouring blocks that run at the same time and reach
 * each other's shared memory.
 *
 *     address of shared memory     0 ... 2^24         this block's
 *                                  rank + 1 << 24     of the block with that rank in the cluster (mapa)
 *
 * Source: CUDA C++ Programming Guide, Thread Block Clusters; PTX ISA, mapa, barrier.cluster. */
#ifndef LOCKSTEP_SIM_CLUSTER_H
#define LOCKSTEP_SIM_CLUSTER_H

#include "sim/crew.h"

/* Do blocks of this launch wait for each other? Then each block has a seat from its start to its
 * end. */
static inline int blocks_meet(const struct launch *l) { return l->kernel->grid_sync || l->turns; }
/* The size of a launch's clusters, from its shape or its kernel. Refuses one that the grid or the
 * GPU does not have. */
int cluster_shape(struct launch *l, const char *name, struct err *e);
/* Run all blocks on one host thread, interleaving those that are resident on the GPU. */
void cluster_run(struct crew *c);

/* The blocks of a cluster have the numbers n, n + 1, ...: the place of a block in the grid. */
void cluster_place(const struct launch *l, uint64_t block, unsigned ctaid[3]);
/* The value of a special register of clusters. */
uint64_t cluster_sreg(const struct worker *w, int which);
/* The seat whose shared memory an address names; *addr becomes an address of that block's own.
 * NULL: no such block runs. */
struct worker *cluster_owner(struct worker *w, uint64_t *addr);
/* The same for a lane of an instruction that accesses these bytes there: faults if they are not
 * there. */
struct worker *cluster_reach(
    struct batch *v, const struct uop *u, uint64_t *addr, int lane, uint64_t bytes);

#endif
