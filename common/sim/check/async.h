/* async.h - shadow memory of asynchronous copies to shared memory. The rules are in async.c. */
#ifndef LOCKSTEP_SIM_ASYNC_H
#define LOCKSTEP_SIM_ASYNC_H

#include "sim/check/check.h"

/* For a block with so many words of shared memory and threads. The caller frees it with async_free. */
struct async *async_new(size_t words, int threads);
void async_free(struct async *a);
void async_start_block(struct async *a);
/* A lane begins to copy bytes to addr. */
void async_issue(struct batch *v, const struct uop *u, int lane, uint64_t addr, unsigned bytes);
/* The copies of a thread so far become a group; all but the last "left" groups are there; all copies so far
 * are there once a barrier of the block in shared memory says so. */
void async_commit(struct async *a, int thread);
void async_wait(struct async *a, int thread, uint32_t left);
void async_arrive(struct async *a, int thread);
/* What threads have waited for is there for all. at_wait: a thread has passed a barrier in shared memory. */
void async_barrier(struct check *c, int at_wait);
/* A lane reads or updates a word that nothing is known to have written. Returns 1 if an asynchronous copy of
 * its own warp has brought it; faults if one may not have; 0 if there was none. */
int async_allows(struct batch *v, const struct uop *u, int lane, uint64_t addr, unsigned bytes);

#endif
