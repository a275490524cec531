/* cfg.h - shared between cfg.c (blocks, dominators), regions.c (where the lanes of a branch meet), masks.c (in which masks
 * they wait there) and yields.c (where they yield).
 * Blocks are indices into p->blocks; their number, p->block_count, stands for the exit. */
#ifndef LOCKSTEP_PTX_CFG_H
#define LOCKSTEP_PTX_CFG_H

#include "ptx/ptx.h"

/* Where control goes from block b: up to two blocks or the exit; returns how many. */
int cfg_successors(const struct ptx_program *p, int b, int to[2]);
/* Set order of p's blocks. Returns the blocks in their order, behind a -1 for each that nothing leads to; the caller frees it. */
int *cfg_number(struct ptx_program *p);
/* The same list, of blocks whose order is set. */
int *cfg_sorted(const struct ptx_program *p);
/* Of a program of more blocks than this nothing is known of who leads where: its lanes meet at post-dominators. */
enum { CFG_BLOCKS_MOST = 4096 }; /* 2 MiB of bits */
/* Add a block to p where jumps back come together before a loop's next turn (latches.c). Blocks have been cut. */
void cfg_make_latches(struct ptx_program *p);
/* Where block b leads to a loop's next turn: past its latch. */
static inline int cfg_past_latch(const struct ptx_program *p, int b)
{
    return b < (int)p->block_count && p->blocks[b].is_latch ? p->blocks[b].target : b;
}
/* Of each block its immediate dominator, going forward; -1: it has none. sorted: the blocks in their order, behind a -1 for each that
 * nothing leads to. The caller frees it. */
int *cfg_dominators(const struct ptx_program *p, const int *sorted);
/* The block through which every way to a and to b goes, as far as dominators are known. */
int cfg_common_dominator(const struct ptx_program *p, const int *dom, int a, int b);
/* How many instructions of its own ptxas counts for a block (weights.c); 0 for one that only leads to another. differs: as cfg_parting
 * has it. */
unsigned cfg_weight(const struct ptx_program *p, int block, const char *differs);
/* Of each block whether its branch parts the lanes of a warp, as ptxas sees it (varying.c); *differs: of each register whether its value
 * does. The caller frees both. */
char *cfg_parting(const struct ptx_program *p, char **differs);
/* How much a block has to do, in additions, for the question whether lanes meet before it; CFG_MUCH_WORK is enough (weights.c). */
enum { CFG_MUCH_WORK = 11 };
unsigned cfg_work(const struct ptx_program *p, int block);
/* Do lanes on their way to the join wait for each other at a barrier in that block, with little work before it? */
int cfg_meets_at_barrier(const struct ptx_program *p, int join);
/* Set parted, loop, around, opens and opens_loop of p's blocks. */
void cfg_find_regions(struct ptx_program *p, const int *sorted);
/* Is block b in the loop whose first block is first? Loops have been found. */
int cfg_in_loop(const struct ptx_program *p, int b, int first);
/* By register: may it differ between lanes, by the data that it comes from? The caller frees it. */
char *cfg_varying(const struct ptx_program *p);
/* Set yields of p and its blocks; regions have been found. */
void cfg_find_yields(struct ptx_program *p);
/* Set open of p, and mask and free_mask of its blocks; regions have been found. */
void cfg_number_masks(struct ptx_program *p);

#endif
