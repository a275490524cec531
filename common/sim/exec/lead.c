/* lead.c - how many instructions, and how many multiply-adds and mma, a warp executes between an
 * asynchronous copy (cp.async) and its wait for the copy. Only these instructions can hide the
 * latency of the copy.
 *
 *     copy  copy  commit  ...  copy  commit  ...  wait 1
 *     └──┬─────┘                                     │
 *        └── lead of the first group's two copies ───┘
 *
 * For each group, the number of copies is kept, and the sum of the moments at which they began. */
#include "sim/machine.h"

#include <stdlib.h>
#include <string.h>

/* Committed groups that are kept separately; the copies of older groups are added to the oldest. */
enum { GROUPS = 16 };

struct lead {
    struct group {
        struct moment began;
        uint32_t copies;
    } group[GROUPS + 1], /* [0]: not committed yet; [1]: committed last; [2]: before that; ... */
        handed;          /* copies whose end an mbarrier waits for (CPGROUP_ARRIVE) */
};

static struct lead *lead_of(const struct batch *v, int w)
{
    struct worker *own = v->worker;
    if (!own->leads) own->leads = xcalloc((size_t)own->launch->block_warps, sizeof *own->leads);
    return &own->leads[v->index * BATCH_WARPS + w];
}

void lead_start_block(struct worker *w)
{
    if (w->leads) memset(w->leads, 0, (size_t)w->launch->block_warps * sizeof *w->leads);
}

int lead_multiplies(const struct ptx_step *s)
{
    int multiplies = s->op == OP_fma_f32 || s->op == OP_MMA || s->flags & FLAG_CONTRACTED;
    return !(s->flags & FLAGS_UNCOUNTED) && multiplies;
}

struct moment lead_moment(const struct batch *v, const struct uop *u, int w)
{
    const struct sim_kernel *k = v->worker->kernel;
    const struct code_block *b = &k->blocks[v->pc];
    const struct before *here = &k->before[u->step];
    return (struct moment){v->ran[w] - (uint64_t)b->counted + here->counted,
        v->multiplied[w] - (uint64_t)b->multiply_adds + here->multiply_adds};
}

static void add(struct group *to, struct group *from)
{
    to->began.ran += from->began.ran;
    to->began.multiplied += from->began.multiplied;
    to->copies += from->copies;
    *from = (struct group){0};
}

static void settle(struct sim_step_counts *n, struct group *g, struct moment now)
{
    n->led += g->copies;
    n->lead += g->copies * now.ran - g->began.ran;
    n->hidden += g->copies * now.multiplied - g->began.multiplied;
    *g = (struct group){0};
}

void lead_copy(const struct batch *v, const struct uop *u, int w)
{
    struct group one = {lead_moment(v, u, w), 1};
    add(lead_of(v, w)->group, &one);
}

void lead_group(const struct batch *v, const struct uop *u, int w, uint32_t left)
{
    struct lead *l = lead_of(v, w);
    struct sim_step_counts *n = &v->worker->steps[u->step];
    switch (u->detail) {
    case CPGROUP_ARRIVE: add(&l->handed, &l->group[0]); break;
    case CPGROUP_COMMIT:
        add(&l->group[GROUPS], &l->group[GROUPS - 1]);
        memmove(&l->group[1], &l->group[0], (GROUPS - 1) * sizeof *l->group);
        l->group[0] = (struct group){0};
        break;
    case CPGROUP_WAIT_ALL: settle(n, &l->group[0], lead_moment(v, u, w)); /* fallthrough */
    default:
        for (uint32_t i = left + 1; i <= GROUPS; i++) settle(n, &l->group[i], lead_moment(v, u, w));
    }
}

void lead_passed(const struct batch *v, const struct uop *u, int w)
{
    struct group *handed = &lead_of(v, w)->handed;
    if (handed->copies) settle(&v->worker->steps[u->step], handed, lead_moment(v, u, w));
}
