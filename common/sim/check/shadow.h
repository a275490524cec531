/* footprint.h - the lines of global memory that a block has touched: racecheck and initcheck (footprint.c). */
#ifndef LOCKSTEP_SIM_FOOTPRINT_H
#define LOCKSTEP_SIM_FOOTPRINT_H

#include "sim/machine.h"

/* How a thread touches a word. */
enum touch_kind { TOUCH_READ, TOUCH_UPDATE /* atomic */, TOUCH_WRITE };

struct footprint;
struct footprint *footprint_new(int block_warps);
void footprint_free(struct footprint *f);
void footprint_start_block(struct footprint *f);
void footprint_barrier(struct footprint *f); /* all threads have met */
/* The block has ended well: what it wrote is told to the buffers' bitmaps. */
void footprint_end_block(struct footprint *f);

/* Does an access to this region want a look at all? write: or atomic. */
int footprint_watches(const struct worker *w, const struct region *r, int write);
/* A load or store of all lanes of the convoy, whose addresses are p at the bases of a. 0: something is amiss, or may be;
 * going lane by lane will tell. */
int footprint_compact(struct convoy *v, const struct uop *u, const struct pattern *p, const struct reg *a, int write);
/* One lane's access of bytes at addr, which lie in r; faults by itself. */
void footprint_lane(struct convoy *v, const struct uop *u, int lane, const struct region *r, uint64_t addr, enum touch_kind kind);
/* A warp's fence, and its atomic operation: after a fence it hands over, and takes over, what other warps touched. */
void footprint_fence(struct convoy *v, int warp);
void footprint_atomic(struct convoy *v, int warp);

#endif
