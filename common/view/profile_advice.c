/* profile_advice.c - which lines cost most, and what limits the launch.
 *
 *     parts of the launch's time (model/time.c)        lines (example)
 *       DRAM  ############  weight 1.0   -- divided --> line 12: 70%   line 14: 30%
 *       L1    ######        weight 0.25  -- divided --> line 12: 20%   line 13: 80%
 *
 * Each part is divided among the lines in proportion to their use of it. A line's cost is the sum
 * of its shares. The weight of a part is the square of its time divided by that of the longest
 * part, so a part that is far from being the bottleneck hardly counts. profile_explain.c writes the
 * text for a line. */
#include "view/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- how much a line uses each part ---- */

static double sectors(const struct metrics *m)
{
    return counted(m, METRIC_GLD_SECTORS) + counted(m, METRIC_GST_SECTORS) +
           counted(m, METRIC_GATOM_SECTORS);
}

static double requests(const struct metrics *m)
{
    return counted(m, METRIC_GLD_REQUESTS) + counted(m, METRIC_GST_REQUESTS) +
           counted(m, METRIC_GATOM_REQUESTS);
}

/* by_...: how much a line uses a part of the GPU whose use is proportional to one counter. The
 * argument p is unused. */
static double by_inst(const struct profile *p, const struct metrics *m)
{
    return (void)p, counted(m, METRIC_INST);
}
static double by_float(const struct profile *p, const struct metrics *m)
{
    return (void)p, counted(m, METRIC_MIX_FP32) + counted(m, METRIC_MIX_FP16);
}
static double by_integer(const struct profile *p, const struct metrics *m)
{
    return (void)p, counted(m, METRIC_MIX_INTEGER);
}
static double by_double(const struct profile *p, const struct metrics *m)
{
    return (void)p, counted(m, METRIC_MIX_FP64);
}
static double by_tensor(const struct profile *p, const struct metrics *m)
{
    (void)p;
    return counted(m, METRIC_TENSOR_FLOP) + counted(m, METRIC_IMMA) * 4096;
}

static double by_special(const struct profile *p, const struct metrics *m)
{
    return (void)p, counted(m, METRIC_MIX_SPECIAL);
}
static double by_atomics(const struct profile *p, const struct metrics *m)
{
    return (void)p, counted(m, METRIC_GATOM_SECTORS);
}

/* Passes of a line through L1 and shared memory: wavefronts of shared accesses; for global
 * accesses one per request, or one per 4 sectors (a 128-byte line) if that is more; and local
 * accesses. */
static double by_l1(const struct profile *p, const struct metrics *m)
{
    (void)p;
    double passes = counted(m, METRIC_SLD_WAVEFRONTS) + counted(m, METRIC_SST_WAVEFRONTS);
    return passes + fmax(requests(m), sectors(m) / 4) + counted(m, METRIC_LOCAL_LD) +
           counted(m, METRIC_LOCAL_ST);
}

/* The sectors that a line reads from or writes to the L2. Load misses in the L1 are known only for
 * the whole launch, so each line gets the launch's miss rate. A written sector counts l2_write_cost
 * times as much as a read one. */
static double by_l2(const struct profile *p, const struct metrics *m)
{
    double loads = counted(&p->m.metrics, METRIC_GLD_MOVED) / 32,
           read = counted(&p->m.metrics, METRIC_L2_READ_SECTORS);
    double miss = loads > 0 ? fmin(1, read / loads) : 0;
    double written = counted(m, METRIC_GST_SECTORS) + counted(m, METRIC_GATOM_SECTORS);
    return miss * counted(m, METRIC_GLD_MOVED) / 32 + p->gpu->l2_write_cost * written;
}

