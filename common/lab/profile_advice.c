/* profile_advice.c - the lines that cost most, and why.
 *
 * A launch takes as long as its parts make it take (model/time.c); each part is shared out among the lines by what they
 * asked of it. A line's cost is the sum of its shares, each weighted by the square of the part's time, so that what is not in
 * the way hardly counts. What a line is told depends on its own counters, and on one warp's real addresses. */
#include "lab/profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double of(const struct metrics *m, enum metric id)
{
    return isnan(m->v[id]) ? 0 : m->v[id];
}

/* ---- shares ---- */

static double sectors(const struct metrics *m)
{
    return of(m, METRIC_GLD_SECTORS) + of(m, METRIC_GST_SECTORS) + of(m, METRIC_GATOM_SECTORS);
}

static double requests(const struct metrics *m)
{
    return of(m, METRIC_GLD_REQUESTS) + of(m, METRIC_GST_REQUESTS) + of(m, METRIC_GATOM_REQUESTS);
}

static double by_inst(const struct profile *p, const struct metrics *m) { return (void)p, of(m, METRIC_INST); }
static double by_float(const struct profile *p, const struct metrics *m) { return (void)p, of(m, METRIC_MIX_FP32); }
static double by_integer(const struct profile *p, const struct metrics *m) { return (void)p, of(m, METRIC_MIX_INTEGER); }
static double by_double(const struct profile *p, const struct metrics *m) { return (void)p, of(m, METRIC_MIX_FP64); }
static double by_special(const struct profile *p, const struct metrics *m) { return (void)p, of(m, METRIC_MIX_SPECIAL); }
static double by_atomics(const struct profile *p, const struct metrics *m) { return (void)p, of(m, METRIC_GATOM_SECTORS); }

static double by_l1(const struct profile *p, const struct metrics *m)
{
    (void)p;
    double passes = of(m, METRIC_SLD_WAVEFRONTS) + of(m, METRIC_SST_WAVEFRONTS);
    return passes + fmax(requests(m), sectors(m) / 4) + of(m, METRIC_LOCAL_LD) + of(m, METRIC_LOCAL_ST);
}

/* Loads reach the L2 as far as they miss in L1, which is known for the launch alone. */
static double by_l2(const struct profile *p, const struct metrics *m)
{
    double loads = of(&p->m.metrics, METRIC_GLD_SECTORS), read = of(&p->m.metrics, METRIC_L2_READ_SECTORS);
    double miss = loads > 0 ? fmin(1, read / loads) : 0;
    return miss * of(m, METRIC_GLD_SECTORS) + p->gpu->l2_write_cost * (of(m, METRIC_GST_SECTORS) + of(m, METRIC_GATOM_SECTORS));
}

/* The same for DRAM, with the launch's traffic there. */
static double by_dram(const struct profile *p, const struct metrics *m)
{
    const struct metrics *all = &p->m.metrics;
    double loads = of(all, METRIC_GLD_MOVED), stores = of(all, METRIC_GST_MOVED);
    return (loads > 0 ? of(m, METRIC_GLD_MOVED) / loads * of(all, METRIC_DRAM_READ_BYTES) : 0) +
           (stores > 0 ? of(m, METRIC_GST_MOVED) / stores * of(all, METRIC_DRAM_WRITE_BYTES) : 0);
}

static double by_latency(const struct profile *p, const struct metrics *m)
{
    return of(m, METRIC_INST) * p->gpu->latency_alu + of(m, METRIC_SLD_INST) * p->gpu->latency_shared +
           of(m, METRIC_GLD_REQUESTS) * p->gpu->latency_l2;
}

static const struct {
    const char *part; /* of model_time_parts */
    double (*share)(const struct profile *, const struct metrics *);
} shares[] = {
    {"issue", by_inst},      {"float pipe", by_float},           {"integer pipe", by_integer}, {"double pipe", by_double},
    {"special functions", by_special}, {"L1 and shared memory", by_l1}, {"L2", by_l2},         {"atomics", by_atomics},
    {"DRAM", by_dram},       {"latency", by_latency},
};

