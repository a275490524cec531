/* convergence_wait.c - lanes of a warp that wait for each other at different places of the program.
 *
 * A compiler may duplicate the code after a divergent branch, with its barrier, into both paths:
 *
 *      p?          The lanes of the first path wait at their barrier: their entry stays on the
 *    /    \        stack, marked as waiting. The other path is taken from the stack and runs until
 * bar #1  bar #2   it waits too. When all lanes that are needed have arrived, all continue.
 *    \    /
 *      r           (stack)  ... | join at r | bar #1, waits | bar #2, waits  ->  none waits any more
 *
 * Lanes that reached r wait there for lanes of entries above them, so they never arrive at a
 * barrier after r: a fault.
 *
 * A shuffle, vote or match waits in this way for the lanes in its mask. They must be at
 * instructions of the same kind with the same mask.
 *
 * From compute capability 7.0 on a barrier counts threads one by one. Before, a warp waits as a
 * whole, so its lanes must be at one instruction.
 *
 * Two barriers are copies of one __syncthreads() if they have the same position in the source. If
 * not, it is the learner's mistake.
 *
 * Source: PTX ISA, bar, barrier, shfl.sync, vote.sync, match.sync; CUDA C++ Programming Guide,
 * Independent Thread Scheduling. */
#include "sim/check/check.h"
#include "sim/check/names.h"

#include <string.h>

/* NOWHERE: used in place of the index of a code block: the end of the kernel */
enum { NOWHERE = -1 };

int sim_first_lane(const uint32_t mask[BATCH_WARPS])
{
    for (int w = 0; w < BATCH_WARPS; w++)
        if (mask[w]) return w * 32 + __builtin_ctz(mask[w]);
    return -1;
}

/* Push an entry for the lanes of mask, which continue at code block pc. waits: the step at which
 * the lanes wait for others; -1: they do not wait. A full stack is the learner's mistake: too many
 * nested divergent branches. */
void batch_push(
    struct batch *v, int step, int pc, int reconverge, int waits, const uint32_t mask[BATCH_WARPS])
{
    const struct uop at = {.step = step};
    if (v->depth == MAX_STACK)
        sim_fault(v, &at, -1, FAULT(.kind = FOUND_FAULT),
            "has branches that diverge more than %d deep", MAX_STACK);
    struct entry *e = &v->stack[v->depth++];
    e->pc = pc;
    e->reconverge = reconverge;
    e->waits = waits;
    e->turn = v->turn;
    memcpy(e->mask, mask, sizeof e->mask);
}

/* ---- barriers ---- */

/* Is a lane on the stack about to exit? Yes if only empty code blocks and unconditional branches
 * lead from its entry to the exit. The message then says that the lane returned. */
static int on_its_way_out(const struct batch *v, int lane)
{
    const struct sim_kernel *k = v->worker->kernel;
    int d = v->depth;
    while (d-- > 0 && !(v->stack[d].mask[lane / 32] >> (lane % 32) & 1))
        ;
    int pc = d >= 0 ? v->stack[d].pc : NOWHERE;
    for (size_t hops = 0; pc != NOWHERE && hops < k->block_count; hops++) {
        const struct code_block *b = &k->blocks[pc];
        if (b->count || (b->last >= 0 && k->uops[b->last].guard >= 0) || b->end == END_BARRIER ||
            b->end == END_WARP || b->end == END_TRAP)
            return 0;
        pc = b->end == END_EXIT ? NOWHERE : b->end == END_BRANCH ? b->target : b->next;
    }
    return pc == NOWHERE;
}

int barrier_lets_go(const struct batch *v)
{
    return (v->worker->check_off || v->worker->launch->notes) && batch_independent(v);
}

void barrier_missed(struct batch *v, int step, int lane, int absent)
{
    const struct uop at = {.step = step};
    int left = (v->exited[absent / 32] >> (absent % 32) & 1) || on_its_way_out(v, absent);
    char name[48];
    sim_thread_name(v, absent, name, sizeof name);
    sim_fault(v, &at, lane, FAULT(.kind = FOUND_BARRIER),
        "waits at a barrier that thread %s %s; every thread of a block must reach the same __syncthreads()",
        name,
        left ? "never reaches, since it returned before it"
             : "does not reach, since it took another way");
}

