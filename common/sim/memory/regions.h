/* regions.h - device memory as a launch sees it (memory.c): allocations, what has been written in
 * them, and whose words are whose. */
#ifndef LOCKSTEP_SIM_REGIONS_H
#define LOCKSTEP_SIM_REGIONS_H

#include "sim/sim.h"

#define SIM_ALIGN ((uint64_t)1 << 24) /* of allocations */

/* An allocation. They lie far apart, so that an index error cannot reach another one unnoticed. */
struct region {
    uint64_t addr;
    size_t bytes;
    unsigned char *host;
    char *name;
    size_t element;
    int readonly;
    int mapped;        /* host is at addr, by mmap */
    uint64_t *written; /* initcheck: a bit a byte that has been written; NULL: all have */
    /* During a launch: */
    uint64_t *fresh;       /* written by blocks that have ended; NULL: nothing yet */
    int target;            /* the kernel may write here */
    uint16_t *owner;       /* of each word: sim_own; NULL: any multiprocessor may access it */
    unsigned char *before; /* what it held before sim_own_begin */
};
/* The allocation that addr lies in, or the one it probably meant; NULL if there is none. */
const struct region *sim_region(const struct sim_memory *m, uint64_t addr);
const struct region *sim_region_near(const struct sim_memory *m, uint64_t addr);
/* Bytes that are allocated; those of them that the launch only reads. */
uint64_t sim_memory_bytes(const struct sim_memory *m);
uint64_t sim_memory_inputs(const struct sim_memory *m);

/* Call these around a launch. begin finds the buffers that the kernel may write and starts a bitmap
 * of what it writes; end adds that to what has been written. in_order: blocks run one after the
 * other and see what earlier ones wrote. */
void sim_begin_writes(struct sim_memory *m, const struct sim_kernel *k, const unsigned char *params,
    int in_order, int checked);
/* that bitmap; NULL if all bytes have been written */
uint64_t *sim_fresh(const struct region *r);
/* at a barrier of all blocks: all may read what they wrote */
void sim_share_writes(struct sim_memory *m);
void sim_end_writes(struct sim_memory *m);
void sim_trust_writes(struct sim_memory *m);

/* From begin to end each word of the buffers that the kernel may write belongs to the
 * multiprocessor that accesses it first. Begin returns -1 if these buffers are large, or not known.
 * undo: they get back what they held. line: address / 128; words: a bit each. */
int sim_own_begin(struct sim_memory *m, const struct sim_kernel *k);
/* do they all belong to sm? */
int sim_own(const struct region *r, int sm, uint64_t line, uint32_t words);
void sim_own_end(struct sim_memory *m, int undo);

#endif