static void add_part(const struct profile *p, double weight, double (*share)(const struct profile *, const struct metrics *), double *cost)
{
    double sum = 0;
    for (size_t i = 0; i < p->m.line_count; i++)
        sum += share(p, &p->m.lines[i].metrics);
    for (size_t i = 0; i < p->m.line_count && sum > 0; i++)
        cost[i] += weight * share(p, &p->m.lines[i].metrics) / sum;
}

static void costs(const struct profile *p, double *cost)
{
    double most = 0, all = 0;
    for (int k = 0; model_time_parts[k]; k++)
        most = fmax(most, p->m.part_ms[k]);
    for (int k = 0; model_time_parts[k] && most > 0; k++)
        for (size_t s = 0; s < sizeof shares / sizeof *shares; s++)
            if (!strcmp(shares[s].part, model_time_parts[k]))
                add_part(p, pow(p->m.part_ms[k] / most, 2), shares[s].share, cost);
    for (size_t i = 0; i < p->m.line_count; i++)
        all += cost[i];
    for (size_t i = 0; i < p->m.line_count && all > 0; i++)
        cost[i] /= all;
}

/* ---- one line's troubles ---- */

/* Bytes from each lane to the next, where all are the same; 0 else. */
static int64_t stride_of(const struct line_access *a)
{
    if (a->mask != ~0u)
        return 0;
    int64_t step = (int64_t)(a->addr[1] - a->addr[0]);
    for (int l = 2; l < 32; l++)
        if ((int64_t)(a->addr[l] - a->addr[l - 1]) != step)
            return 0;
    return step;
}

/* The widest of the line's accesses of one kind, as model_coalesce and model_banks see it. */
static const struct line_access *worst_access(const struct profile *p, int line, int shared, int write)
{
    const struct line_access *worst = NULL;
    unsigned most = 0;
    for (size_t i = 0; i < p->m.access_count; i++) {
        const struct line_access *a = &p->m.accesses[i];
        uint32_t low[WARP_SIZE];
        if (a->line != line || a->shared != shared || a->write != write)
            continue;
        for (int l = 0; l < WARP_SIZE; l++)
            low[l] = (uint32_t)a->addr[l];
        unsigned cost = shared ? (write ? model_banks_store : model_banks)(p->gpu, low, a->mask, a->bytes).wavefronts
                               : (write ? model_coalesce_store : model_coalesce)(p->gpu, a->addr, a->mask, a->bytes).sectors;
        if (cost > most) {
            most = cost;
            worst = a;
        }
    }
    return worst;
}

static int bad_global(const struct profile *p, int line, const struct metrics *m, int write, char *out, size_t size)
{
    double wanted = of(m, write ? METRIC_GST_BYTES : METRIC_GLD_BYTES), moved = of(m, write ? METRIC_GST_MOVED : METRIC_GLD_MOVED);
    double touched = of(m, write ? METRIC_GST_SECTORS : METRIC_GLD_SECTORS);
    double accesses = of(m, write ? METRIC_GST_REQUESTS : METRIC_GLD_REQUESTS);
    const struct line_access *a = worst_access(p, line, 0, write);
    if (moved < 1.6 * wanted || !a)
        return 0;
    int64_t stride = stride_of(a);
    const char *buffer = a->buffer[0] ? a->buffer : "memory";
    char where[96];
    if (stride)
        snprintf(where, sizeof where, "neighbouring lanes are %lld bytes apart in %s", llabs(stride), buffer);
    else if (a->mask == ~0u && a->addr[0] == a->addr[31])
        snprintf(where, sizeof where, "lanes of this GPU that want one word of %s get it one by one", buffer);
    else
        snprintf(where, sizeof where, "the lanes' addresses in %s are scattered or not aligned", buffer);
    snprintf(out, size, "%s: each request takes %.3g %s and moves %.3g bytes for every one wanted. %s", where, touched / fmax(1, accesses),
             p->gpu->cc_major >= 5 ? "sectors" : "transactions", moved / wanted,
             stride > (int64_t)a->bytes ? "Let threadIdx.x run along the row, or turn the tile in shared memory."
                                        : "Let lane i use element i of an aligned row, or load through shared memory.");
    return 1;
}

