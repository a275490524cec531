/* cfg.h - shared between cfg.c (blocks, dominators) and regions.c (where the lanes of a branch meet). Blocks are indices into
 * p->blocks; their number, p->block_count, stands for the exit. */
#ifndef LOCKSTEP_PTX_CFG_H
#define LOCKSTEP_PTX_CFG_H

#include "ptx/ptx.h"

/* Where control goes from block b: up to two blocks or the exit; returns how many. */
int cfg_successors(const struct ptx_program *p, int b, int to[2]);
/* Of each block its immediate dominator, going forward; -1: it has none. sorted: the blocks in their order, behind a -1 for each that
 * nothing leads to. The caller frees it. */
int *cfg_dominators(const struct ptx_program *p, const int *sorted);
/* The block through which every way to a and to b goes, as far as dominators are known. */
int cfg_common_dominator(const struct ptx_program *p, const int *dom, int a, int b);
/* Set p->blocks[..].parted. */
void cfg_find_regions(struct ptx_program *p, const int *sorted);

#endif
