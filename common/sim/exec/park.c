/* park.c - lanes that wait for each other at different places of the program.
 *
 * A compiler may copy what stands behind a divergent branch into both of its arms, a barrier among it:
 *
 *          p?              the first arm parks at its barrier: its entry stays on the stack, with where it goes on,
 *        /    \            but waits. The other arm is taken out of the stack and runs until it waits, too. When every
 *     bar #1  bar #2       lane that is needed has arrived, all go on.
 *        \    /
 *          r               (stack)  ... | join at r | bar #1, waits | bar #2, waits  ->  none waits any more
 *
 * Lanes that reached r wait there for the arms above them and never arrive: the error that is reported.
 *
 * Shuffles, votes and matches wait so for the lanes that their mask names, at instructions of the same kind with the same
 * mask. From compute capability 7.0 on threads are scheduled independently, and a barrier counts them one by one; before, a
 * warp waits as a whole, so its lanes must be at one instruction. Source: PTX ISA, bar, barrier, shfl.sync, vote.sync,
 * match.sync; CUDA C++ Programming Guide, Independent Thread Scheduling. That copies are meant by one __syncthreads() shows
 * in their place in the source; two of them in the two arms are the learner's mistake. */
#include "sim/machine.h"

#include <string.h>

enum { NOWHERE = -1 };

int sim_first_lane(const uint32_t mask[BATCH_WARPS])
{
    for (int w = 0; w < BATCH_WARPS; w++)
        if (mask[w])
            return w * 32 + __builtin_ctz(mask[w]);
    return -1;
}

void batch_push(struct batch *v, int step, int pc, int reconverge, int waits, const uint32_t mask[BATCH_WARPS])
{
    const struct uop at = {.step = step};
    if (v->depth == MAX_STACK)
        sim_fault(v, &at, -1, "has branches that diverge more than %d deep", MAX_STACK);
    struct entry *e = &v->stack[v->depth++];
    e->pc = pc;
    e->reconverge = reconverge;
    e->waits = waits;
    e->turn = v->turn;
    memcpy(e->mask, mask, sizeof e->mask);
}

/* ---- barriers ---- */

/* Does a lane that waits for its turn have nothing left to do but return? */
static int on_its_way_out(const struct batch *v, int lane)
{
    const struct sim_kernel *k = v->worker->kernel;
    int d = v->depth;
    while (d-- > 0 && !(v->stack[d].mask[lane / 32] >> (lane % 32) & 1))
        ;
    int pc = d >= 0 ? v->stack[d].pc : NOWHERE;
    for (size_t hops = 0; pc != NOWHERE && hops < k->block_count; hops++) {
        const struct code_block *b = &k->blocks[pc];
        if (b->count || (b->last >= 0 && k->uops[b->last].guard >= 0) || b->end == END_BARRIER || b->end == END_WARP || b->end == END_TRAP)
            return 0;
        pc = b->end == END_EXIT ? NOWHERE : b->end == END_BRANCH ? b->target : b->next;
    }
    return pc == NOWHERE;
}

void barrier_missed(struct batch *v, int step, int lane, int absent)
{
    const struct uop at = {.step = step};
    int left = (v->exited[absent / 32] >> (absent % 32) & 1) || on_its_way_out(v, absent);
    char name[48];
    sim_thread_name(v, absent, name, sizeof name);
    sim_fault(v, &at, lane, "waits at a barrier that thread %s %s; every thread of a block must reach the same __syncthreads()",
              name, left ? "never reaches, since it returned before it" : "does not reach, since it took another way");
}

/* Are two barriers one and the same, or copies of one in the source? */
static int same_barrier(const struct sim_kernel *k, int a, int b)
{
    const struct ptx_step *x = &k->program->steps[a], *y = &k->program->steps[b];
    return a == b || (x->detail == y->detail && x->loc.file == y->loc.file && x->loc.line == y->loc.line && x->loc.col == y->loc.col);
}

void barrier_compare(struct batch *v, int step, int lane, struct batch *o, int other_step, int other_lane)
{
    const struct sim_kernel *k = v->worker->kernel;
    const struct uop at = {.step = step};
    char name[48];
    if (same_barrier(k, step, other_step))
        return;
    sim_thread_name(o, other_lane, name, sizeof name);
    sim_fault(v, &at, lane, "waits at a barrier while thread %s waits at another one, in line %d; every thread of a block must reach the same __syncthreads()",
              name, k->program->steps[other_step].loc.line);
}

