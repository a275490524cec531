/* check.h - shadow memory of a block: which words of shared memory each warp read and wrote since
 * the last barrier, and which words of local memory each thread has written. The rules are in
 * check.c. */
#ifndef LOCKSTEP_SIM_CHECK_H
#define LOCKSTEP_SIM_CHECK_H

#include "sim/machine.h"

struct touch;
struct async;
struct access;

/* A read of a word that nothing had written (unwritten.c). barriers: number of barriers that the
 * block had passed before the read. */
struct unwritten {
    int batch, lane, step, atomic;
    uint64_t addr;
    int barriers;
    /* set when the block runs a second time: number of barriers passed before the word is written;
     * -1: the word is never written */
    int filled;
};

/* Shadow memory of a block. Sets of words are bitmaps in cells of 64 bits. forget_touches clears
 * what is kept "since the last barrier". */
struct check {
    /* words: number of 4-byte words of shared memory; cells: number of 64-bit cells of a set of
     * these words */
    size_t words, cells;
    int warps;
    uint64_t *ever; /* set of words written since the block began */
    /* sets of words that each warp has read or written since the last barrier: cell c of warp w is
     * at c * warps + w */
    uint64_t *read, *wrote;
    /* The same sets for accesses narrower than a word, with one bit for each byte: cell c of a warp
     * holds bytes 64 * c to 64 * c + 63. */
    uint64_t *narrow_read, *narrow_wrote;
    /* since the last barrier there was a write (any_writes) or a narrow access (any_narrow) */
    int any_writes, any_narrow;
    uint64_t *held; /* set of words that a bulk copy still reads (bulk.c) */
    int any_held;
    /* last access to each byte by a reader and by a writer; NULL unless check_remember is on */
    struct touch *reader, *writer;
    size_t local_cells; /* number of cells for the local memory of one thread */
    /* Words of local memory written since the block began: cell c of thread t is at t * local_cells
     * + c. */
    uint64_t *local;
    /* copies in flight (async.c); NULL: the kernel has no asynchronous copies */
    struct async *async;
    int barriers; /* number of barriers that the block has passed */
    /* looking: the current run shows when the word in `unwritten` is written: a second run or, if
     * the launch goes on after findings, the rest of the first; ended: that run is over */
    int looking, ended;
    struct unwritten unwritten;
};

/* Allocates the shadow memory of a block. Arguments: bytes of its shared memory, bytes of one
 * thread's local memory, number of warps. The caller frees it with check_free. */
struct check *check_new(size_t shared_bytes, size_t local_bytes, int warps);
void check_free(struct check *c);
void check_start_block(struct check *c);
/* on = 1: from the next block on, record who accessed each byte, so that a race is reported at its
 * second access. */
void check_remember(struct check *c, int on);

/* Record that a warp accesses the words "bits" of one cell. Returns those that it reads although
 * nothing has written them since the block began, or writes although a bulk copy still reads them;
 * 0: none. */
static inline uint64_t check_bits(struct check *c, int warp, size_t cell, uint64_t bits, int write)
{
    (write ? c->wrote : c->read)[cell * (size_t)c->warps + (size_t)warp] |= bits;
    if (!write) return bits & ~c->ever[cell];
    c->ever[cell] |= bits;
    c->any_writes = 1;
    return c->any_held ? bits & c->held[cell] : 0;
}

/* These functions record an access of one warp and return 0 if the access reads a word that nothing
 * has written since the block began, else 1. check_long_range: words first .. last; check_range:
 * bytes lo .. hi - 1; check_lanes: bytes at base + off[lane] for each of 32 lanes. */
