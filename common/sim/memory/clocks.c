/* clocks.c - which block a multiprocessor gets next, and about when it asks for what. For GPUs whose GPCs are known.
 *
 *      GPC 0      | block 0     | block 301       the first blocks: GPC after GPC, one a multiprocessor, soon after each other;
 *                 |  block 1    |   block 322     later ones: to whoever is done
 *      GPC 1      | block 16    |  block 268
 *                 |  block 17   | block 269
 *
 * A simulated warp has no clock: its accesses are counted. Here a block's are spread over the clocks that the model gives it, those
 * that are waited for together at once. Multiprocessors of a GPC then differ by
 *
 *      when they got their first blocks     dispatch_clocks after each other, all GPCs at once
 *      when they got later ones             as far apart as they were at the end of those before; who comes first gets the first
 *      what happened since                  blocks that meet at a barrier before each wait keep together, for they wait for what they
 *                                           load together: a deviation of meeting_clocks. Of others, each wait moves a
 *                                           multiprocessor by wander of its time
 *
 * Measured on an H200 by the labs' kernels with %clock and %smid written down. 132 multiprocessors are in 8 GPCs, six of 16 and two
 * of 18: %clock is the same in each, and clusters are within one. Of 1024 blocks the first 264 lie as drawn, 16 or 18 in a row to a
 * GPC, which start within 150 clocks; the others look shuffled, but start in order. In the product through shared memory the
 * multiprocessors of a GPC that share rows of tiles are 44 to 92 clocks from each other (a standard deviation), at the first tile as at
 * the last. In the coalesced product they are 95 from each other after 32 waits of 484 clocks, 510 after 128; where a narrow A alone
 * goes through shared memory 50 to 240 after 8 of 590: 0.035 to 0.12 of a wait for each. With a row a thread it is 0.3 of one, so much
 * that nothing is read together, as with wander.
 *
 * wander is what `make probe` finds: 1, 8 or 32 warps a multiprocessor, which all go along the same lines or each along its own, one or
 * four at a time, with 0, 2 or 8 loads from the L1 in between; after 32 waits, the median of these kinds. Of the kinds it is 0.02 to
 * 0.33. It is no constant of the hardware: multiprocessors do not wander, each has its own way to the L2, and is 3 to 5 clocks a wait
 * faster or slower than others of its GPC. So over few waits it is less, and over many more: 0.03 after 8, 0.11 after 256.
 *
 * What pulls multiprocessors together is a line that the nearer side of the L2 has to fetch: who finds it on its way to another goes on
 * when that does. 16 that went along lines from DRAM, 16 to 47 clocks apart at first, were within 10 of each other for 256 lines. */
#include "sim/machine.h"

#include <math.h>
#include <stdlib.h>

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Even over 0 .. 1, the same for the same a and b. */
static double chance(uint64_t a, uint64_t b)
{
    return (double)(mix(a * UINT64_C(0x9e3779b97f4a7c15) + b + 1) >> 11) / 9007199254740992.0;
}

/* With a standard deviation of 1; a sum of three comes near enough to a normal distribution. */
double clocks_deviation(uint64_t a, uint64_t b)
{
    return 2 * (chance(a, 3 * b) + chance(a, 3 * b + 1) + chance(a, 3 * b + 2) - 1.5);
}

int *clocks_order(int sms)
{
    int *order = xcalloc((size_t)sms, sizeof *order);
    for (int i = 0; i < sms; i++) { /* each at a place among those before it */
        int at = (int)(mix((uint64_t)i) % (uint64_t)(i + 1));
        order[i] = order[at];
        order[at] = i;
    }
    return order;
}

/* The multiprocessor's place among all that come back for a block of that round. */
static int place(const struct launch *l, int sm, uint64_t round)
{
    return l->order[((uint64_t)sm + mix(round)) % (uint64_t)l->sms];
}

uint64_t clocks_block(const struct launch *l, int sm, uint64_t round)
{
    int back = l->profile->gpcs && round >= (uint64_t)l->resident;
    return round * (uint64_t)l->sms + (uint64_t)(back ? place(l, sm, round) : sm);
}

int clocks_gpc(const struct model_profile *p, int sm)
{
    return sm * p->gpcs / p->sms;
}

/* Standard deviation, so many waits after they were together. */
static double wandered(const struct model_profile *p, const struct pace *q, double waits)
{
    return p->wander * q->clocks * sqrt(waits);
}

/* When it starts with a block, after the first that does: those that come back are evenly spread. */
static double started(const struct launch *l, const struct pace *q, int sm, uint64_t round)
{
    const struct model_profile *p = l->profile;
    int gpc = clocks_gpc(p, sm), first = (gpc * p->sms + p->gpcs - 1) / p->gpcs;
    if (round < (uint64_t)l->resident)
        return (sm - first) * p->dispatch_clocks * p->gpcs;
    double filled = (double)(round / (uint64_t)l->resident);
    double apart = q->meets > 0 ? p->meeting_clocks + wandered(p, q, q->waits / fmax(q->meets, 1)) : wandered(p, q, filled * q->waits);
    return (double)place(l, sm, round) / l->sms * sqrt(12) * apart;
}

double clocks_at(const struct launch *l, const struct pace *q, struct clock *c, int sm, int seat, uint32_t instant)
{
    const struct model_profile *p = l->profile;
    uint64_t who = (uint64_t)sm * (uint64_t)l->resident + (uint64_t)seat;
    if (c->instant == instant)
        return c->clocks;
    double blocks = (instant - 1) / q->instants, wait = floor((blocks - floor(blocks)) * q->waits + 1e-9);
    uint64_t filling = (uint64_t)blocks;
    double waits = (double)filling * q->waits + wait;
    if (!c->started || filling != c->filling)
        c->behind = started(l, q, sm, filling * (uint64_t)l->resident + (uint64_t)seat);
    else if (wait > 0 && 2 * q->meets > q->waits) /* as good as before each */
        c->behind = p->meeting_clocks * clocks_deviation(who, (uint64_t)waits);
    else if (waits > c->waits)
        c->behind += wandered(p, q, waits - c->waits) * clocks_deviation(who, (uint64_t)waits);
    *c = (struct clock){1, instant, c->found, filling, waits, c->behind, waits * q->clocks + c->behind};
    return c->clocks;
}

void clocks_together(struct clock *c, double later)
{
    if (c->found != c->instant)
        c->behind += later;
    c->found = c->instant;
}
