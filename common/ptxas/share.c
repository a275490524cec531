/* share.c - lets virtual registers that are never live at the same time share a place in memory.
 *
 *     %r1  |-----|                   place 0: %r1, then %r3
 *     %r2     |--------|             place 1: %r2
 *     %r3          |-----|           (steps of the program from left to right)
 *
 * The simulator then keeps fewer registers for each thread, and more threads' registers fit into
 * the host's cache. Results and counts stay the same.
 *
 * Source: Poletto and Sarkar, Linear Scan Register Allocation. */
#include "ptxas/passes.h"

#include <stdlib.h>
#include <string.h>

/* Extend the interval of a register to include step "at". */
static void stretch(struct live *l, int vreg, int at)
{
    if (l->first[vreg] < 0 || at < l->first[vreg]) l->first[vreg] = at;
    if (at > l->last[vreg]) l->last[vreg] = at;
}

/* The context of stretch_vreg, which live_effects calls for each register that a step reads or
 * writes. */
struct stretch_walk {
    struct live *l;
    int at;
};

static void stretch_vreg(void *ctx, int vreg)
{
    struct stretch_walk *w = ctx;
    stretch(w->l, vreg, w->at);
}

/* Computes an interval for each virtual register, from its first to its last step. The interval
 * includes the start or end of each basic block at which the register is live. first remains -1 for
 * a register that no step uses. */
static void intervals(struct live *l)
{
    const struct ptx_program *p = l->p;
    for (size_t b = 0; b < p->block_count; b++) {
        const struct ptx_block *x = &p->blocks[b];
        for (int vreg = 0; vreg < (int)p->vreg_count; vreg++) {
            if (live_has(l->in + b * l->words, vreg)) stretch(l, vreg, x->first);
            if (live_has(l->out + b * l->words, vreg)) stretch(l, vreg, x->first + x->count);
        }
        for (int i = 0; i < x->count; i++) {
            struct stretch_walk w = {l, x->first + i};
            live_effects(&p->steps[x->first + i], stretch_vreg, stretch_vreg, &w);
        }
    }
}

/* The kind of a register; only registers of one kind share places: predicates; values of up to 32
 * bits; values of 64 bits. */
static int kind_of(enum ptx_type t) { return t == PTX_PRED ? 0 : ptx_type_bytes(t) == 8 ? 2 : 1; }

/* A virtual register and the start of its interval, to sort by. */
struct order {
    int vreg, first;
};

static int by_first(const void *a, const void *b)
{
    const struct order *x = a, *y = b;
    return x->first != y->first ? (x->first < y->first ? -1 : 1)
                                : (x->vreg > y->vreg) - (x->vreg < y->vreg);
}

/* Linear scan in order of the starts: each register gets a place whose last interval has ended,
 * else a new place. Intervals that touch do not share a place, because a step with several results
 * may write a register before it reads another. place: for each virtual register, its place; -1 if
 * no step uses it. The caller frees *places. */
static void assign(struct live *l, int *place, struct ptx_vreg **places, size_t *count)
{
    const struct ptx_program *p = l->p;
    struct order *order = xcalloc(p->vreg_count, sizeof *order);
    int *free_at = NULL;
    size_t n = 0, cap = 0;
    for (size_t i = 0; i < p->vreg_count; i++) order[i] = (struct order){(int)i, l->first[i]};
    qsort(order, p->vreg_count, sizeof *order, by_first);
    size_t place_cap = 0;
    for (size_t i = 0; i < p->vreg_count; i++) {
        int s = order[i].vreg, got = -1;
        if (l->first[s] < 0) {
            place[s] = -1;
            continue;
        }
        for (size_t k = 0; k < *count && got < 0; k++)
            if (kind_of((*places)[k].type) == kind_of(p->vregs[s].type) && free_at[k] < l->first[s])
                got = (int)k;
        if (got < 0) {
            got = (int)*count;
            VEC_PUSH(*places, *count, place_cap)->type = p->vregs[s].type;
            VEC_PUSH(free_at, n, cap);
        }
        free_at[got] = l->last[s];
        place[s] = got;
    }
    free(order);
    free(free_at);
}

/* Replace registers by their places in all results, sources and guards. */
static void rename_vregs(struct ptx_program *p, const int *place)
{
    for (size_t i = 0; i < p->step_count; i++) {
        struct ptx_step *s = &p->steps[i];
        for (int k = 0; k < s->dst_count; k++)
            if (s->dst[k] >= 0) s->dst[k] = place[s->dst[k]];
        if (s->dst_pair >= 0) s->dst_pair = place[s->dst_pair];
        for (int k = 0; k < s->src_count; k++)
            if (s->src[k].kind == SRC_REG) s->src[k].reg = place[s->src[k].reg];
        for (int k = 0; k < s->more_count; k++) s->more[k] = place[s->more[k]];
        if (s->guard >= 0) s->guard = place[s->guard];
    }
}

/* Liveness counts unused steps as well, because the simulator executes them. */
void ptxas_share(struct ptx_program *p, const struct ptxas_target *t)
{
    (void)t;
    struct live l = live_new(p, 1);
    l.first = xcalloc(p->vreg_count, sizeof *l.first);
    l.last = xcalloc(p->vreg_count, sizeof *l.last);
    for (size_t i = 0; i < p->vreg_count; i++) l.first[i] = l.last[i] = -1;
    intervals(&l);
    int *place = xcalloc(p->vreg_count, sizeof *place);
    struct ptx_vreg *places = NULL;
    size_t count = 0;
    assign(&l, place, &places, &count);
    rename_vregs(p, place);
    free(p->vregs);
    p->vregs = places;
    p->vreg_count = p->vreg_cap = count;
    free(place);
    live_free(&l);
    free(l.first);
    free(l.last);
}
