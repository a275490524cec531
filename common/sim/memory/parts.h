/* parts.h - how evenly a launch uses the parts of memory: slices of the L2, partitions and rows of
 * DRAM. */
#ifndef LOCKSTEP_SIM_PARTS_H
#define LOCKSTEP_SIM_PARTS_H

#include "model/model.h"

struct launch;

/* ---- the slices of the L2 (exec/cost.c) ---- */

/* The rounds of global atomics at a slice. word: 0 before any; the address if all of them add
 * floats there; else SEVERAL. */
struct slice {
    uint64_t turns, word;
};
#define SEVERAL UINT64_MAX

static inline void slice_add(struct slice *to, const struct slice *s)
{
    to->turns += s->turns;
    if (s->word) to->word = to->word && to->word != s->word ? SEVERAL : s->word;
}

/* An atomic operation of one warp on global memory, and what it costs (exec/cost.c). mask 0: none
 * yet. */
enum { ATOMICS_KNOWN = 16 };
struct atomic_known {
    uint64_t addr[32];
    uint32_t mask;
    unsigned bytes;
    struct model_global cost;
    struct model_turns turns;
    int worded;        /* word is valid */
    uint64_t word[32]; /* for each line: the only word that lanes access, or SEVERAL */
};

/* ---- the partitions of DRAM (partitions.c) ---- */
struct partitions;
struct partitions *partitions_new(const struct launch *l); /* NULL: none, or no result wanted */
void partitions_free(struct partitions *q);
/* The next access of a warp: base plus off[] for lanes in mask. */
void partitions_access(struct partitions *q, uint64_t block, int warp, uint64_t base,
    const uint32_t off[32], uint32_t mask, unsigned bytes, int write);
/* The factor by which DRAM takes longer than with evenly busy partitions; 1 if there are
 * none. all: one for each host thread. */
double partitions_ratio(struct partitions **all, int n);

/* ---- the rows of DRAM (rows.c): as the partitions ---- */
struct rows;
struct rows *rows_new(const struct launch *l);
void rows_free(struct rows *r);
void rows_access(
    struct rows *r, uint64_t block, int warp, uint64_t base, const uint32_t off[32], uint32_t mask);
/* The factor by which DRAM takes longer than if it moved data all the time. */
double rows_ratio(struct rows **all, int n);

#endif
