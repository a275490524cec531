/* named.c - named barriers, for part of the block (bar.sync and bar.arrive with a number of
 * threads).
 *
 *      barrier 1, of 256    arrived  0 .. 128 .. 256 = 0        phase 0 | phase 1
 *      a warp that waits    keeps the phase in which it arrived, and passes in the next one
 *
 * All lanes of a warp that arrive are counted. The race detection treats passing a named barrier
 * like a barrier of all threads, as it does for an mbarrier. Source: PTX ISA, bar, barrier. */
#include "sim/check/check.h"

#include <string.h>

static uint32_t lane_of(struct batch *v, int32_t reg, int i)
{
    return ((const uint32_t *)reg_lanes(v, &v->regs[reg]))[i];
}

static struct part_barrier *named_of(struct batch *v, const struct uop *u, int lane)
{
    uint32_t id = lane_of(v, u->a, lane), count = lane_of(v, u->b, lane);
    struct part_barrier *b = &v->worker->named[id % NAMED_BARRIERS];
    if (id >= NAMED_BARRIERS)
        sim_fault(v, u, lane, FAULT(.kind = FOUND_BARRIER), "names barrier %u; a block has 0 to %d",
            id, NAMED_BARRIERS - 1);
    if (!count || count % 32 || (int)count > v->worker->launch->block_warps * 32)
        sim_fault(v, u, lane, FAULT(.kind = FOUND_BARRIER),
            "waits for %u threads; a multiple of 32, at most the block's %d, is possible", count,
            v->worker->launch->block_warps * 32);
    if (b->arrived && b->expected != count)
        sim_fault(v, u, lane, FAULT(.kind = FOUND_BARRIER),
            "arrives at barrier %u for %u threads, where others arrived for %u", id, count,
            b->expected);
    return b;
}

static void arrive(struct batch *v, const struct uop *u, int w)
{
    int lane = w * 32 + __builtin_ctz(v->active[w]);
    struct part_barrier *b = named_of(v, u, lane);
    b->expected = lane_of(v, u->b, lane);
    b->phase_of[v->index * BATCH_WARPS + w] = b->phase;
    b->arrived += (uint32_t)__builtin_popcount(v->active[w]);
    if (b->arrived > b->expected)
        sim_fault(v, u, lane, FAULT(.kind = FOUND_BARRIER),
            "arrives at barrier %u of %u threads as number %u", lane_of(v, u->a, lane), b->expected,
            b->arrived);
    if (b->arrived < b->expected) return;
    b->arrived = 0;
    b->phase++;
}

void named_barrier(struct batch *v, const struct uop *u)
{
    int any = 0;
    for (int w = 0; w < v->warps; w++) {
        if (!v->active[w]) continue;
        if (u->detail == NAMED_ARRIVE) {
            arrive(v, u, w);
            continue;
        }
        int lane = w * 32 + __builtin_ctz(v->active[w]);
        const struct part_barrier *b = named_of(v, u, lane);
        int passed = b->phase_of[v->index * BATCH_WARPS + w] != b->phase;
        any |= passed;
        v->pred[u->d][w] = (v->pred[u->d][w] & ~v->active[w]) | (passed ? v->active[w] : 0);
    }
    if (any && !v->worker->check_off) check_mbarrier_passed(v->worker);
    /* A test that fails is not counted as an instruction. So it uses up the budget in this way: a
     * barrier that too few threads reach still ends the launch. */
    if (u->detail == NAMED_PASSED && !any) v->allowed--;
}

void named_stuck(struct batch *v, const struct uop *u)
{
    if (v->worker->kernel->program->steps[u->step].op != OP_NAMED) return;
    int lane = sim_first_lane(v->active);
    const struct part_barrier *b = named_of(v, u, lane);
    sim_fault(v, u, lane, FAULT(.kind = FOUND_BARRIER),
        "waits at barrier %u for %u threads; %u have arrived", lane_of(v, u->a, lane),
        lane_of(v, u->b, lane), b->arrived);
}
