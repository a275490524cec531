/* regions.h - device memory as a launch sees it (memory.c): allocations, which bytes have been
 * written, and which multiprocessor owns a word. */
#ifndef LOCKSTEP_SIM_REGIONS_H
#define LOCKSTEP_SIM_REGIONS_H

#include "sim/sim.h"

#define SIM_ALIGN ((uint64_t)1 << 24) /* alignment of allocations, in bytes */

/* An allocation of device memory. Allocations are far apart, so that an index error does not reach
 * another one unnoticed. */
struct region {
    uint64_t addr;
    size_t bytes;
    unsigned char *host;
    char *name;
    size_t element;
    enum sim_readonly readonly;
    int mapped; /* 1: host memory was mapped by mmap, at the device address */
    int lent;   /* 1: host memory belongs to the caller of sim_lend */
    /* for initcheck: one bit per byte, set if the byte has been written; NULL: all bytes have been
     * written */
    uint64_t *written;
    /* The following fields are used during a launch. */
    uint64_t *fresh; /* bytes written by blocks that have ended, one bit each; NULL: none yet */
    int target;      /* 1: the kernel may write to this allocation */
    /* for each word, the multiprocessor that owns it (sim_own); NULL: not tracked, any
     * multiprocessor may access it */
    uint16_t *owner;
    struct across *across; /* what blocks that have ended did to each line; NULL: nothing yet */
    unsigned char *first;  /* words as the first block that changed them left them; NULL: none */
    unsigned char *before; /* copy of the contents at sim_own_begin, to undo writes */
};
/* Cells of the bitmaps of a region: 64 bytes each. */
static inline size_t region_cells(const struct region *r) { return (r->bytes + 63) / 64; }
/* The allocations, sorted by address. next: address of the next allocation. */
struct sim_memory {
    struct region *regions;
    size_t count, cap;
    uint64_t next;
};
/* What the blocks of a launch did to a line of 128 bytes: words that were read, written and updated
 * by atomic operations, one bit each; step: that of the last write. Changed by atomic operations. */
struct across {
    uint32_t read, wrote, updated;
    int step;
};
/* sim_region: the allocation that contains addr, or NULL. sim_region_near: the same, or else the
 * nearest allocation; NULL: there are none. */
const struct region *sim_region(const struct sim_memory *m, uint64_t addr);
const struct region *sim_region_near(const struct sim_memory *m, uint64_t addr);
/* Does the address belong to memory of this process (the host), which no kernel can access? */
int sim_host_memory(uint64_t addr);
/* sim_memory_bytes: bytes in all allocations. sim_memory_inputs: bytes in those that the launch
 * only reads. */
uint64_t sim_memory_bytes(const struct sim_memory *m);
uint64_t sim_memory_inputs(const struct sim_memory *m);

/* To be called around a launch. sim_begin_writes finds the buffers that the kernel may write, and
 * starts a bitmap of the bytes that it writes; sim_end_writes merges that into the bitmap of
 * written bytes. in_order: blocks run one after the other and see what earlier ones wrote; checked:
 * the launch has checks, so its writes are recorded. */
void sim_begin_writes(struct sim_memory *m, const struct sim_kernel *k, const unsigned char *params,
    int in_order, int checked);
/* The bitmap of bytes of the region that are written in this launch; NULL if all bytes were written
 * before it. */
uint64_t *sim_fresh(const struct region *r);
/* The array in which shadow_compare keeps what blocks did to each line of the region. It is
 * allocated by the first call. */
struct across *sim_across(const struct region *r);
/* Memory as large as the region, in which the caller keeps words as their first change left them.
 * Only one thread at a time may call this. */
unsigned char *sim_first(const struct region *r);
/* To be called at a grid-wide barrier: all blocks may now read what any block wrote. */
void sim_share_writes(struct sim_memory *m);
void sim_end_writes(struct sim_memory *m);
void sim_trust_writes(struct sim_memory *m);

/* Between sim_own_begin and sim_own_end, each word of the buffers that the kernel may write is
 * owned by the multiprocessor that accesses it first. sim_own_begin returns -1 if these buffers are
 * too large, or not known. undo: restore the contents of the buffers. line: address / 128; words:
 * words of the line, one bit each. */
int sim_own_begin(struct sim_memory *m, const struct sim_kernel *k);
/* Takes ownership of the words that nobody owns; returns whether sm then owns all of these
 * words. */
int sim_own(const struct region *r, int sm, uint64_t line, uint32_t words);
void sim_own_end(struct sim_memory *m, int undo);

#endif