/* The launch's DRAM traffic, divided among lines in proportion to the bytes that they moved. */
static double by_dram(const struct profile *p, const struct metrics *m)
{
    const struct metrics *all = &p->m.metrics;
    double loads = counted(all, METRIC_GLD_MOVED), stores = counted(all, METRIC_GST_MOVED);
    return (loads > 0 ? counted(m, METRIC_GLD_MOVED) / loads * counted(all, METRIC_DRAM_READ_BYTES)
                      : 0) +
           (stores > 0
                   ? counted(m, METRIC_GST_MOVED) / stores * counted(all, METRIC_DRAM_WRITE_BYTES)
                   : 0);
}

/* The clocks that a warp would need for a line if nothing overlapped: those of each instruction,
 * and the latency of each load. */
static double by_latency(const struct profile *p, const struct metrics *m)
{
    return counted(m, METRIC_INST) * p->gpu->latency_alu +
           counted(m, METRIC_SLD_INST) * p->gpu->latency_shared +
           counted(m, METRIC_GLD_REQUESTS) * p->gpu->latency_l2;
}

/* How much a line uses one part of the GPU. NULL for parts that no line causes: starting the kernel
 * and the blocks. */
typedef double line_share(const struct profile *, const struct metrics *);
static line_share *const shares[MODEL_PARTS] = {
    [PART_ISSUE] = by_inst,
    [PART_FLOAT] = by_float,
    [PART_INTEGER] = by_integer,
    [PART_DOUBLE] = by_double,
    [PART_SPECIAL] = by_special,
    [PART_TENSOR] = by_tensor,
    [PART_L1] = by_l1,
    [PART_L2] = by_l2,
    [PART_ATOMICS] = by_atomics,
    [PART_DRAM] = by_dram,
    [PART_LATENCY] = by_latency,
};

double profile_asks(const struct profile *p, const struct metrics *m, enum model_part part)
{
    return m && shares[part] ? shares[part](p, m) : 0;
}

struct cost {
    /* sum of the line's shares of all parts; costs() then divides it by the sum over all lines */
    double sum;
    double largest;       /* the largest term of that sum */
    enum model_part part; /* the part of the largest term */
};

/* Divide one part of the time among the lines. cost: one element for each line of the profile. */
static void add_part(
    const struct profile *p, double weight, enum model_part part, struct cost *cost)
{
    double sum = 0;
    for (size_t i = 0; i < p->m.line_count; i++) sum += shares[part](p, &p->m.lines[i].metrics);
    for (size_t i = 0; i < p->m.line_count && sum > 0; i++) {
        double here = weight * shares[part](p, &p->m.lines[i].metrics) / sum;
        cost[i].sum += here;
        if (here > cost[i].largest) {
            cost[i].largest = here;
            cost[i].part = part;
        }
    }
}

/* Set the cost of each line; the costs of all lines add up to 1. */
static void costs(const struct profile *p, struct cost *cost)
{
    double most = 0, all = 0;
    for (int k = PART_NONE + 1; k < MODEL_PARTS; k++) most = fmax(most, p->m.part_ms[k]);
    for (int k = PART_NONE + 1; k < MODEL_PARTS && most > 0; k++)
        if (shares[k]) add_part(p, pow(p->m.part_ms[k] / most, 2), (enum model_part)k, cost);
    for (size_t i = 0; i < p->m.line_count; i++) all += cost[i].sum;
    for (size_t i = 0; i < p->m.line_count && all > 0; i++) cost[i].sum /= all;
}

double *profile_shares(const struct profile *p)
{
    struct cost *cost = xcalloc(p->m.line_count + 1, sizeof *cost);
    double *share = xcalloc(p->m.line_count + 1, sizeof *share);
    costs(p, cost);
    for (size_t i = 0; i < p->m.line_count; i++) share[i] = cost[i].sum;
    free(cost);
    return share;
}

