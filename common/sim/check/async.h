/* async.h - shadow memory of asynchronous copies to shared memory. The rules are in async.c. */
#ifndef LOCKSTEP_SIM_ASYNC_H
#define LOCKSTEP_SIM_ASYNC_H

#include "sim/check/check.h"

/* The copy that last filled a word; step -1: none that still matters. thread: the thread that waits
 * for it, or BULK_THREAD of the barrier that counts its bytes. */
struct flight {
    int step, thread;
    uint32_t group;
};
#define BULK_THREAD(barrier) (-1 - (barrier))

struct async {
    struct flight *word; /* by word of shared memory */
    size_t words;
    int threads, any;  /* any: some word is in flight */
    uint32_t *closed;  /* by thread: groups that are complete; copies go to the next one */
    uint32_t *there;   /* groups that it has waited for */
    uint32_t *handed;  /* groups that it has handed to a barrier in shared memory */
    uint32_t *for_all; /* groups waited for before the last barrier */
    /* For the copy engine (bulk.c): by barrier in shared memory, phases that have ended and those
     * that each warp has waited for; by word, the copy that reads it; by thread, its complete
     * groups. */
    struct phases {
        uint64_t addr;
        uint32_t done, *seen;
        /* the current phase has copies; phases in flight when its end was first seen */
        int flies, ahead;
    } * phases;
    int flying; /* phases with copies whose end nobody has seen */
    size_t phase_count, phase_cap;
    struct begun {
        uint64_t addr;
        int step;
    } * begun; /* barriers in shared memory, and what began each */
    size_t begun_count, begun_cap;
    struct flight *held;
    uint32_t *stored;
    /* Words that threads stored, a bit each: before a fence, since the last barrier; with none,
     * before it. */
    uint64_t *fenced, *unfenced;
};

/* For a block with the given number of shared-memory words and threads. The caller frees it with
 * async_free. */
struct async *async_new(size_t words, int threads);
void async_free(struct async *a);
void async_start_block(struct async *a);
/* A lane begins to copy bytes to addr. */
void async_issue(struct batch *v, const struct uop *u, int lane, uint64_t addr, unsigned bytes);
/* The thread's copies so far become a group; all groups but the last "left" are complete; all
 * copies so far are complete once a barrier in shared memory passes. */
void async_commit(struct async *a, int thread);
void async_wait(struct async *a, int thread, uint32_t left);
void async_arrive(struct async *a, int thread);
/* Copies that threads have waited for are complete for all. at_wait: a thread has passed a barrier
 * in shared memory. */
void async_barrier(struct check *c, int at_wait);
/* A lane reads or updates a word that nothing is known to have written. Returns 1 if an
 * asynchronous copy of its own warp has brought it; faults if one may not have; 0 if there was
 * none. */
int async_allows(struct batch *v, const struct uop *u, int lane, uint64_t addr, unsigned bytes);

/* ---- copies by the copy engine (bulk.c) ---- */

/* The instruction "step" copies bytes to addr; the barrier counts them. */
void bulk_issue(struct check *c, int step, uint64_t addr, uint64_t bytes, uint64_t barrier);
/* The phase of a barrier has ended; a thread of a warp has seen it. */
void bulk_phase(struct check *c, uint64_t barrier);
/* Returns how many phases with copies were in flight when its end was first seen; 0: it has none,
 * or the warp has seen it before. */
int bulk_seen(struct check *c, int warp, uint64_t barrier);
/* Is the copied word available to all threads? at_wait: a thread has passed a barrier in shared
 * memory. */
int bulk_there(struct async *a, const struct flight *f, int at_wait);
/* Faults if the lane's warp has not waited for the copy. */
void bulk_allows(
    struct batch *v, const struct uop *u, int lane, uint64_t addr, const struct flight *f);
/* A thread copies bytes at addr to global memory; its copies so far become a group; all but the
 * last "left" groups have been read. */
void bulk_hold(struct batch *v, const struct uop *u, int lane, uint64_t addr, uint64_t bytes);
void bulk_commit(struct batch *v, int lane);
void bulk_wait(struct batch *v, int lane, uint32_t left);
/* Faults if a lane writes what a copy still reads. */
void bulk_keeps(struct batch *v, const struct uop *u, int lane, uint64_t addr, uint64_t bytes);
/* A copy reads, or writes, shared memory: checked like the accesses of its thread. */
void bulk_check(
    struct batch *v, const struct uop *u, int lane, uint64_t addr, uint64_t bytes, int read);
/* A fence of a warp for the copy engine; a barrier of all, or in shared memory. */
void bulk_fence(struct check *c, int warp);
void bulk_barrier(struct check *c);
void async_begin(struct async *a, int step, uint64_t barrier); /* a step begins it */
/* Is the block stuck at barriers in shared memory, and on what? */
int async_stuck(const struct worker *w, char *out, size_t size);
void bulk_end_block(struct worker *w); /* faults if a copy may still read the block's memory */
/* The bytes of a copy have come (exec/async.c). */
void async_complete(
    struct batch *v, const struct uop *u, int lane, uint64_t barrier, uint64_t bytes);

#endif
