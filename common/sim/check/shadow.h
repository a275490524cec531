/* shadow.h - shadow memory of global memory: records, by cache line, what a block has accessed. The
 * rules are in shadow.c. */
#ifndef LOCKSTEP_SIM_SHADOW_H
#define LOCKSTEP_SIM_SHADOW_H

#include "sim/machine.h"

/* The shadow memory of global memory. Each worker (a slot of a resident block) has one, which it
 * uses for one block after the other. The caller frees it with shadow_free. */
struct shadow;
struct shadow *shadow_new(int block_warps, int across);
void shadow_free(struct shadow *f);
void shadow_start_block(struct shadow *f, int sm);
/* To be called when all threads have arrived at a barrier. */
void shadow_barrier(struct shadow *f);
/* Call when the block has ended without an error: marks the bytes that the block wrote in the
 * bitmaps of their memory regions. */
void shadow_end_block(struct shadow *f);

/* Call when a block of a launch that compares blocks (struct launch: across) has ended: reports
 * races with blocks that ended before it. */
void shadow_compare(struct worker *w);

/* Has this multiprocessor accessed a word that another multiprocessor owns (memory/regions.h:
 * sim_own)? */
int shadow_meets(const struct shadow *f);

/* Do accesses to this region need checks at all? write: the access is a store or an atomic
 * operation. */
int shadow_watches(const struct worker *w, const struct region *r, int write);
/* Checks the accesses of warps to one region. Returns 0 if there may be an error. The caller must
 * then call shadow_lane for each lane, which reports the error. */
struct access;
int shadow_access(const struct access *x);
/* Checks one lane's access to region r at addr; a fault if the access is an error. */
void shadow_lane(struct batch *v, const struct uop *u, int lane, const struct region *r,
    uint64_t addr, enum touch_kind kind);
/* shadow_fence: record a warp's fence. shadow_atomic: record a warp's atomic operation. An atomic
 * operation after a fence of the same warp synchronizes: all accesses of the block so far are
 * forgotten. */
void shadow_fence(struct batch *v, int warp);
void shadow_atomic(struct batch *v, int warp);

/* ---- reports (shadow_told.c): each stops the launch, unless the launch goes on after findings;
 * shadow_same_value reports nothing ---- */

/* Reports a race of this lane with an earlier access by another thread of the block, in step "by"
 * of the program. wrote: the earlier access was a write; else a read or an atomic. */
void shadow_tell_race(struct batch *v, const struct uop *u, int lane, const struct region *r,
    uint64_t addr, enum touch_kind kind, int thread, int by, int wrote);
void shadow_tell_unwritten(struct batch *v, const struct uop *u, int lane, const struct region *r,
    uint64_t addr, enum touch_kind kind);
/* Does the lane store the value that the word at addr already holds, and does the launch accept
 * that (same_value_ok)? access: the address of the lane's whole access. */
int shadow_same_value(struct batch *v, const struct uop *u, int lane, const struct region *r,
    uint64_t addr, uint64_t access);

#endif
