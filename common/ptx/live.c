/* live.c - liveness analysis: at each point, the virtual registers whose value a later step may
 * read.
 *
 *      live after     what the successors of the block need at their start
 *      a step         live before = live after - what it writes + what it reads
 *      live before    the same, from the last step of the block to the first
 *
 * All blocks are visited, in backward order, until no set changes: loops need more than one pass.
 * Source: the textbook's liveness analysis (Aho, Lam, Sethi, Ullman, 9.2.5). */
#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

void live_effects(
    const struct ptx_step *s, void (*use)(void *, int), void (*def)(void *, int), void *ctx)
{
    for (int i = 0; i < s->dst_count; i++)
        if (s->dst[i] >= 0) {
            if (s->op == OP_ST)
                use(ctx, s->dst[i]);
            else
                def(ctx, s->dst[i]);
        }
    if (s->dst_pair >= 0) def(ctx, s->dst_pair);
    for (int i = 0; i < s->src_count; i++)
        if (s->src[i].kind == SRC_REG) use(ctx, s->src[i].reg);
    for (int i = 0; i < s->more_count; i++) use(ctx, s->more[i]);
    if (s->guard >= 0) use(ctx, s->guard);
}

static void into(void *set, int vreg) { live_add(set, vreg); }

static void out_of(void *set, int vreg) { live_drop(set, vreg); }

void live_ignore(void *ctx, int vreg)
{
    (void)ctx;
    (void)vreg;
}

/* Registers that the step writes are removed first, then those that it reads are added, since a
 * step may read a register that it also writes. A guarded step keeps the old value in lanes whose
 * guard is false, so the old value stays live. */
void live_back_over(uint64_t *set, const struct ptx_step *s)
{
    if (s->guard < 0) live_effects(s, live_ignore, out_of, set);
    live_effects(s, into, live_ignore, set);
}

/* Do reads of this step count? Reads of steps with FLAG_UNUSED do only if the caller of live_new
 * has set `all`. */
static int counts_for(const struct live *l, const struct ptx_step *s)
{
    return l->all || !(s->flags & FLAG_UNUSED);
}

/* One pass over all blocks, the last one first. Returns whether any set has grown. */
static int flow_once(struct live *l)
{
    const struct ptx_program *p = l->p;
    int changed = 0;
    uint64_t *set = xcalloc(l->words, sizeof *set);
    for (size_t b = p->block_count; b-- > 0;) {
        const struct ptx_block *x = &p->blocks[b];
        uint64_t *out = l->out + b * l->words, *in = l->in + b * l->words;
        const int to[2] = {x->end == END_EXIT     ? -1
                           : x->end == END_BRANCH ? x->target
                                                  : -1,
            x->end == END_BRANCH && p->steps[x->first + x->count - 1].guard < 0 ? -1 : x->next};
        for (int k = 0; k < 2; k++)
            for (size_t i = 0; to[k] >= 0 && i < l->words; i++)
                out[i] |= l->in[(size_t)to[k] * l->words + i];
        memcpy(set, out, l->words * sizeof *set);
        for (int i = x->count; i-- > 0;)
            if (counts_for(l, &p->steps[x->first + i]))
                live_back_over(set, &p->steps[x->first + i]);
        if (memcmp(in, set, l->words * sizeof *set)) {
            memcpy(in, set, l->words * sizeof *set);
            changed = 1;
        }
    }
    free(set);
    return changed;
}

struct live live_new(const struct ptx_program *p, int all)
{
    struct live l = {.p = p, .words = (p->vreg_count + 63) / 64, .all = all};
    l.in = xcalloc(p->block_count * l.words, sizeof *l.in);
    l.out = xcalloc(p->block_count * l.words, sizeof *l.out);
    while (flow_once(&l))
        ;
    return l;
}

void live_free(struct live *l)
{
    free(l->in);
    free(l->out);
}
