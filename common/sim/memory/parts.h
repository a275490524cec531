/* parts.h - how evenly a launch uses the parts of the memory system: slices of the L2, partitions
 * and rows of DRAM. */
#ifndef LOCKSTEP_SIM_PARTS_H
#define LOCKSTEP_SIM_PARTS_H

#include "model/model.h"

struct launch;

/* ---- the slices of the L2 (exec/cost.c) ---- */

/* Rounds of global atomics in one slice of the L2. word: 0 if there were none so far; the address
 * if all of them add floats to the same word; else SEVERAL. */
struct slice {
    uint64_t turns, word;
};
#define SEVERAL UINT64_MAX

static inline void slice_add(struct slice *to, const struct slice *s)
{
    to->turns += s->turns;
    if (s->word) to->word = to->word && to->word != s->word ? SEVERAL : s->word;
}

/* A cached atomic operation of one warp on global memory: its addresses and its cost (exec/cost.c).
 * mask = 0: the entry is empty. */
enum { ATOMICS_KNOWN = 16 };
struct atomic_known {
    uint64_t addr[32];
    uint32_t mask;
    unsigned bytes;
    struct model_global cost;
    struct model_turns turns;
    int worded;        /* 1: the array word is valid */
    uint64_t word[32]; /* for each line in `turns`: the only word that lanes access, or SEVERAL */
};

/* ---- the partitions of DRAM (partitions.c) ---- */
struct partitions;
/* NULL: the GPU has no partitions, or no counts are wanted. */
struct partitions *partitions_new(const struct launch *l);
void partitions_free(struct partitions *q);
/* Record the next access of a warp: the lanes in mask access base + off[lane]. */
void partitions_access(struct partitions *q, uint64_t block, int warp, uint64_t base,
    const uint32_t off[32], uint32_t mask, unsigned bytes, int write);
/* The factor by which DRAM takes longer than if its partitions were evenly busy; 1 if it has no
 * partitions. all: n objects, one for each host thread. */
double partitions_ratio(struct partitions **all, int n);

/* ---- the rows of DRAM (rows.c), with the same functions as for partitions ---- */
struct rows;
struct rows *rows_new(const struct launch *l);
void rows_free(struct rows *r);
void rows_access(
    struct rows *r, uint64_t block, int warp, uint64_t base, const uint32_t off[32], uint32_t mask);
/* The factor by which DRAM takes longer, because it opens rows, than if it moved data all the time.
 * all: n objects, one for each host thread. */
double rows_ratio(struct rows **all, int n);

#endif
