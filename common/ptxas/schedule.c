/* schedule.c - the order that ptxas would give a basic block if it had enough registers.
 *
 *     ld a; add b, a; ld c; add d, c     as written: one load is waited for at a time
 *     ld a; ld c; add b, a; add d, c     both are in flight, and take one register more
 *
 * List scheduling, one instruction per clock: of the candidates whose inputs are ready, the one
 * with the longest path to the end of the block comes next. The candidates are the next WINDOW
 * instructions of the PTX and all loads from global memory: an address is not computed long before
 * it is needed. These stay in order: a result and the steps that read it; a store and other
 * accesses that may touch the same space; a barrier and all other steps. */

#include "ptxas/passes.h"

#include <stdlib.h>
#include <string.h>

enum {
    SPACES = SPACE_PARAM + 1,
    NONE = -1,
    WINDOW = 18 /* fitted to ptxas's register counts */
};

/* A dependence: step "to" must come later. next: the next edge from the same step, or NONE. */
struct edge {
    int to, next;
};

/* The dependence graph of a basic block, and the state of order_step while the graph is built.
 * Steps are numbered within the block. */
struct schedule {
    const struct ptx_step *steps;
    int count;
    struct edge *edges;
    size_t edge_count, edge_cap;
    int *edge;   /* for each step: its first edge, or NONE */
    int *before; /* for each step: how many of its dependences are not fulfilled yet */
    /* for each step, in clocks. ready: when its inputs are ready; left: length of the longest path
     * from the step to the end */
    int *ready, *left;
    /* for each virtual register: the last step that wrote it, and the last that read it; NONE: none
     * so far */
    int *writer, *reader;
    int *memory, memory_count; /* memory accesses since the last fence */
    /* store: the last store to each space; fence: the last fence; together: the last warp-wide or
     * volatile step; NONE: none so far */
    int store[SPACES], fence, together;
};

/* Clocks until the result of a step is ready. A load from global memory takes longer than other
 * work can hide. */
static int latency_of(const struct ptx_step *s)
{
    if (s->op == OP_LD && s->space == SPACE_PARAM) return 0;
    if (s->op == OP_LD && s->space == SPACE_CONST) return 10;
    if (s->op == OP_LD && s->space == SPACE_SHARED) return 30;
    return ptx_ops[s->op].clocks;
}

/* Add a dependence: step `to` comes after step `from`. Nothing happens if from is NONE or equals
 * to. */
static void after(struct schedule *c, int from, int to)
{
    if (from == NONE || from == to) return;
    *VEC_PUSH(c->edges, c->edge_count, c->edge_cap) = (struct edge){to, c->edge[from]};
    c->edge[from] = (int)c->edge_count - 1;
    c->before[to]++;
}

/* Can accesses to these two memory spaces touch the same bytes? */
static int overlap(enum ptx_space a, enum ptx_space b)
{
    return a == b || a == SPACE_GENERIC || b == SPACE_GENERIC;
}

/* A store comes after all earlier accesses to overlapping spaces; a load comes after the last store
 * to each of these spaces. Parameters, constants and read-only loads need no order, since nothing
 * writes that memory. */
static void order_memory(struct schedule *c, int i)
{
    const struct ptx_step *s = &c->steps[i];
    int writes = s->op == OP_ST || s->op == OP_ATOM;
    if (!writes && (s->op != OP_LD || s->space == SPACE_PARAM || s->space == SPACE_CONST ||
                       s->flags & FLAG_READONLY))
        return;
    for (int k = 0; writes && k < c->memory_count; k++)
        if (overlap(c->steps[c->memory[k]].space, s->space)) after(c, c->memory[k], i);
    for (int space = 0; !writes && space < SPACES; space++)
        if (overlap((enum ptx_space)space, s->space)) after(c, c->store[space], i);
    if (writes) c->store[s->space] = i;
    c->memory[c->memory_count++] = i;
}

/* The context of the callbacks below, which live_effects calls for each register that a step reads
 * or writes. */
struct effects {
    struct schedule *c;
    int step;
};

static void reads(void *ctx, int vreg)
{
    const struct effects *e = ctx;
    after(e->c, e->c->writer[vreg], e->step);
}

static void writes_after(void *ctx, int vreg)
{
    const struct effects *e = ctx;
    after(e->c, e->c->writer[vreg], e->step);
    after(e->c, e->c->reader[vreg], e->step);
}

static void has_read(void *ctx, int vreg)
{
    const struct effects *e = ctx;
    e->c->reader[vreg] = e->step;
}

static void has_written(void *ctx, int vreg)
{
    const struct effects *e = ctx;
    e->c->writer[vreg] = e->step;
    e->c->reader[vreg] = NONE;
}

