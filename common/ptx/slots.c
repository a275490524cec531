/* slots.c - slots that never are live together share one place; what nothing needs is left out.
 *
 * PTX has as many registers as the compiler cares to name: fewer stay in the processor's cache. What nothing needs is left out by ptxas:
 * it is executed here, but not counted. */
#include "ptx/flatten.h"
#include "ptx/live.h"

#include <stdlib.h>
#include <string.h>

static void stretch(struct live *l, int slot, int at)
{
    if (l->first[slot] < 0 || at < l->first[slot])
        l->first[slot] = at;
    if (at > l->last[slot])
        l->last[slot] = at;
}

struct stretch_walk {
    struct live *l;
    int at;
};

static void stretch_slot(void *ctx, int slot)
{
    struct stretch_walk *w = ctx;
    stretch(w->l, slot, w->at);
}

/* One interval a slot: from its first to its last step, over every block where it is live at an edge. */
static void intervals(struct live *l)
{
    const struct ptx_program *p = l->p;
    for (size_t b = 0; b < p->block_count; b++) {
        const struct ptx_block *x = &p->blocks[b];
        for (int slot = 0; slot < (int)p->slot_count; slot++) {
            if (live_has(l->in + b * l->words, slot))
                stretch(l, slot, x->first);
            if (live_has(l->out + b * l->words, slot))
                stretch(l, slot, x->first + x->count);
        }
        for (int i = 0; i < x->count; i++) {
            struct stretch_walk w = {l, x->first + i};
            live_effects(&p->steps[x->first + i], stretch_slot, stretch_slot, &w);
        }
    }
}

static int kind_of(enum ptx_type t)
{
    return t == PTX_PRED ? 0 : ptx_type_bytes(t) == 8 ? 2 : 1;
}

struct order {
    int slot, first;
};

static int by_first(const void *a, const void *b)
{
    const struct order *x = a, *y = b;
    return x->first != y->first ? (x->first < y->first ? -1 : 1) : (x->slot > y->slot) - (x->slot < y->slot);
}

/* Linear scan: take a place whose last user's interval has ended, else a new one. Two intervals that touch do not
 * share, since a step with several results may write one before it reads another. */
static void assign(struct live *l, int *place, struct ptx_slot **places, size_t *count)
{
    const struct ptx_program *p = l->p;
    struct order *order = xcalloc(p->slot_count, sizeof *order);
    int *free_at = NULL;
    size_t n = 0, cap = 0;
    for (size_t i = 0; i < p->slot_count; i++)
        order[i] = (struct order){(int)i, l->first[i]};
    qsort(order, p->slot_count, sizeof *order, by_first);
    size_t place_cap = 0;
    for (size_t i = 0; i < p->slot_count; i++) {
        int s = order[i].slot, got = -1;
        if (l->first[s] < 0) {
            place[s] = -1;
            continue;
        }
        for (size_t k = 0; k < *count && got < 0; k++)
            if (kind_of((*places)[k].type) == kind_of(p->slots[s].type) && free_at[k] < l->first[s])
                got = (int)k;
        if (got < 0) {
            got = (int)*count;
            VEC_PUSH(*places, *count, place_cap)->type = p->slots[s].type;
            VEC_PUSH(free_at, n, cap);
        }
        free_at[got] = l->last[s];
        place[s] = got;
    }
    free(order);
    free(free_at);
}

static void rename_slots(struct ptx_program *p, const int *place)
{
    for (size_t i = 0; i < p->step_count; i++) {
        struct ptx_step *s = &p->steps[i];
        for (int k = 0; k < s->dst_count; k++)
            if (s->dst[k] >= 0)
                s->dst[k] = place[s->dst[k]];
        if (s->dst_pair >= 0)
            s->dst_pair = place[s->dst_pair];
        for (int k = 0; k < s->src_count; k++)
            if (s->src[k].kind == SRC_REG)
                s->src[k].reg = place[s->src[k].reg];
        if (s->guard >= 0)
            s->guard = place[s->guard];
    }
}