/* Two groups of parked lanes at copies of one barrier: does the GPU let lanes of a warp wait so? */
static void check_parted(struct batch *v, const struct entry *a, const struct entry *b)
{
    const struct uop at = {.step = a->waits};
    if (v->worker->launch->profile->cc_major >= 7)
        return;
    for (int w = 0; w < v->warps; w++)
        if (a->mask[w] && b->mask[w]) {
            char name[48];
            sim_thread_name(v, w * 32 + __builtin_ctz(b->mask[w]), name, sizeof name);
            sim_fault(v, &at, w * 32 + __builtin_ctz(a->mask[w]), "waits at one of the copies that the compiler made of a barrier, and thread %s, of its "
                      "warp, at another; before compute capability 7.0 a warp waits as a whole: take the __syncthreads() out of the branch", name);
        }
}

/* Nothing can run but what is parked at barriers: has every thread arrived? */
static void pass_barrier(struct batch *v)
{
    const struct entry *first = NULL;
    uint32_t absent[BATCH_WARPS];
    memcpy(absent, v->exist, sizeof absent);
    for (int i = 0; i < v->depth; i++)
        if (v->stack[i].waits >= 0) {
            if (!first || sim_first_lane(v->stack[i].mask) < sim_first_lane(first->mask))
                first = &v->stack[i];
            for (int w = 0; w < BATCH_WARPS; w++)
                absent[w] &= ~v->stack[i].mask[w];
        }
    if (sim_first_lane(absent) >= 0)
        barrier_missed(v, first->waits, sim_first_lane(first->mask), sim_first_lane(absent));
    struct entry *end = v->stack + v->depth;
    for (struct entry *e = v->stack; e < end; e++)
        if (e->waits >= 0)
            barrier_compare(v, first->waits, sim_first_lane(first->mask), v, e->waits, sim_first_lane(e->mask));
    for (struct entry *e = v->stack; e < end; e++)
        for (struct entry *o = e + 1; o < end && e->waits >= 0; o++)
            if (o->waits >= 0)
                check_parted(v, e, o);
    v->barrier_step = first->waits;
    for (int i = 0; i < v->depth; i++)
        v->stack[i].waits = -1;
    batch_next(v);
    v->state = BATCH_WAITS;
}

/* ---- .sync instructions ---- */

/* Do two steps wait for each other? The same instruction, with the same qualifiers. */
static int same_kind(const struct batch *v, int a, int b)
{
    const struct ptx_step *x = &v->worker->kernel->program->steps[a], *y = &v->worker->kernel->program->steps[b];
    return x->op == y->op && x->detail == y->detail && x->type == y->type;
}

static int waits_at(const struct batch *v, const struct entry *e, enum ptx_op op)
{
    return e->waits >= 0 && v->worker->kernel->program->steps[e->waits].op == op;
}

/* The lanes of a warp that meet where entry first waits: those of entries that wait at the same kind of instruction with
 * the same mask. join[i]: entry i is one of them. Returns those that are named but do not come, or 0. */
static uint32_t gather(struct batch *v, int first, int w, uint8_t join[MAX_STACK])
{
    const struct uop *uops = v->worker->kernel->uops;
    const struct entry *e = &v->stack[first];
    int one, other;
    uint32_t live = v->exist[w] & ~v->exited[w], named = lanes_named(v, &uops[e->waits], w, e->mask[w], &one), on = e->mask[w];
    for (int i = 0; i < v->depth; i++) {
        const struct entry *o = &v->stack[i];
        join[i] = i == first;
        if (i == first || o->waits < 0 || !(o->mask[w] & named) || !same_kind(v, e->waits, o->waits) || !one)
            continue;
        if (lanes_named(v, &uops[o->waits], w, o->mask[w], &other) != named || !other)
            continue;
        join[i] = 1;
        on |= o->mask[w];
    }
    return named & live & ~on;
}

/* Lanes of a warp at several places execute one instruction together. */
static void meet(struct batch *v, int first, int w, const uint8_t join[MAX_STACK])
{
    const struct uop *uops = v->worker->kernel->uops, *u = &uops[v->stack[first].waits];
    struct meeting m;
    memset(m.on, 0, sizeof m.on);
    memset(m.vote, 0, sizeof m.vote);
    for (int i = 0; i < v->depth; i++) {
        uint32_t mask[BATCH_WARPS] = {0};
        mask[w] = v->stack[i].mask[w];
        if (!join[i])
            continue;
        if (i != first && v->worker->launch->profile->cc_major < 7)
            sim_fault(v, u, w * 32 + __builtin_ctz(v->stack[first].mask[w]), "executes %s while lane %d, which its mask names, does at another place; "
                      "before compute capability 7.0 they must be at one instruction: take it out of the branch",
                      v->worker->kernel->program->steps[u->step].text, __builtin_ctz(mask[w]));
        lanes_bring(v, &uops[v->stack[i].waits], mask, &m);
    }
    lanes_meet(v, u, &m);
    for (int i = 0; i < v->depth; i++) {
        uint32_t mask[BATCH_WARPS] = {0};
        mask[w] = v->stack[i].mask[w];
        if (join[i])
            lanes_take(v, &uops[v->stack[i].waits], mask, &m);
    }
}