void barrier_left(struct batch *v, int step, int lane, const struct batch *o, int absent)
{
    const struct ptx_program *p = v->worker->kernel->program;
    const struct uop at = {.step = step};
    char name[48];
    if (!v->worker->launch->notes || v->worker->check_off || sim_known(v, &at, FOUND_BARRIER) ||
        !p->module->source || !in_condition(p->module->source, p->steps[step].loc.line))
        return;
    sim_thread_name(o, absent, name, sizeof name);
    sim_warn(v, &at, lane, FAULT(.kind = FOUND_BARRIER),
        "waits at a barrier in a condition, and thread %s ends without reaching it: GPUs from compute "
        "capability 7.0 on go on, CUDA does not promise it; take the __syncthreads() out of the condition",
        name);
}

/* Are the barriers at steps a and b the same instruction, or compiler-made copies of one? */
static int same_barrier(const struct sim_kernel *k, int a, int b)
{
    const struct ptx_step *x = &k->program->steps[a], *y = &k->program->steps[b];
    return a == b || (x->detail == y->detail && x->loc.file == y->loc.file &&
                         x->loc.line == y->loc.line && x->loc.col == y->loc.col);
}

void barrier_compare(
    struct batch *v, int step, int lane, struct batch *o, int other_step, int other_lane)
{
    const struct sim_kernel *k = v->worker->kernel;
    const struct uop at = {.step = step};
    char name[48];
    if (same_barrier(k, step, other_step)) return;
    sim_thread_name(o, other_lane, name, sizeof name);
    if (barrier_lets_go(v) &&
        k->program->steps[step].detail == k->program->steps[other_step].detail) {
        if (v->worker->check_off) return;
        sim_warn(v, &at, lane, FAULT(.kind = FOUND_BARRIER),
            "waits at a barrier while thread %s waits at another one, in line %d: GPUs let both go on, "
            "CUDA does not promise it; every thread of a block must reach the same __syncthreads()",
            name, k->program->steps[other_step].loc.line);
        return;
    }
    sim_fault(v, &at, lane, FAULT(.kind = FOUND_BARRIER),
        "waits at a barrier while thread %s waits at another one, in line %d; every thread of a block must "
        "reach the same __syncthreads()",
        name, k->program->steps[other_step].loc.line);
}

/* Called when two stack entries wait at different copies of one barrier. Before 7.0 that is a fault
 * if both hold lanes of the same warp. */
static void check_parted(struct batch *v, const struct entry *a, const struct entry *b)
{
    const struct uop at = {.step = a->waits};
    if (batch_independent(v)) return;
    for (int w = 0; w < v->warps; w++)
        if (a->mask[w] && b->mask[w]) {
            char name[48];
            sim_thread_name(v, w * 32 + __builtin_ctz(b->mask[w]), name, sizeof name);
            sim_fault(v, &at, w * 32 + __builtin_ctz(a->mask[w]), FAULT(.kind = FOUND_BARRIER),
                "waits at one of the copies that the compiler made of a barrier, and thread %s, of its warp, "
                "at another; before compute capability 7.0 a warp waits as a whole: take the __syncthreads() "
                "out of the branch",
                name);
        }
}

/* Called when no entry can run and all waiting ones wait at barriers. If every thread of the batch
 * has arrived, the batch as a whole waits at the barrier; if not, there is a fault. Messages name
 * the lowest lane that waits. */
static void pass_barrier(struct batch *v)
{
    const struct entry *first = NULL;
    uint32_t absent[BATCH_WARPS];
    memcpy(absent, v->exist, sizeof absent);
    for (int w = 0; w < BATCH_WARPS && barrier_lets_go(v); w++) absent[w] &= ~v->exited[w];
    for (int i = 0; i < v->depth; i++)
        if (v->stack[i].waits >= 0) {
            if (!first || sim_first_lane(v->stack[i].mask) < sim_first_lane(first->mask))
                first = &v->stack[i];
            for (int w = 0; w < BATCH_WARPS; w++) absent[w] &= ~v->stack[i].mask[w];
        }
    int out = sim_first_lane(v->exited);
    for (int l = 0; l < BATCH_LANES && barrier_lets_go(v); l++)
        if (absent[l / 32] >> (l % 32) & 1 && on_its_way_out(v, l)) {
            absent[l / 32] &= ~(1u << (l % 32));
            out = out < 0 || l < out ? l : out;
        }
    if (sim_first_lane(absent) >= 0)
        barrier_missed(v, first->waits, sim_first_lane(first->mask), sim_first_lane(absent));
    struct entry *end = v->stack + v->depth;
    for (struct entry *e = v->stack; e < end; e++)
        if (e->waits >= 0)
            barrier_compare(
                v, first->waits, sim_first_lane(first->mask), v, e->waits, sim_first_lane(e->mask));
    for (struct entry *e = v->stack; e < end; e++)
        for (struct entry *o = e + 1; o < end && e->waits >= 0; o++)
            if (o->waits >= 0) check_parted(v, e, o);
    if (out >= 0) barrier_left(v, first->waits, sim_first_lane(first->mask), v, out);
    v->barrier_step = first->waits;
    for (int i = 0; i < v->depth; i++) v->stack[i].waits = -1;
    batch_next(v);
    v->state = BATCH_WAITS;
}