/* An atomic operation whose old value nothing reads is a reduction: ptxas makes RED of it, which has no result. */
static void drop_unused_results(struct ptx_program *p)
{
    char *used = xcalloc(p->slot_count, 1);
    for (size_t i = 0; i < p->step_count; i++) {
        const struct ptx_step *s = &p->steps[i];
        for (int k = 0; k < s->src_count; k++)
            if (s->src[k].kind == SRC_REG)
                used[s->src[k].reg] = 1;
        for (int k = 0; s->op == OP_ST && k < s->dst_count; k++)
            used[s->dst[k]] = 1;
    }
    for (size_t i = 0; i < p->step_count; i++)
        if (p->steps[i].op == OP_ATOM && p->steps[i].dst[0] >= 0 && !used[p->steps[i].dst[0]])
            p->steps[i].dst[0] = -1;
    free(used);
}

/* Is it one that ptxas makes branches or a call of? Those stay, and so what they need, even if nothing needs their value. */
static int branches_inside(const struct ptx_step *s)
{
    static const char *const opcodes[] = {"div.s", "rem.s", "div.u64", "rem.u64", "div.u16", "rem.u16", "div.r", "sqrt.r", "rcp.r", "bfind.u64",
                                          "bfind.s64", "bfind.shiftamt.u64", "bfind.shiftamt.s64"};
    for (size_t i = 0; s->text && i < sizeof opcodes / sizeof *opcodes; i++)
        if (!strncmp(s->text, opcodes[i], strlen(opcodes[i])))
            return 1;
    return 0;
}

/* Does a step only make values of registers, whatever it is given? */
static int makes_values(const struct ptx_step *s)
{
    if (branches_inside(s))
        return 0;
    switch (s->op) {
    case OP_LD: return !(s->flags & FLAG_VOLATILE);
    case OP_CVTA: case OP_ISSPACEP: case OP_SREG: return 1;
    default: return ptx_ops[s->op].arity >= 0;
    }
}

static int is_wanted(const uint64_t *set, const struct ptx_step *s)
{
    int wanted = s->dst_pair >= 0 && live_has(set, s->dst_pair);
    for (int i = 0; i < s->dst_count; i++)
        wanted |= s->dst[i] >= 0 && live_has(set, s->dst[i]);
    return wanted;
}

/* One round: leave out what nothing wants, given what is left out already. Returns whether anything was found. */
static int leave_out(struct ptx_program *p)
{
    struct live l = live_new(p, 0);
    uint64_t *set = xcalloc(l.words, sizeof *set);
    int found = 0;
    for (size_t b = 0; b < p->block_count; b++) {
        const struct ptx_block *x = &p->blocks[b];
        memcpy(set, l.out + b * l.words, l.words * sizeof *set);
        for (int i = x->count; i-- > 0;) {
            struct ptx_step *s = &p->steps[x->first + i];
            if (s->flags & FLAG_UNUSED)
                continue;
            if (makes_values(s) && !is_wanted(set, s)) {
                s->flags |= FLAG_UNUSED;
                found = 1;
            } else {
                live_back_over(set, s);
            }
        }
    }
    free(set);
    live_free(&l);
    return found;
}

/* Source: loads whose value nothing needs are not in the machine code of an H200, of ptxas 13.0 with its optimiser off either; but for
 * those that such an instruction stands behind, each kind of which was tried with its optimiser off. */
void ptx_find_unused(struct ptx_program *p)
{
    drop_unused_results(p);
    while (leave_out(p))
        ;
}

void ptx_share_slots(struct ptx_program *p)
{
    struct live l = live_new(p, 1);
    l.first = xcalloc(p->slot_count, sizeof *l.first);
    l.last = xcalloc(p->slot_count, sizeof *l.last);
    for (size_t i = 0; i < p->slot_count; i++)
        l.first[i] = l.last[i] = -1;
    intervals(&l);
    int *place = xcalloc(p->slot_count, sizeof *place);
    struct ptx_slot *places = NULL;
    size_t count = 0;
    assign(&l, place, &places, &count);
    rename_slots(p, place);
    free(p->slots);
    p->slots = places;
    p->slot_count = p->slot_cap = count;
    free(place);
    live_free(&l);
    free(l.first);
    free(l.last);
}
