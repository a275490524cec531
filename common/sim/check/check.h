/* check.h - shadow memory of a block: which words of shared memory each warp read and wrote since
 * the last barrier, and which words of local memory each thread has written. The rules are in
 * check.c. */
#ifndef LOCKSTEP_SIM_CHECK_H
#define LOCKSTEP_SIM_CHECK_H

#include "sim/machine.h"

struct touch;
struct async;

/* A read of a word that nothing had written (unwritten.c), and after how many barriers of the
 * block. */
struct unwritten {
    int batch, lane, step, atomic;
    uint64_t addr;
    int barriers;
    /* barriers before the word was written when the block ran again; -1: it was not written */
    int filled;
};

/* Sets are bitmaps in cells of 64 bits. forget_touches empties what is kept "since the last
 * barrier". */
struct check {
    size_t words, cells; /* 4-byte words of shared memory; cells that a set of words takes */
    int warps;
    uint64_t *ever; /* words written since the block began */
    /* words since the last barrier: cell c of warp w at c * warps + w */
    uint64_t *read, *wrote;
    /* The same for accesses narrower than a word: one bit a byte, so cell c holds the bytes from 64
     * c on. */
    uint64_t *narrow_read, *narrow_wrote;
    int any_writes, any_narrow; /* since the last barrier */
    uint64_t *held;             /* words that a bulk copy still reads (bulk.c) */
    int any_held;
    struct touch *reader, *writer; /* for each byte; NULL unless check_remember is on */
    size_t local_cells;            /* of one thread */
    /* Words of local memory written since the block began: cell c of thread t at t * local_cells +
     * c. */
    uint64_t *local;
    struct async *async; /* copies in flight (async.c); NULL: the kernel makes none */
    int barriers;        /* that the block has passed */
    /* this is the second run, because of unwritten; it has ended */
    int looking, ended;
    struct unwritten unwritten;
};

/* shared_bytes: of a block; local_bytes: of one thread; warps: of a block. The caller frees it with
 * check_free. */
struct check *check_new(size_t shared_bytes, size_t local_bytes, int warps);
void check_free(struct check *c);
void check_start_block(struct check *c);
/* on: from the next block on, record who touched each byte, so that a race is reported at its
 * second access. */
void check_remember(struct check *c, int on);

/* A warp touches the words of bits in one cell. Returns the words that it reads although nothing
 * has written them since the block began, or writes although a bulk copy still reads them. */
static inline uint64_t check_bits(struct check *c, int warp, size_t cell, uint64_t bits, int write)
{
    (write ? c->wrote : c->read)[cell * (size_t)c->warps + (size_t)warp] |= bits;
    if (!write) return bits & ~c->ever[cell];
    c->ever[cell] |= bits;
    c->any_writes = 1;
    return c->any_held ? bits & c->held[cell] : 0;
}

/* Three forms of one function: record a warp's access, and return 0 if it reads a word that nothing
 * has written since the block began. check_long_range: words first .. last; check_range: bytes lo
 * .. hi - 1; check_lanes: bytes at base + off[lane] for each of 32 lanes. */
int check_long_range(struct check *c, int warp, size_t first, size_t last, int write);
static inline int check_range(struct check *c, int warp, uint64_t lo, uint64_t hi, int write)
{
    size_t first = lo / 4, last = (hi - 1) / 4;
    if (first / 64 != last / 64) return check_long_range(c, warp, first, last, write);
    uint64_t bits = (~(uint64_t)0 >> (63 - (last - first))) << (first & 63);
    return check_bits(c, warp, first / 64, bits, write) == 0;
}
/* The same when the warps warp .. warp + count - 1 all read the bytes lo .. hi - 1. */
static inline int check_same(struct check *c, int warp, int count, uint64_t lo, uint64_t hi)
{
    size_t first = lo / 4, last = (hi - 1) / 4, cell = first / 64;
    uint64_t bits = (~(uint64_t)0 >> (63 - (last - first))) << (first & 63);
    if (cell != last / 64) {
        int good = 1;
        for (int w = 0; w < count; w++) good &= check_long_range(c, warp + w, first, last, 0);
        return good;
    }
    for (int w = 0; w < count; w++) c->read[cell * (size_t)c->warps + (size_t)(warp + w)] |= bits;
    return (bits & ~c->ever[cell]) == 0;
}
int check_lanes(
    struct check *c, int warp, uint64_t base, const uint32_t off[32], unsigned bytes, int write);
/* The same for one lane; stops the launch with a message if the access is an error. */
void check_lane(struct batch *v, const struct uop *u, int lane, uint64_t addr, unsigned bytes,
    int write, int atomic);

/* One lane's access to its local memory. If it reads an element that has not been written, and uses
 * it, the launch stops with a message. */
void check_local(struct batch *v, const struct uop *u, int lane, uint64_t addr, int write);

/* The same for an access of one warp; returns 0 if one lane's may be an error. */
struct access;
int check_local_lanes(const struct access *x);

/* A read of an unwritten word was found: leaves by longjmp. Then the block runs again, to see who
 * writes the word, and the last function reports it as a fault. */
void unwritten_found(struct batch *v, const struct uop *u, int lane, uint64_t addr, int atomic);
void unwritten_again(struct worker *w);
void unwritten_barrier(struct check *c);
void unwritten_report(struct worker *w) __attribute__((noreturn));

/* A thread has passed a barrier in shared memory (mbarrier). It is taken for a barrier of all: what
 * came before it no longer races with what follows. */
void check_mbarrier_passed(struct check *c);
/* All threads have arrived at a barrier or ended. Returns 0 if warps raced since the barrier
 * before. */
int check_barrier_passed(struct check *c);

#endif
