/* shadow.h - the lines of global memory that a block has touched: racecheck and initcheck (shadow.c). */
#ifndef LOCKSTEP_SIM_FOOTPRINT_H
#define LOCKSTEP_SIM_FOOTPRINT_H

#include "sim/machine.h"

/* How a thread touches a word. */
enum touch_kind { TOUCH_READ, TOUCH_UPDATE /* atomic */, TOUCH_WRITE };

struct shadow;
struct shadow *shadow_new(int block_warps);
void shadow_free(struct shadow *f);
void shadow_start_block(struct shadow *f);
void shadow_barrier(struct shadow *f); /* all threads have met */
/* The block has ended well: what it wrote is told to the buffers' bitmaps. */
void shadow_end_block(struct shadow *f);

/* Does an access to this region want a look at all? write: or atomic. */
int shadow_watches(const struct worker *w, const struct region *r, int write);
/* A load or store of all lanes of the batch, whose addresses are p at the bases of a. 0: something is amiss, or may be;
 * going lane by lane will tell. */
int shadow_compact(struct batch *v, const struct uop *u, const struct pattern *p, const struct reg *a, int write);
/* One lane's access of bytes at addr, which lie in r; faults by itself. */
void shadow_lane(struct batch *v, const struct uop *u, int lane, const struct region *r, uint64_t addr, enum touch_kind kind);
/* A warp's fence, and its atomic operation: after a fence it hands over, and takes over, what other warps touched. */
void shadow_fence(struct batch *v, int warp);
void shadow_atomic(struct batch *v, int warp);

#endif
