/* merge.c - lanes that reconverge before their immediate post-dominator.
 *
 *      b0: if (p       b0's lanes reconverge at b3 at the latest. Lanes that p sends to b2 come
 *     /  \             early: b1 has not run yet and leads to b2 as well. So they wait on the
 *    |   b1: || q)     stack, below b1. Lanes that q sends to b2 join them, and b2 runs once.
 *    |  /  \
 *    b2     |          (stack)  ... | join at b3 | b2 | b1
 *     \    /
 *      b3
 *
 * ptxas/reconverge.c finds the blocks where this can happen: here b2, whose field "diverged" is b0.
 * Only forward edges count: an edge back to the next iteration of a loop leads to no lane of this
 * iteration.
 *
 * This applies from compute capability 7.0 on. Before, a warp has one program counter and its lanes
 * reconverge at immediate post-dominators.
 *
 * Source: an H200's instruction counters by line. It runs the then-part of if (p || q) once, and
 * once each case of a switch that other cases fall into. */
#include "sim/machine.h"

#include <string.h>

/* NOWHERE: used in place of the index of a code block: the end of the kernel */
enum { NOWHERE = -1 };

/* Does the stack entry hold lanes that still have to run until they reconverge at r? Lanes that
 * wait at a barrier do not count. */
static int is_way(const struct entry *e, int r)
{
    return e->reconverge == r && e->waits < 0 && e->pc != NOWHERE;
}

/* Can lanes reconverge at code block pc before their immediate post-dominator? */
static int meets_early(const struct batch *v, int pc)
{
    return pc != NOWHERE && v->worker->kernel->blocks[pc].diverged >= 0 && batch_independent(v);
}

/* If an entry of the stack already waits to run code block pc on a path to r, add the lanes of mask
 * to it. Returns 0 if there is no such entry. */
static int join(struct batch *v, int pc, int r, const uint32_t mask[BATCH_WARPS])
{
    for (int i = v->depth - 1; i >= 0; i--) {
        struct entry *e = &v->stack[i];
        if (!is_way(e, r) || e->pc != pc) continue;
        for (int w = 0; w < BATCH_WARPS; w++) e->mask[w] |= mask[w];
        return 1;
    }
    return 0;
}

/* Push the lanes, or add them to an entry that already waits at pc. */
void batch_later(
    struct batch *v, int step, int pc, int reconverge, const uint32_t mask[BATCH_WARPS])
{
    if (!meets_early(v, pc) || !join(v, pc, reconverge, mask))
        batch_push(v, step, pc, reconverge, -1, mask);
}

/* Will lanes that are at code block pc come to v->pc, where the active lanes are? Yes if forward
 * edges lead there from pc, and pc comes after the block whose branch diverged. */
static int will_come(const struct batch *v, int pc)
{
    const struct sim_kernel *k = v->worker->kernel;
    int from = k->blocks[pc].home, here = k->blocks[v->pc].home,
        diverged = k->blocks[v->pc].diverged;
    return ptx_leads(k->program, from, here) && from != diverged &&
           !ptx_leads(k->program, from, diverged);
}

/* If other lanes will come to v->pc, make the active lanes wait for them: add them to an entry that
 * waits there already, or push a new entry and move it below the lowest entry that leads there.
 * Returns 1 if the active lanes wait now; the caller must then call batch_next. */
int batch_gives_way(struct batch *v)
{
    const struct sim_kernel *k = v->worker->kernel;
    int first = -1, last = v->depth;
    if (!meets_early(v, v->pc)) return 0;
    if (join(v, v->pc, v->reconverge, v->active)) return 1;
    for (int i = v->depth - 1; i >= 0; i--)
        if (is_way(&v->stack[i], v->reconverge) && will_come(v, v->stack[i].pc)) first = i;
    if (first < 0) return 0;
    batch_push(v, k->blocks[v->pc].first, v->pc, v->reconverge, -1, v->active);
    const struct entry mine = v->stack[last];
    memmove(&v->stack[first + 1], &v->stack[first], (size_t)(last - first) * sizeof mine);
    v->stack[first] = mine;
    return 1;
}

/* A back edge begins a new iteration, where lanes never wait for others. */
void batch_arrive(struct batch *v, const struct code_block *from)
{
    const struct code_block *blocks = v->worker->kernel->blocks;
    int turns = v->pc != NOWHERE && from->end == END_BRANCH && blocks[v->pc].order <= from->order;
    if (!turns && batch_gives_way(v)) batch_next(v);
}
