/* check.h - the shadow of a block's shared memory: who read and wrote which word since the last barrier; and of its threads'
 * local memory: what has been written (check.c). */
#ifndef LOCKSTEP_SIM_CHECK_H
#define LOCKSTEP_SIM_CHECK_H

#include "sim/machine.h"

struct touch;

struct check {
    size_t words, cells;    /* 4-byte words of shared memory; 64-bit cells of a set of them */
    int warps;
    uint64_t *ever;         /* written since the block began */
    uint64_t *read, *wrote; /* since the last barrier, a set a warp: cell c of warp w at c * warps + w */
    uint64_t *narrow_read, *narrow_wrote; /* the same by accesses of less than a word: a bit a byte, cell c the bytes 64 c and up */
    int any_writes, any_narrow;
    struct touch *reader, *writer; /* by byte; NULL until a block is run again */
    size_t local_cells;     /* a thread */
    uint64_t *local;        /* words of local memory written since the block began: cell c of thread t at t * local_cells + c */
};

/* local_bytes: a thread */
struct check *check_new(size_t shared_bytes, size_t local_bytes, int warps);
void check_free(struct check *c);
void check_start_block(struct check *c);
/* From the next block on, remember who touched each word, so that a race stops at its second access. */
void check_remember(struct check *c, int on);

/* Words of one cell that a warp touches. Returns those it reads although nothing has written them since the block began. */
static inline uint64_t check_bits(struct check *c, int warp, size_t cell, uint64_t bits, int write)
{
    (write ? c->wrote : c->read)[cell * (size_t)c->warps + (size_t)warp] |= bits;
    if (!write)
        return bits & ~c->ever[cell];
    c->ever[cell] |= bits;
    c->any_writes = 1;
    return 0;
}

/* Note a warp's access to the bytes lo .. hi - 1, or of bytes at base + off[lane] each. 0: it reads a word that nothing
 * has written since the block began. */
int check_long_range(struct check *c, int warp, size_t first, size_t last, int write);
static inline int check_range(struct check *c, int warp, uint64_t lo, uint64_t hi, int write)
{
    size_t first = lo / 4, last = (hi - 1) / 4;
    if (first / 64 != last / 64)
        return check_long_range(c, warp, first, last, write);
    uint64_t bits = (~(uint64_t)0 >> (63 - (last - first))) << (first & 63);
    return check_bits(c, warp, first / 64, bits, write) == 0;
}
/* count warps from warp on read the same bytes. */
static inline int check_same(struct check *c, int warp, int count, uint64_t lo, uint64_t hi)
{
    size_t first = lo / 4, last = (hi - 1) / 4, cell = first / 64;
    uint64_t bits = (~(uint64_t)0 >> (63 - (last - first))) << (first & 63);
    if (cell != last / 64) {
        int good = 1;
        for (int w = 0; w < count; w++)
            good &= check_long_range(c, warp + w, first, last, 0);
        return good;
    }
    for (int w = 0; w < count; w++)
        c->read[cell * (size_t)c->warps + (size_t)(warp + w)] |= bits;
    return (bits & ~c->ever[cell]) == 0;
}
int check_lanes(struct check *c, int warp, uint64_t base, const uint32_t off[32], unsigned bytes, int write);
/* The same for one lane; faults by itself. */
void check_lane(struct batch *v, const struct uop *u, int lane, uint64_t addr, unsigned bytes, int write, int atomic);

/* One lane's access to its local memory; faults by itself where an element that is used has not been written. */
void check_local(struct batch *v, const struct uop *u, int lane, uint64_t addr, int write);

/* All threads have met (or ended): 0 when warps raced since they last did. */
int check_barrier_passed(struct check *c);

#endif