/* The warps of set, a bit each, no longer wait where entry i does. */
static void release(struct batch *v, int i, unsigned set)
{
    struct entry *e = &v->stack[i];
    uint32_t mask[BATCH_WARPS], left = 0;
    for (int w = 0; w < BATCH_WARPS; w++) {
        mask[w] = set >> w & 1 ? e->mask[w] : 0;
        left |= e->mask[w] &= ~mask[w];
    }
    if (left) {
        batch_push(v, e->waits, e->pc, e->reconverge, -1, mask);
        return;
    }
    memcpy(e->mask, mask, sizeof mask);
    e->waits = -1;
}

/* Let those go on whose warp's other lanes have arrived. 0: nobody can. */
static int settle(struct batch *v)
{
    uint8_t join[MAX_STACK], done[MAX_STACK] = {0}; /* done: a bit a warp */
    int any = 0;
    for (int i = 0; i < v->depth; i++)
        for (int w = 0; w < v->warps; w++) {
            const struct entry *e = &v->stack[i];
            if (e->waits < 0 || waits_at(v, e, OP_BAR) || !e->mask[w] || done[i] >> w & 1 || gather(v, i, w, join))
                continue;
            meet(v, i, w, join);
            for (int k = 0; k < v->depth; k++)
                done[k] |= (uint8_t)(join[k] << w);
            any = 1;
        }
    for (int i = 0, depth = v->depth; i < depth; i++)
        if (done[i])
            release(v, i, done[i]);
    return any;
}

void batch_park(struct batch *v, const struct uop *u, int next, const uint32_t mask[BATCH_WARPS])
{
    uint32_t off[BATCH_WARPS];
    for (int w = 0; w < BATCH_WARPS; w++)
        off[w] = v->active[w] & ~mask[w];
    if (sim_first_lane(off) >= 0)
        batch_push(v, u->step, next, v->reconverge, -1, off);
    batch_push(v, u->step, next, v->reconverge, u->step, mask);
    settle(v);
    batch_next(v);
}

/* Nothing can run: the first lane that waits for one that does not come. */
static void check_named(struct batch *v)
{
    uint8_t join[MAX_STACK];
    const struct entry *first = NULL;
    for (int i = 0; i < v->depth; i++) {
        const struct entry *e = &v->stack[i];
        if (e->waits >= 0 && !waits_at(v, e, OP_BAR) && (!first || sim_first_lane(e->mask) < sim_first_lane(first->mask)))
            first = e;
    }
    if (!first)
        return;
    const struct uop *u = &v->worker->kernel->uops[first->waits];
    int w = sim_first_lane(first->mask) / 32, one;
    uint32_t absent = gather(v, (int)(first - v->stack), w, join);
    for (uint32_t m = first->mask[w]; m; m &= m - 1) {
        uint32_t named = lanes_named(v, u, w, m & (0u - m), &one);
        if (named & absent)
            sim_fault(v, u, w * 32 + __builtin_ctz(m), "waits for lane %d, which is named in the mask 0x%08x but took another way",
                      __builtin_ctz(named & absent), named);
    }
}

/* ---- who goes on ---- */

/* The topmost entry that does not wait, nor for one above it; -1: there is none. */
static int runnable(const struct batch *v)
{
    uint32_t above[BATCH_WARPS] = {0};
    for (int i = v->depth - 1; i >= 0; i--) {
        uint32_t both = 0;
        for (int w = 0; w < BATCH_WARPS; w++) {
            uint32_t live = v->stack[i].mask[w] & ~v->exited[w];
            both |= live & above[w];
            above[w] |= live;
        }
        if (v->stack[i].waits < 0 && !both)
            return i;
    }
    return -1;
}

void batch_next(struct batch *v)
{
    while (v->depth > 0) {
        int waits = v->stack[v->depth - 1].waits >= 0, i = waits ? runnable(v) : v->depth - 1;
        if (i < 0) {
            if (settle(v)) /* those that were missing have ended meanwhile */
                continue;
            check_named(v);
            pass_barrier(v);
            return;
        }
        const struct entry e = v->stack[i];
        memmove(&v->stack[i], &v->stack[i + 1], (size_t)(--v->depth - i) * sizeof e);
        uint32_t mask[BATCH_WARPS], any = 0;
        for (int w = 0; w < BATCH_WARPS; w++)
            any |= mask[w] = e.mask[w] & ~v->exited[w];
        if (!any)
            continue;
        batch_set_active(v, mask);
        v->pc = e.pc;
        v->reconverge = e.reconverge;
        if ((v->pc != v->reconverge || v->pc == NOWHERE) && (waits || !v->depth || !batch_gives_way(v)))
            return;
    }
    v->state = BATCH_DONE;
}
