/* shadow.h - shadow memory of the lines of global memory that a block has touched. The rules are in
 * shadow.c. */
#ifndef LOCKSTEP_SIM_SHADOW_H
#define LOCKSTEP_SIM_SHADOW_H

#include "sim/machine.h"

/* One for each worker, used for one block after the other. The caller frees it with shadow_free. */
struct shadow;
struct shadow *shadow_new(int block_warps);
void shadow_free(struct shadow *f);
void shadow_start_block(struct shadow *f, int sm);
void shadow_barrier(struct shadow *f); /* all threads have arrived at a barrier */
/* The block has ended without an error: add what it wrote to the bitmaps of its regions. */
void shadow_end_block(struct shadow *f);

/* Has a multiprocessor accessed a word that belongs to another one (memory/regions.h: sim_own)? */
int shadow_meets(const struct shadow *f);

/* Must accesses to this region be checked at all? write: a store or an atomic operation. */
int shadow_watches(const struct worker *w, const struct region *r, int write);
/* An access of warps to one region. Returns 0 if there may be an error; then the caller goes lane by
 * lane, and shadow_lane reports it. */
struct access;
int shadow_access(const struct access *x);
/* One lane's access to the region r at addr; stops the launch with a message if the access is an
 * error. */
void shadow_lane(struct batch *v, const struct uop *u, int lane, const struct region *r,
    uint64_t addr, enum touch_kind kind);
/* A warp's fence, and its atomic operation. An atomic operation after a fence clears all touches of
 * the block. */
void shadow_fence(struct batch *v, int warp);
void shadow_atomic(struct batch *v, int warp);

/* ---- reports (shadow_told.c): both stop the launch ---- */

/* A race with an access of another thread, at the step by of the program. wrote: that one wrote,
 * else it read or updated. */
void shadow_tell_race(struct batch *v, const struct uop *u, int lane, const struct region *r,
    uint64_t addr, enum touch_kind kind, int thread, int by, int wrote);
void shadow_tell_unwritten(struct batch *v, const struct uop *u, int lane, const struct region *r,
    uint64_t addr, enum touch_kind kind);
/* Does the lane store the value that the word at addr already holds, and is that accepted? */
int shadow_same_value(struct batch *v, const struct uop *u, int lane, const struct region *r,
    uint64_t addr, uint64_t access);

#endif