static void forget(void *ctx, int vreg)
{
    const struct effects *e = ctx;
    e->c->writer[vreg] = e->c->reader[vreg] = NONE;
}

/* Add the dependences of step i on earlier steps:
 *
 * 1. registers; a later writer waits only for the last reader, as an approximation,
 * 2. the fence before step i, and memory accesses,
 * 3. warp-wide steps (shuffles, votes, matches) and volatile accesses stay in order among
 *    themselves,
 * 4. a fence comes after all steps since the previous fence. */
static void order_step(struct schedule *c, int i)
{
    const struct ptx_step *s = &c->steps[i];
    struct effects e = {c, i};
    live_effects(s, reads, writes_after, &e);
    live_effects(s, has_read, live_ignore, &e);
    live_effects(s, live_ignore, has_written, &e);
    after(c, c->fence, i);
    order_memory(c, i);
    if (ptx_ops[s->op].traits & PTX_WARP || s->flags & FLAG_VOLATILE) {
        after(c, c->together, i);
        c->together = i;
    }
    if (ptx_ops[s->op].traits & PTX_FENCE) {
        for (int k = c->fence == NONE ? 0 : c->fence; k < i; k++)
            if (!(c->steps[k].flags & FLAG_UNUSED)) after(c, k, i);
        c->fence = i;
        c->memory_count = 0;
    }
}

static int is_global_load(const struct ptx_step *s)
{
    return s->op == OP_LD && s->space == SPACE_GLOBAL;
}

/* The step to issue at this clock: of those that are ready, the one with the longest path to the
 * end; if none is ready, the step that will be ready first. Ties are resolved in PTX order. */
static int best_of(const struct schedule *c, const char *taken, int clock)
{
    int best = NONE, seen = 0;
    for (int i = 0; i < c->count; i++) {
        if (seen >= WINDOW && !is_global_load(&c->steps[i])) continue;
        if (!taken[i] && !(c->steps[i].flags & FLAG_FUSED)) seen++;
        if (taken[i] || c->before[i]) continue;
        int now = c->ready[i] <= clock, best_now = best != NONE && c->ready[best] <= clock;
        if (best == NONE || (now && (!best_now || c->left[i] > c->left[best])) ||
            (!now && !best_now && c->ready[i] < c->ready[best]))
            best = i;
    }
    return best;
}

/* Fills in order[]. Unused steps come first and take no clock. */
static void issue(struct schedule *c, int *order)
{
    char *taken = xcalloc((size_t)c->count, 1);
    int n = 0, clock = 0;
    for (int i = 0; i < c->count; i++)
        if (c->steps[i].flags & FLAG_UNUSED) {
            taken[i] = 1;
            order[n++] = i;
        }
    while (n < c->count) {
        int i = best_of(c, taken, clock);
        clock = c->ready[i] > clock ? c->ready[i] : clock;
        taken[i] = 1;
        order[n++] = i;
        for (int k = c->edge[i]; k != NONE; k = c->edges[k].next) {
            int to = c->edges[k].to, at = clock + latency_of(&c->steps[i]);
            c->ready[to] = at > c->ready[to] ? at : c->ready[to];
            c->before[to]--;
        }
        clock++;
    }
    free(taken);
}

static void fill(int *list, int count, int value)
{
    for (int i = 0; i < count; i++) list[i] = value;
}

/* In this order: build the dependence graph; compute the longest path from each step to the end;
 * issue the steps. */
void ptxas_schedule(const struct ptx_step *steps, int count, int *scratch, int vregs, int *order)
{
    int *lists = xcalloc((size_t)count * 5 + 1, sizeof *lists);
    struct schedule c = {.steps = steps,
        .count = count,
        .edge = lists,
        .before = lists + count,
        .ready = lists + 2 * count,
        .left = lists + 3 * count,
        .memory = lists + 4 * count,
        .writer = scratch,
        .reader = scratch + vregs,
        .fence = NONE,
        .together = NONE};
    fill(c.edge, count, NONE);
    fill(c.store, SPACES, NONE);
    for (int i = 0; i < count; i++)
        live_effects(&steps[i], forget, forget, &(struct effects){&c, i});
    for (int i = 0; i < count; i++)
        if (!(steps[i].flags & FLAG_UNUSED)) order_step(&c, i);
    for (int i = count; i-- > 0;) {
        for (int k = c.edge[i]; k != NONE; k = c.edges[k].next)
            c.left[i] = c.left[c.edges[k].to] > c.left[i] ? c.left[c.edges[k].to] : c.left[i];
        c.left[i] += latency_of(&steps[i]);
    }
    issue(&c, order);
    free(c.edges);
    free(lists);
}
