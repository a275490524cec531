/* async.h - shadow memory of asynchronous copies to shared memory. The rules are in async.c. */
#ifndef LOCKSTEP_SIM_ASYNC_H
#define LOCKSTEP_SIM_ASYNC_H

#include "sim/check/check.h"

/* The asynchronous copy that last filled a word. step: the copy's step in the program; -1: there is
 * none, or it no longer matters. thread: the thread that has to wait for the copy or, for a copy of
 * the copy engine, BULK_THREAD(index of the mbarrier that counts its bytes). group: the copy's
 * group or phase. */
struct flight {
    int step, thread;
    uint32_t group;
};
#define BULK_THREAD(barrier) (-1 - (barrier))

struct async {
    struct flight *word; /* the last copy to each word of shared memory */
    size_t words;
    int threads, any; /* threads: number of threads; any: some word is in flight */
    /* for each thread: number of groups that it has committed; new copies join the next group */
    uint32_t *closed;
    uint32_t *there; /* for each thread: number of groups that it has waited for */
    /* for each thread: number of groups whose completion it has left to an mbarrier */
    uint32_t *handed;
    /* for each thread: number of groups that it had waited for before the last barrier */
    uint32_t *for_all;
    /* For the copy engine (bulk.c). phases: for each mbarrier, the number of phases that have ended
     * (done) and, for each warp, the number of phases that it has waited for (seen). */
    struct phases {
        uint64_t addr;
        uint32_t done, *seen;
        /* flies: the current phase has copies; ahead: number of phases in flight when the end of
         * the current phase was first seen */
        int flies, ahead;
    } * phases;
    int flying; /* number of phases with copies whose end no warp has seen yet */
    size_t phase_count, phase_cap;
    struct begun {
        uint64_t addr;
        int step, thread; /* the step and the thread that initialized the mbarrier */
        int known;        /* a barrier of the block has passed since then */
        uint32_t ended;   /* how many phases have ended */
    } * begun;            /* mbarriers in use */
    size_t begun_count, begun_cap;
    struct waiter {
        uint64_t addr;
        int step;
        uint32_t lanes;
    } * waits; /* for each warp: the mbarrier whose phase its lanes last found incomplete */
    struct flight *held;
    uint32_t *stored;
    /* fenced: words that threads have stored since the last barrier and then fenced; unfenced:
     * words stored before that barrier without a fence. One bit per word. */
    uint64_t *fenced, *unfenced;
};

/* Allocates the state for a block with this many 4-byte words of shared memory and threads. The
 * caller frees it with async_free. */
struct async *async_new(size_t words, int threads);
void async_free(struct async *a);
void async_start_block(struct async *a);
/* Records that a lane starts to copy this many bytes to addr in shared memory. */
void async_issue(struct batch *v, const struct uop *u, int lane, uint64_t addr, unsigned bytes);
/* async_commit: the thread's copies so far form a group. async_wait: all groups of the thread but
 * the latest `left` are complete. async_arrive: the thread's copies so far are complete once an
 * mbarrier is passed. */
void async_commit(struct async *a, int thread);
void async_wait(struct async *a, int thread, uint32_t left);
void async_arrive(struct async *a, int thread);
/* At a barrier, copies that their threads have waited for become visible to all threads. at_wait:
 * the barrier is an mbarrier in shared memory whose wait a thread has passed. */
void async_barrier(struct check *c, int at_wait);
/* A lane reads or updates a word that counts as unwritten. Returns 1 if a completed asynchronous
 * copy of the lane's own warp wrote it, and 0 if no copy did; faults if a copy may still be in
 * flight. */
int async_allows(struct batch *v, const struct uop *u, int lane, uint64_t addr, unsigned bytes);

/* ---- copies by the copy engine (bulk.c) ---- */

/* Records that the instruction "step" starts to copy bytes to addr in shared memory; the mbarrier
 * at address "barrier" counts them. */
void bulk_issue(struct check *c, int step, uint64_t addr, uint64_t bytes, uint64_t barrier);
/* Records that the current phase of the mbarrier has ended. */
void bulk_phase(struct check *c, uint64_t barrier);
/* Records that a thread of this warp has waited for the end of a phase of the mbarrier. Returns how
 * many phases with copies were in flight when that end was first seen; 0 if the phase has no
 * copies, or the warp has seen its end before. */
int bulk_seen(struct check *c, int warp, uint64_t barrier);
/* Is a word that copy f filled visible to all threads? at_wait: a thread has passed an mbarrier
 * (not a barrier of all threads). */
int bulk_there(struct async *a, const struct flight *f, int at_wait);
/* Faults unless the warp of this lane has waited for copy f, which filled addr. */
void bulk_allows(
    struct batch *v, const struct uop *u, int lane, uint64_t addr, const struct flight *f);
/* Copies from shared to global memory. bulk_hold: a thread starts a copy of the bytes at addr.
 * bulk_commit: the thread's copies so far form a group. bulk_wait: all groups of the thread but the
 * latest `left` have been read. */
void bulk_hold(struct batch *v, const struct uop *u, int lane, uint64_t addr, uint64_t bytes);
void bulk_commit(struct batch *v, int lane);
void bulk_wait(struct batch *v, int lane, uint32_t left);
/* Faults if a lane writes bytes that a copy from shared memory still reads. */
void bulk_keeps(struct batch *v, const struct uop *u, int lane, uint64_t addr, uint64_t bytes);
/* Checks a copy's read or write of shared memory like an access by the thread that issued the
 * copy. */
void bulk_check(
    struct batch *v, const struct uop *u, int lane, uint64_t addr, uint64_t bytes, int read);
/* bulk_fence: records a fence by a warp between its stores and the copy engine. bulk_barrier:
 * records a barrier of the block. */
void bulk_fence(struct check *c, int warp);
void bulk_barrier(struct check *c);
/* Records that the step initializes the mbarrier. */
void async_begin(struct async *a, int step, int thread, uint64_t barrier);
/* A lane uses an mbarrier: a race if a thread of another warp has initialized it and no barrier of
 * the block has passed since then. */
void async_used(struct batch *v, const struct uop *u, int lane, uint64_t barrier);
/* Records which lanes of a warp have tested whether a phase of the mbarrier at addr has ended, and
 * for which of them it has not. */
void async_asked(
    struct async *a, int warp, int step, uint64_t addr, uint32_t asked, uint32_t waits);
/* Names the mbarrier at addr as the source does, such as full[1]. */
void async_name(const struct worker *w, uint64_t addr, char *out, size_t size);
/* How many bytes more than were announced the present phase of the mbarrier at addr has got. */
int async_unannounced(const struct worker *w, uint64_t addr);
/* For a block that does not end: do threads wait at mbarriers? If so, writes to out which threads
 * wait where, for which phase, and what is missing; the batch's first active lane comes first. */
int async_stuck(const struct batch *v, char *out, size_t size);
/* Faults if a copy may still read the block's shared memory. */
void bulk_end_block(struct worker *w);
/* Tells the mbarrier that bytes of a copy have arrived (exec/async.c). */
void async_complete(
    struct batch *v, const struct uop *u, int lane, uint64_t barrier, uint64_t bytes);

#endif
