/* live.h - which registers are live where (live.c); sets of slots, a bit each. */
#ifndef LOCKSTEP_PTX_LIVE_H
#define LOCKSTEP_PTX_LIVE_H

#include "ptx/ptx.h"

struct live {
    const struct ptx_program *p;
    size_t words;         /* 64-bit words of a set */
    uint64_t *in, *out;   /* a set a block */
    int all;              /* steps that ptxas leaves out read registers, too: they are executed here */
    int *first, *last;    /* of each slot: the steps between which it must keep its place */
};

static inline void live_add(uint64_t *set, int slot)
{
    set[slot >> 6] |= (uint64_t)1 << (slot & 63);
}

static inline void live_drop(uint64_t *set, int slot)
{
    set[slot >> 6] &= ~((uint64_t)1 << (slot & 63));
}

static inline int live_has(const uint64_t *set, int slot)
{
    return set[slot >> 6] >> (slot & 63) & 1;
}

/* Call use(ctx, slot) for each slot that a step reads, def for each it writes. A store's values are in dst, and are read. */
void live_effects(const struct ptx_step *s, void (*use)(void *, int), void (*def)(void *, int), void *ctx);
void live_ignore(void *ctx, int slot); /* nothing: for either of the two */
/* From what is live behind a step to what is live before it. */
void live_back_over(uint64_t *set, const struct ptx_step *s);
/* live_free it. */
struct live live_new(const struct ptx_program *p, int all);
void live_free(struct live *l);

#endif