/* ---- .sync instructions ---- */

/* Can lanes that wait at steps a and b execute these together? The steps must be the same
 * instruction with the same qualifiers. */
static int same_kind(const struct batch *v, int a, int b)
{
    const struct ptx_step *x = &v->worker->kernel->program->steps[a],
                          *y = &v->worker->kernel->program->steps[b];
    return x->op == y->op && x->detail == y->detail && x->type == y->type;
}

/* Does the entry wait at an instruction of this operation? */
static int waits_at(const struct batch *v, const struct entry *e, enum ptx_op op)
{
    return e->waits >= 0 && v->worker->kernel->program->steps[e->waits].op == op;
}

/* Finds the lanes of warp w that execute an instruction together with entry "first": join[i]
 * becomes 1 if entry i waits at the same kind of instruction with the same mask. Returns the lanes
 * that the mask names and that are still missing; 0 if all have arrived. */
static uint32_t gather(struct batch *v, int first, int w, uint8_t join[MAX_STACK])
{
    const struct uop *uops = v->worker->kernel->uops;
    const struct entry *e = &v->stack[first];
    int one, other;
    uint32_t live = v->exist[w] & ~v->exited[w],
             named = lanes_named(v, &uops[e->waits], w, e->mask[w], &one), on = e->mask[w];
    for (int i = 0; i < v->depth; i++) {
        const struct entry *o = &v->stack[i];
        join[i] = i == first;
        if (i == first || o->waits < 0 || !(o->mask[w] & named) ||
            !same_kind(v, e->waits, o->waits) || !one)
            continue;
        if (lanes_named(v, &uops[o->waits], w, o->mask[w], &other) != named || !other) continue;
        join[i] = 1;
        on |= o->mask[w];
    }
    return named & live & ~on;
}

/* Let lanes of warp w that wait at several places execute one instruction together: collect all
 * sources, then hand out all results. Before 7.0, different places are a fault. */
static void meet(struct batch *v, int first, int w, const uint8_t join[MAX_STACK])
{
    const struct uop *uops = v->worker->kernel->uops, *u = &uops[v->stack[first].waits];
    struct meeting m;
    memset(m.on, 0, sizeof m.on);
    memset(m.vote, 0, sizeof m.vote);
    for (int i = 0; i < v->depth; i++) {
        uint32_t mask[BATCH_WARPS] = {0};
        mask[w] = v->stack[i].mask[w];
        if (!join[i]) continue;
        if (i != first && !batch_independent(v))
            sim_fault(v, u, w * 32 + __builtin_ctz(v->stack[first].mask[w]),
                FAULT(.kind = FOUND_LANES),
                "executes %s while lane %d, which its mask names, does at another place; before compute "
                "capability 7.0 they must be at one instruction: take it out of the branch",
                v->worker->kernel->program->steps[u->step].text, __builtin_ctz(mask[w]));
        lanes_bring(v, &uops[v->stack[i].waits], mask, &m);
    }
    lanes_meet(v, u, &m);
    words_sync(v, w);
    for (int i = 0; i < v->depth; i++) {
        uint32_t mask[BATCH_WARPS] = {0};
        mask[w] = v->stack[i].mask[w];
        if (join[i]) lanes_take(v, &uops[v->stack[i].waits], mask, &m);
    }
}

/* Entry i no longer waits for the warps in "set" (one bit per warp). If other warps still wait
 * there, the released ones get an entry of their own above it. */
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

/* Release the lanes of every warp whose .sync instruction all named lanes have reached. Returns
 * whether there was such a warp. Entries are released at the end, since releasing changes the
 * stack. */
static int settle(struct batch *v)
{
    /* done: for each entry, the warps to release, one bit per warp */
    uint8_t join[MAX_STACK], done[MAX_STACK] = {0};
    int any = 0;
    for (int i = 0; i < v->depth; i++)
        for (int w = 0; w < v->warps; w++) {
            const struct entry *e = &v->stack[i];
            if (e->waits < 0 || waits_at(v, e, OP_BAR) || !e->mask[w] || done[i] >> w & 1 ||
                gather(v, i, w, join))
                continue;
            meet(v, i, w, join);
            for (int k = 0; k < v->depth; k++) done[k] |= (uint8_t)(join[k] << w);
            any = 1;
        }
    for (int i = 0, depth = v->depth; i < depth; i++)
        if (done[i]) release(v, i, done[i]);
    return any;
}