static int bad_shared(const struct profile *p, int line, const struct metrics *m, int write, char *out, size_t size)
{
    double inst = of(m, write ? METRIC_SST_INST : METRIC_SLD_INST), passes = of(m, write ? METRIC_SST_WAVEFRONTS : METRIC_SLD_WAVEFRONTS);
    double conflicts = of(m, write ? METRIC_SST_CONFLICTS : METRIC_SLD_CONFLICTS);
    const struct line_access *a = worst_access(p, line, 1, write);
    if (conflicts < 0.5 * inst || !a)
        return 0;
    int64_t stride = stride_of(a) / 4;
    char where[96] = "lanes want different words of the same banks";
    if (stride)
        snprintf(where, sizeof where, "lanes lie %lld words apart, so many share a bank", llabs(stride));
    snprintf(out, size, "%s: each shared %s takes %.3g passes, %.3g of them conflicts. Pad the rows by one word, or change which index "
             "runs with threadIdx.x.", where, write ? "store" : "load", passes / inst, conflicts / inst);
    return 1;
}

static int bad_lanes(const struct profile *p, const struct metrics *m, char *out, size_t size)
{
    double lanes = m->v[METRIC_WARP_EFFICIENCY];
    if (!(lanes < 24))
        return 0;
    snprintf(out, size, "only %.3g of 32 lanes are on here%s. Let whole warps take one way, or give idle threads work.", lanes,
             of(&p->m.metrics, METRIC_BRANCH_DIVERGENT) > 0 ? ", since branches split the warps" : "");
    return 1;
}

/* Data that DRAM gave once and that threads asked for again and again. */
static int reloads(const struct profile *p, const struct metrics *m, char *out, size_t size)
{
    double asked = of(m, METRIC_GLD_BYTES), given = of(&p->m.metrics, METRIC_DRAM_READ_BYTES);
    if (!p->gpu->l2_bytes || given <= 0 || asked < 8 * given || of(m, METRIC_GLD_REQUESTS) < 0.05 * of(&p->m.metrics, METRIC_INST))
        return 0;
    snprintf(out, size, "its loads are coalesced, but ask for %.3g times the bytes that come from device memory: the same data, over and over, "
             "from the caches. Keep a tile of it in shared memory, or several results a thread in registers.", asked / given);
    return 1;
}

/* Partition camping is known for the launch alone: told of each of its lines that access global memory well otherwise. */
static int camps(const struct profile *p, const struct metrics *m, char *out, size_t size)
{
    double ratio = of(&p->m.metrics, METRIC_DRAM_PARTITION_RATIO);
    if (ratio < 1.5 || requests(m) == 0)
        return 0;
    snprintf(out, size, "coalesced, but blocks that run at the same time ask the same few of DRAM's %d partitions, so that all takes %.3g times "
             "as long. Make rows %d bytes longer, or hand tiles out along diagonals.", p->gpu->dram_partitions, ratio, p->gpu->partition_bytes);
    return 1;
}

