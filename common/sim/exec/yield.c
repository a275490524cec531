/* yield.c - independent thread scheduling: lanes that poll memory let other lanes run.
 *
 *  while (atomicCAS(lock, 0, 1))    lane 0 has the lock. It waits after the loop for the others.
 *      ;                            They poll the lock in the loop until lane 0 releases it.
 *  count++;
 *  atomicExch(lock, 0);             (stack)  ... | join after the loop: all   running: lanes 1-31
 *
 * If no lane left the loop in its last iteration, the lanes that have waited longest run, from
 * where they wait. They no longer reconverge with the lanes that poll.
 *
 * Before compute capability 7.0 a warp has one program counter, so only lanes of other warps can
 * run.
 *
 * Source: CUDA C++ Programming Guide, Independent Thread Scheduling. */
#include "sim/machine.h"

#include <string.h>

/* Finds the lanes of entry e that could run now: they are not active, and no entry above e holds
 * them (above: the lanes of those entries), since they would have to run there first. Returns 0 if
 * there are no such lanes, or if e waits at a barrier or .sync instruction. */
static int could_run(const struct batch *v, const struct entry *e,
    const uint32_t above[BATCH_WARPS], uint32_t out[BATCH_WARPS])
{
    uint32_t any = 0;
    int whole_warps = !batch_independent(v);
    for (int w = 0; w < BATCH_WARPS; w++) {
        out[w] = whole_warps && v->active[w] ? 0 : e->mask[w] & ~above[w] & ~v->exited[w];
        any |= out[w];
    }
    return any && e->waits < 0;
}

/* The index of the entry that was pushed earliest among those with lanes that could run, or -1.
 * lanes: those lanes of the entry. */
static int longest_waiting(const struct batch *v, uint32_t lanes[BATCH_WARPS])
{
    uint32_t above[BATCH_WARPS], mine[BATCH_WARPS];
    int found = -1;
    memcpy(above, v->active, sizeof above);
    for (int i = v->depth - 1; i >= 0; i--) {
        const struct entry *e = &v->stack[i];
        if (could_run(v, e, above, mine) && (found < 0 || e->turn < v->stack[found].turn)) {
            found = i;
            memcpy(lanes, mine, sizeof mine);
        }
        for (int w = 0; w < BATCH_WARPS; w++) above[w] |= e->mask[w];
    }
    return found;
}

/* Push the active lanes, and run the given lanes of entry i instead. Each exchange increments
 * v->turn, which gives the age of entries. */
static void change_places(struct batch *v, int i, const uint32_t lanes[BATCH_WARPS])
{
    const struct entry e = v->stack[i];
    uint32_t left = 0;
    for (int w = 0; w < BATCH_WARPS; w++) left |= v->stack[i].mask[w] &= ~lanes[w];
    if (!left) memmove(&v->stack[i], &v->stack[i + 1], (size_t)(--v->depth - i) * sizeof e);
    v->turn++;
    batch_push(v, v->worker->kernel->blocks[v->pc].first, v->pc, v->reconverge, -1, v->active);
    batch_set_active(v, lanes);
    v->pc = e.pc;
    v->reconverge = e.reconverge;
}

/* The first call only records how many lanes poll. If the next call finds as many, none has left
 * the loop. If no other lanes of this batch could run, the batch yields to other batches. */
int batch_yields(struct batch *v)
{
    uint32_t lanes[BATCH_WARPS];
    if (v->active_lanes != v->polling_lanes) {
        v->polling_lanes = v->active_lanes;
        return 0;
    }
    v->polling_lanes = 0;
    int i = longest_waiting(v, lanes);
    if (i >= 0) change_places(v, i, lanes);
    return 1;
}