int profile_advise(const struct profile *p, struct advice out[ADVICES])
{
    enum { LEAST = 5 }; /* percent of the launch's cost; a line with less is not listed */
    struct cost *cost = xcalloc(p->m.line_count + 1, sizeof *cost);
    int count = 0;
    costs(p, cost);
    /* find the worst line, write its advice, then set its cost to 0 to find the next */
    while (count < ADVICES) {
        size_t worst = 0;
        for (size_t i = 1; i < p->m.line_count; i++)
            if (cost[i].sum > cost[worst].sum) worst = i;
        if (!p->m.line_count || cost[worst].sum * 100 < LEAST) break;
        out[count] = (struct advice){.line = p->m.lines[worst].line, .share = cost[worst].sum};
        profile_explain(
            p, out[count].line, cost[worst].part, out[count].text, sizeof out[count].text);
        cost[worst].sum = 0;
        count++;
    }
    free(cost);
    return count;
}

/* ---- the whole launch ---- */

/* One sentence of advice for each bottleneck of a whole launch. */
static const char *const bottlenecks[PART_LAUNCH + 1] = {
    [PART_ISSUE] =
        "The schedulers issue as fast as they can. Use fewer instructions: unroll, load wider, "
        "move index arithmetic out of loops.",
    [PART_FLOAT] = "The floating-point units are busy: for a matrix product, that is the goal.",
    [PART_INTEGER] =
        "The integer units are busy with indices and counters. Unroll, and step pointers "
        "instead of multiplying.",
    [PART_DOUBLE] = "The double units are busy. Use float where its precision is enough.",
    [PART_SPECIAL] =
        "The special function units are busy. Compute roots, divisions and sines less often.",
    [PART_TENSOR] = "The tensor cores are busy: for a matrix product, that is the goal.",
    [PART_L1] =
        "The unit that serves shared memory and L1 is busy. Remove bank conflicts, touch fewer lines "
        "a request, keep values in registers.",
    [PART_L2] =
        "Traffic between multiprocessors and L2 is the limit. Coalesce, write whole sectors, reuse "
        "data in shared memory.",
    [PART_ATOMICS] = "Atomics are serialized. Add up within a warp or block first.",
    [PART_DRAM] =
        "Device memory bandwidth is the limit. Move only what is used, and keep what is used twice "
        "in shared memory.",
    [PART_DISPATCH] = "Starting the blocks takes longer than running them. Let each block do more.",
    [PART_LATENCY] =
        "Warps wait for results of their own instructions. Keep more warps resident where "
        "there is room, or more independent loads in flight in each.",
    [PART_LAUNCH] = "Starting the kernel takes longer than running it. Give it more to do.",
};

static enum model_part longest_part(const struct profile *p)
{
    int longest = PART_NONE;
    for (int k = PART_NONE + 1; k < MODEL_PARTS; k++)
        if (p->m.part_ms[k] > p->m.part_ms[longest]) longest = k;
    return (enum model_part)longest;
}

/* A small grid is reported, too: such a grid leaves multiprocessors idle, or has room for more
 * resident blocks. */
void profile_bottleneck(const struct profile *p, struct buf *out)
{
    enum model_part named = p->m.bottleneck;
    /* atomics on one address wait for each other, although no unit is busy: so atomics are named
     * instead of latency */
    if (named == PART_LATENCY && longest_part(p) == PART_ATOMICS) named = PART_ATOMICS;
    if (bottlenecks[named]) buf_printf(out, "%s\n", bottlenecks[named]);
    if (profile_blocks(p) < (unsigned)p->gpu->sms)
        buf_printf(out,
            "%llu of %d multiprocessors %s idle. Launch more blocks, smaller ones if necessary.\n",
            p->gpu->sms - profile_blocks(p), p->gpu->sms,
            p->gpu->sms - profile_blocks(p) == 1 ? "is" : "are");
    else if (profile_blocks(p) < profile_room(p)) {
        buf_printf(out, "The grid has ");
        buf_count(out, (double)profile_blocks(p), "block");
        buf_printf(out, "; %llu more would fit at the same time and hide latency.\n",
            profile_room(p) - profile_blocks(p));
    }
}