int check_long_range(struct check *c, int warp, size_t first, size_t last, int write);
static inline int check_range(struct check *c, int warp, uint64_t lo, uint64_t hi, int write)
{
    size_t first = lo / 4, last = (hi - 1) / 4;
    if (first / 64 != last / 64) return check_long_range(c, warp, first, last, write);
    uint64_t bits = (~(uint64_t)0 >> (63 - (last - first))) << (first & 63);
    return check_bits(c, warp, first / 64, bits, write) == 0;
}
/* Records that each of the warps warp .. warp + count - 1 reads the bytes lo .. hi - 1. Returns 0
 * if nothing has written one of these words since the block began, else 1. */
static inline int check_same(struct check *c, int warp, int count, uint64_t lo, uint64_t hi)
{
    size_t first = lo / 4, last = (hi - 1) / 4, cell = first / 64;
    if (cell != last / 64) {
        int good = 1;
        for (int w = 0; w < count; w++) good &= check_long_range(c, warp + w, first, last, 0);
        return good;
    }
    uint64_t bits = (~(uint64_t)0 >> (63 - (last - first))) << (first & 63);
    for (int w = 0; w < count; w++) c->read[cell * (size_t)c->warps + (size_t)(warp + w)] |= bits;
    return (bits & ~c->ever[cell]) == 0;
}
int check_lanes(
    struct check *c, int warp, uint64_t base, const uint32_t off[32], unsigned bytes, int write);
/* Checks the access of one lane; a fault if it is an error. */
void check_lane(struct batch *v, const struct uop *u, int lane, uint64_t addr, unsigned bytes,
    int write, int atomic);

/* Checks one lane's access to its local memory. It is a fault if the lane reads an element that has
 * not been written, and uses the value. */
void check_local(struct batch *v, const struct uop *u, int lane, uint64_t addr, int write);

/* Records the local-memory access of a whole warp, and never faults. Returns 0 if the access of one
 * lane may be an error (check_local then reports it). */
int check_local_lanes(const struct access *x);

/* Is at least one of the words that hold these bytes written, in a launch that goes on after
 * findings? Then the read is no mistake: the rest is padding, or the end of a row that was loaded
 * by vectors. cells: one bit per word. */
int sim_partly(const struct batch *v, const uint64_t *cells, uint64_t addr, unsigned bytes);

/* A read of an unwritten word was found. unwritten_found leaves by longjmp; then the block runs
 * again to see who writes the word (unwritten_again), and unwritten_report reports the fault. If
 * the launch goes on after findings, so does the block, and unwritten_end reports at its end. */
void unwritten_found(
    struct batch *v, const struct uop *u, int lane, uint64_t addr, unsigned bytes, int atomic);
void unwritten_again(struct worker *w);
void unwritten_barrier(struct check *c);
void unwritten_report(struct worker *w);
void unwritten_end(struct worker *w);

/* ---- races between any two threads of a block, in some blocks (words.c) ---- */

/* Call words_start and words_end when a block starts and ends; words_barrier when accesses so far
 * can race with no later one; words_sync when lanes of this warp of the batch execute a .sync
 * instruction together. */
void words_start(struct worker *w);
void words_end(struct worker *w);
void words_stop(struct worker *w); /* look at no other access of the block */
/* If a race was found that ends the launch, do so. Called where nothing else has ended it. */
void words_throw(struct worker *w);
void words_barrier(struct worker *w);
void words_sync(struct batch *v, int warp);
/* Check an access for races, if worker.words is set. words_access: an access of whole warps, after
 * access_check has set x->host; words_lane: that of one lane. r: the region; NULL: shared memory.
 * host: host address of the bytes of the lane. */
void words_access(const struct access *x);
void words_lane(struct batch *v, const struct uop *u, int lane, const struct region *r,
    uint64_t addr, enum touch_kind kind, const unsigned char *host);

/* Call when a thread has passed an mbarrier. The mbarrier is treated like a barrier of the block:
 * accesses before it do not race with later ones. */
void check_mbarrier_passed(struct worker *w);
/* Call when all threads have arrived at a barrier or returned. Returns 0 if warps raced since the
 * previous barrier. */
int check_barrier_passed(struct check *c);

#endif