static void explain(const struct profile *p, int line, const struct metrics *m, char *out, size_t size)
{
    double inst = of(m, METRIC_INST), all = of(&p->m.metrics, METRIC_INST), threads = fmax(1, of(m, METRIC_THREAD_INST));
    double integer = of(m, METRIC_MIX_INTEGER) / threads, fma = of(m, METRIC_FFMA) / threads;
    if (bad_global(p, line, m, 0, out, size) || bad_global(p, line, m, 1, out, size) || bad_shared(p, line, m, 0, out, size) ||
        bad_shared(p, line, m, 1, out, size) || bad_lanes(p, m, out, size) || reloads(p, m, out, size) ||
        camps(p, m, out, size))
        return;
    if (of(m, METRIC_LOCAL_LD) + of(m, METRIC_LOCAL_ST) > 0)
        snprintf(out, size, "uses local memory, which lies beside global memory. Index small arrays by constants, so that they stay in registers.");
    else if (of(m, METRIC_SLD_INST) > 0.2 * inst)
        snprintf(out, size, "%.0f%% of all instructions, a shared load for every %.2g multiply-adds. Reuse what was loaded: several results a "
                 "thread, in registers.", 100 * inst / all, of(m, METRIC_FFMA) / 32 / of(m, METRIC_SLD_INST));
    else if (fma > 0.5)
        snprintf(out, size, "%.0f%% of all instructions, %.0f%% of them multiply-adds: this is the work itself.", 100 * inst / all, 100 * fma);
    else if (integer > 0.4 && inst > 0.1 * all)
        snprintf(out, size, "%.0f%% of all instructions, %.0f%% of them on integers: indices and loop counters. Unroll, or move what does not "
                 "change out of the loop.", 100 * inst / all, 100 * integer);
    else if (requests(m) > 0)
        snprintf(out, size, "its accesses are coalesced: what they move is what was wanted. What is left is to want less, or to do more with it.");
    else
        snprintf(out, size, "%.0f%% of all instructions.", 100 * inst / all);
}

int profile_advise(const struct profile *p, struct advice out[ADVICES])
{
    enum { LEAST = 5 }; /* percent: less is not worth a line */
    double *cost = xcalloc(p->m.line_count + 1, sizeof *cost);
    int count = 0;
    costs(p, cost);
    while (count < ADVICES) {
        size_t worst = 0;
        for (size_t i = 1; i < p->m.line_count; i++)
            if (cost[i] > cost[worst])
                worst = i;
        if (!p->m.line_count || cost[worst] * 100 < LEAST)
            break;
        out[count] = (struct advice){.line = p->m.lines[worst].line, .share = cost[worst]};
        explain(p, out[count].line, &p->m.lines[worst].metrics, out[count].text, sizeof out[count].text);
        cost[worst] = 0;
        count++;
    }
    free(cost);
    return count;
}

/* ---- the whole ---- */

static const struct {
    const char *part, *sentence;
} bottlenecks[] = {
    {"issue", "Instructions are issued as fast as the schedulers can. Do the same with fewer: unroll, use wider loads, hoist indices."},
    {"float pipe", "The floating-point units are busy: this is where a product should be."},
    {"integer pipe", "The integer units are busy with indices and counters. Unroll, and step pointers instead of multiplying."},
    {"double pipe", "The double units are busy. Use float where its precision is enough."},
    {"special functions", "The special function units are busy. Compute roots, divisions and sines less often."},
    {"L1 and shared memory", "The unit that serves shared memory and L1 is busy. Remove bank conflicts, touch fewer lines a request, keep values in registers."},
    {"L2", "Traffic between multiprocessors and L2 is the limit. Coalesce, write whole sectors, reuse data in shared memory."},
    {"atomics", "Atomics queue up. Add up within a warp or block first."},
    {"DRAM", "Device memory is the limit. What is moved and not wanted is waste; what is wanted twice belongs into shared memory."},
    {"dispatch", "Blocks are handed out too slowly for what they do. Let each do more."},
    {"latency", "Warps wait for their own results. Keep more warps resident, or more independent loads under way in each."},
    {"launch", "Starting the kernel takes longer than running it. Give it more to do."},
};

void profile_bottleneck(const struct profile *p, struct buf *out)
{
    for (size_t i = 0; p->m.bottleneck && i < sizeof bottlenecks / sizeof *bottlenecks; i++)
        if (!strcmp(bottlenecks[i].part, p->m.bottleneck))
            buf_printf(out, "%s\n", bottlenecks[i].sentence);
}
