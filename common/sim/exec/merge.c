/* merge.c - lanes that meet before their post-dominator.
 *
 *          b0: if (p           b0's lanes meet at b3 at the latest. Those that p sends to b2 are early there: a way that
 *         /  \                 is still to be run, b1, leads to b2 as well. So they wait on the stack, below it, and
 *        |   b1: || q)         those that q sends to b2 join them. b2 is run once.
 *        |  /  \
 *        b2     |              (stack)  ... | join at b3 | b2 | b1
 *         \    /
 *          b3
 *
 * Which blocks those are ptx/regions.c finds, b2 here. Going forward only: a jump back, to a loop's next turn, leads to nobody of this
 * turn. Source: an H200 runs the then-part of if (p || q) once, and once a case of a switch that others fall into
 * (tests/kernels/reconverge.cu; ncu's instructions by line). For older GPUs nothing is known of it: before compute capability 7.0, where a
 * warp has one program counter, lanes meet at post-dominators. */
#include "sim/machine.h"

#include <string.h>

enum { NOWHERE = -1 };

/* Do lanes have their turn at an entry on their way to r? */
static int is_way(const struct entry *e, int r)
{
    return e->reconverge == r && e->waits < 0 && e->pc != NOWHERE;
}

static int meets_early(const struct batch *v, int pc)
{
    return pc != NOWHERE && v->worker->kernel->blocks[pc].diverged >= 0 && v->worker->launch->profile->cc_major >= 7;
}

static int join(struct batch *v, int pc, int r, const uint32_t mask[BATCH_WARPS])
{
    for (int i = v->depth - 1; i >= 0; i--) {
        struct entry *e = &v->stack[i];
        if (!is_way(e, r) || e->pc != pc)
            continue;
        for (int w = 0; w < BATCH_WARPS; w++)
            e->mask[w] |= mask[w];
        return 1;
    }
    return 0;
}

void batch_later(struct batch *v, int step, int pc, int reconverge, const uint32_t mask[BATCH_WARPS])
{
    if (!meets_early(v, pc) || !join(v, pc, reconverge, mask))
        batch_push(v, step, pc, reconverge, -1, mask);
}

/* Do lanes at block pc lead to where this batch's lanes are, from between there and where they parted? */
static int will_come(const struct batch *v, int pc)
{
    const struct sim_kernel *k = v->worker->kernel;
    int from = k->blocks[pc].home, here = k->blocks[v->pc].home, diverged = k->blocks[v->pc].diverged;
    return ptx_leads(k->program, from, here) && from != diverged && !ptx_leads(k->program, from, diverged);
}

int batch_gives_way(struct batch *v)
{
    const struct sim_kernel *k = v->worker->kernel;
    int first = -1, last = v->depth;
    if (!meets_early(v, v->pc))
        return 0;
    if (join(v, v->pc, v->reconverge, v->active))
        return 1;
    for (int i = v->depth - 1; i >= 0; i--)
        if (is_way(&v->stack[i], v->reconverge) && will_come(v, v->stack[i].pc))
            first = i;
    if (first < 0)
        return 0;
    batch_push(v, k->blocks[v->pc].first, v->pc, v->reconverge, -1, v->active);
    const struct entry mine = v->stack[last];
    memmove(&v->stack[first + 1], &v->stack[first], (size_t)(last - first) * sizeof mine);
    v->stack[first] = mine;
    return 1;
}

void batch_arrive(struct batch *v, const struct code_block *from)
{
    const struct code_block *blocks = v->worker->kernel->blocks;
    int turns = v->pc != NOWHERE && from->end == END_BRANCH && blocks[v->pc].order <= from->order;
    if (!turns && batch_gives_way(v))
        batch_next(v);
}