/* The lanes of mask wait at this .sync instruction; active lanes whose guard is false can continue
 * after it. */
void batch_park(struct batch *v, const struct uop *u, int next, const uint32_t mask[BATCH_WARPS])
{
    uint32_t off[BATCH_WARPS];
    for (int w = 0; w < BATCH_WARPS; w++) off[w] = v->active[w] & ~mask[w];
    if (sim_first_lane(off) >= 0) batch_push(v, u->step, next, v->reconverge, -1, off);
    batch_push(v, u->step, next, v->reconverge, u->step, mask);
    settle(v);
    batch_next(v);
}

/* Called when no entry can run. Unless barriers wait for exited lanes (barrier_lets_go), marks
 * lanes as exited that have nothing left to do but exit. Returns whether there are any. */
static int let_out(struct batch *v)
{
    uint32_t waiting[BATCH_WARPS] = {0};
    int any = 0;
    for (int i = 0; i < v->depth; i++)
        for (int w = 0; v->stack[i].waits >= 0 && w < BATCH_WARPS; w++)
            waiting[w] |= v->stack[i].mask[w];
    for (int l = 0; l < v->warps * 32 && barrier_lets_go(v); l++) {
        uint32_t bit = 1u << l % 32;
        if ((v->exist[l / 32] & ~v->exited[l / 32] & ~waiting[l / 32] & bit) &&
            on_its_way_out(v, l))
            any = 1, v->exited[l / 32] |= bit;
    }
    return any;
}

/* Called when no entry can run. A fault if a lane waits at a .sync instruction for a lane that
 * never comes; the message names the lowest such lane. Returns 1 if lanes have exited, so that
 * others may run; 0: all lanes wait at barriers. */
static int check_named(struct batch *v)
{
    uint8_t join[MAX_STACK];
    const struct entry *first = NULL;
    for (int i = 0; i < v->depth; i++) {
        const struct entry *e = &v->stack[i];
        if (e->waits >= 0 && !waits_at(v, e, OP_BAR) &&
            (!first || sim_first_lane(e->mask) < sim_first_lane(first->mask)))
            first = e;
    }
    if (!first) return 0;
    if (let_out(v)) return 1;
    const struct uop *u = &v->worker->kernel->uops[first->waits];
    int w = sim_first_lane(first->mask) / 32, one;
    uint32_t absent = gather(v, (int)(first - v->stack), w, join);
    for (uint32_t m = first->mask[w]; m; m &= m - 1) {
        uint32_t named = lanes_named(v, u, w, m & (0u - m), &one);
        if (named & absent)
            sim_fault(v, u, w * 32 + __builtin_ctz(m), FAULT(.kind = FOUND_LANES),
                "waits for lane %d, which is named in the mask 0x%08x but took another way",
                __builtin_ctz(named & absent), named);
    }
    return 0;
}

/* ---- which entry runs next ---- */

/* The topmost entry that can run: it does not wait, and no entry above holds any of its lanes. -1
 * if there is no such entry. */
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
        if (v->stack[i].waits < 0 && !both) return i;
    }
    return -1;
}

/* Take the next entry from the stack and run its lanes:
 *
 *   - lanes that have exited are dropped, and so are entries without lanes
 *   - if nothing can run, release .sync instructions, else pass the barrier, else fault
 *   - lanes that are already where they reconverge continue as part of the entry below
 *   - lanes that can reconverge early may wait again (merge.c)
 *
 * With an empty stack the batch is done. */
void batch_next(struct batch *v)
{
    while (v->depth > 0) {
        int waits = v->stack[v->depth - 1].waits >= 0, i = waits ? runnable(v) : v->depth - 1;
        if (i < 0) {
            if (settle(v)) /* called since the missing lanes may have exited */
                continue;
            if (check_named(v)) continue;
            pass_barrier(v);
            return;
        }
        const struct entry e = v->stack[i];
        memmove(&v->stack[i], &v->stack[i + 1], (size_t)(--v->depth - i) * sizeof e);
        uint32_t mask[BATCH_WARPS], any = 0;
        for (int w = 0; w < BATCH_WARPS; w++) any |= mask[w] = e.mask[w] & ~v->exited[w];
        if (!any) continue;
        batch_set_active(v, mask);
        v->pc = e.pc;
        v->reconverge = e.reconverge;
        if ((v->pc != v->reconverge || v->pc == NOWHERE) &&
            (waits || !v->depth || !batch_gives_way(v)))
            return;
    }
    v->state = BATCH_DONE;
}
