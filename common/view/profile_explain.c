/* profile_explain.c - one sentence about what happens in a source line, and one about what to try.
 *
 *     Is something wasted? The line's counters tell, and the first warp's addresses tell why.
 *       1 global loads   2 global stores   3 shared loads   4 shared stores   5 inactive lanes
 *       6 atomics        7 repeated loads  8 partition camping                9 local memory
 *     The first that applies is reported.
 *
 *     If nothing is wasted, the text is about the part of the GPU that the line uses most.
 *
 * Transactions, sectors and wavefronts come from model_coalesce and model_banks, so the text
 * depends on the GPU. */
#include "view/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double loads_and_stores(const struct metrics *m)
{
    return counted(m, METRIC_GLD_REQUESTS) + counted(m, METRIC_GST_REQUESTS);
}

/* ---- one warp's addresses ---- */

/* The distance in bytes from each active lane to the next, if the active lanes are adjacent and
 * all distances are equal; else 0. */
static int64_t stride_of(const struct line_access *a)
{
    int first = a->mask ? __builtin_ctz(a->mask) : 0,
        last = a->mask ? 31 - __builtin_clz(a->mask) : 0;
    if (last == first || a->mask >> first != ~0u >> (31 - (last - first))) return 0;
    int64_t step = (int64_t)(a->addr[first + 1] - a->addr[first]);
    for (int l = first + 2; l <= last; l++)
        if ((int64_t)(a->addr[l] - a->addr[l - 1]) != step) return 0;
    return step;
}

/* If all 32 lanes form runs of equal length that access adjacent elements: the number of lanes in a
 * run. Else 0.
 *
 *     lanes 0-7 -> elements 0-7, lanes 8-15 -> elements 100-107, ...: 8
 *
 * A block whose x extent is less than 32 accesses the rows of a matrix like that. */
static int run_of(const struct line_access *a)
{
    int run = 1;
    while (run < 32 && a->addr[run] == a->addr[run - 1] + a->bytes) run++;
    if (a->mask != ~0u || run < 2 || 32 % run) return 0;
    for (int l = 1; l < 32; l++)
        if ((l % run != 0) != (a->addr[l] == a->addr[l - 1] + a->bytes)) return 0;
    return run;
}

/* The line's most expensive access of one kind: by wavefronts in shared memory, by sectors or
 * transactions in global memory. Atomics are left out. NULL: there is none. */
static const struct line_access *worst_access(
    const struct profile *p, int line, int shared, int write)
{
    const struct line_access *worst = NULL;
    unsigned most = 0;
    for (size_t i = 0; i < p->m.access_count; i++) {
        const struct line_access *a = &p->m.accesses[i];
        uint32_t low[WARP_SIZE];
        if (a->line != line || a->shared != shared || a->write != write || a->atomic) continue;
        for (int l = 0; l < WARP_SIZE; l++) low[l] = (uint32_t)a->addr[l];
        unsigned cost =
            shared ? (write ? model_banks_store : model_banks)(p->gpu, low, a->mask, a->bytes)
                         .wavefronts
                   : (write ? model_coalesce_store : model_coalesce)(
                         p->gpu, a->addr, a->mask, a->bytes)
                         .sectors;
        if (cost > most) {
            most = cost;
            worst = a;
        }
    }
    return worst;
}

/* ---- waste: each function returns 1 and writes the text if its rule applies, else 0 ---- */

/* The offset of lane 0 in its 128-byte segment, in bytes; if lane 0 is inactive, the offset that it
 * would have. */
static unsigned segment_offset(const struct line_access *a)
{
    unsigned first = (unsigned)__builtin_ctz(a->mask);
    return (unsigned)((a->addr[first] - first * a->bytes) % 128);
}

/* Write to `where` why the access moves more bytes than it needs, and return what to try.
 * Specific cases come before general ones. */
static const char *global_pattern(
    const struct profile *p, const struct line_access *a, char *where, size_t size)
{
    /* ROW: a number of elements. A larger stride is assumed to be that of a matrix row, a smaller
     * one that of an array of structures */
    enum { ROW = 64 };
    const char *buffer = a->buffer[0] ? a->buffer : "memory";
    int64_t stride = stride_of(a);
    /* on compute capability 1.0 and 1.1, the lane order, the element size and the start of a
     * segment decide whether an access is coalesced; on later GPUs, only the set of bytes does */
    int run = run_of(a), first_generation = !model_has(p->gpu, FEATURE_ANY_ORDER);
    if (!(a->mask & (a->mask - 1))) {
        snprintf(where, size, "only one lane is active");
        return "Let the lanes of a warp load or store neighbouring elements, side by side.";
    }
    if (a->mask == ~0u && !stride && a->addr[0] == a->addr[31]) {
        snprintf(where, size,
            first_generation
                ? "all lanes access one word of %s, and this GPU serves them one by one"
                : "all lanes access one word of %s",
            buffer);
        return "Read it once into a register or shared memory, or from __constant__ memory.";
    }
    if (first_generation && a->bytes < 4) {
        snprintf(where, size,
            "this GPU combines only accesses of 4, 8 and 16 bytes, and those to %s have %u", buffer,
            a->bytes);
        return "Let each thread take four neighbouring bytes at once, as a uchar4 or an int.";
    }
    if (stride == (int64_t)a->bytes && a->mask != ~0u && !first_generation) {
        snprintf(where, size, "a warp has only %d neighbouring elements of %s in a row",
            __builtin_popcount(a->mask), buffer);
        return "Make blockDim.x a multiple of 32, or let each thread take several elements of a row.";
    }
    if (stride == (int64_t)a->bytes) {
        snprintf(where, size,
            "neighbouring lanes access neighbouring elements of %s, "
            "but start at byte %u of a 128-byte segment",
            buffer, segment_offset(a));
        return "Start each warp at a multiple of 128 bytes: pad the rows, or load a tile by shared memory.";
    }
    if (stride) {
        snprintf(
            where, size, "neighbouring lanes are %lld bytes apart in %s", llabs(stride), buffer);
        if (llabs(stride) > ROW)
            return "Let threadIdx.x run along the row, or turn the tile in shared memory.";
        if (llabs(stride) <= (int64_t)a->bytes) return "Let lane i use element i, in rising order.";
        return "Make an array of each member of a structure, or load it as a whole, as a float4.";
    }
    if (run) {
        snprintf(where, size, "a warp covers %d rows of %d neighbouring elements of %s", 32 / run,
            run, buffer);
        return "Make blockDim.x a multiple of 32, or let each thread take several elements of a row.";
    }
    snprintf(where, size, "the lanes' addresses in %s are scattered or not aligned", buffer);
    return "Let lane i use element i of an aligned row, or load through shared memory.";
}

/* Does the line's global memory traffic exceed 1.6 times the bytes requested? write: 1 for stores,
 * 0 for loads. */
static int bad_global(
    const struct profile *p, int line, const struct metrics *m, int write, char *out, size_t size)
{
    double wanted = counted(m, write ? METRIC_GST_BYTES : METRIC_GLD_BYTES);
    double moved = counted(m, write ? METRIC_GST_MOVED : METRIC_GLD_MOVED);
    double touched = counted(m, write ? METRIC_GST_SECTORS : METRIC_GLD_SECTORS);
    double accesses = counted(m, write ? METRIC_GST_REQUESTS : METRIC_GLD_REQUESTS);
    const struct line_access *a = worst_access(p, line, 0, write);
    char where[160];
    if (!accesses || !wanted || moved < 1.6 * wanted || !a) return 0;
    const char *try = global_pattern(p, a, where, sizeof where);
    double each = touched / accesses;
    snprintf(out, size, "%s: a %s takes %.3g %s%s and moves %.3g bytes for each byte requested. %s",
        where, write ? "store" : "load", each,
        model_has(p->gpu, FEATURE_SECTORS) ? "sector" : "transaction", plural_s(each),
        moved / wanted, try);
    return 1;
}

/* Does the line have at least one bank conflict for every two shared accesses? */
static int bad_shared(
    const struct profile *p, int line, const struct metrics *m, int write, char *out, size_t size)
{
    double inst = counted(m, write ? METRIC_SST_INST : METRIC_SLD_INST);
    double wavefronts = counted(m, write ? METRIC_SST_WAVEFRONTS : METRIC_SLD_WAVEFRONTS);
    double conflicts = counted(m, write ? METRIC_SST_CONFLICTS : METRIC_SLD_CONFLICTS);
    const struct line_access *a = worst_access(p, line, 1, write);
    if (!inst || conflicts < 0.5 * inst || !a) return 0;
    int64_t stride = stride_of(a) / 4;
    char where[96] = "lanes want different words of the same banks";
    if (stride)
        snprintf(
            where, sizeof where, "lanes lie %lld words apart, so many share a bank", llabs(stride));
    snprintf(out, size,
        "%s: each shared %s takes %.3g wavefronts, %.3g of them conflicts. Rows an odd number of "
        "%ss apart have none: pad them, in each index too; or change which index runs with threadIdx.x.",
        where, write ? "store" : "load", wavefronts / inst, conflicts / inst,
        a->bytes > 4 ? "element" : "word");
    return 1;
}

/* Are fewer than 24 of 32 lanes active on average? For a line that was not executed, the number is
 * NAN, and the answer no. */
static int bad_lanes(const struct profile *p, const struct metrics *m, char *out, size_t size)
{
    double lanes = m->v[METRIC_WARP_EFFICIENCY];
    if (!(lanes < 24)) return 0;
    snprintf(out, size,
        "only %.3g of 32 lanes are active here%s. Let all threads of a warp take the same branch, or give "
        "idle threads work.",
        lanes,
        counted(&p->m.metrics, METRIC_BRANCH_DIVERGENT) > 0 ? ", because branches diverge" : "");
    return 1;
}

/* Does the line have any atomics? Those on global memory are mentioned first, since they cost
 * more. */
static int bad_atomics(const struct profile *p, const struct metrics *m, char *out, size_t size)
{
    double global = counted(m, METRIC_GATOM_REQUESTS), sectors = counted(m, METRIC_GATOM_SECTORS);
    (void)p;
    if (global > 0)
        snprintf(out, size,
            "atomics on global memory bypass L1, and those to one address are serialized: a warp's atomic "
            "takes %.3g turn%s at a sector. Add up within the warp or the block first, in registers or "
            "shared memory.",
            sectors / global, plural_s(sectors / global));
    else if (counted(m, METRIC_SATOM_INST) > 0)
        snprintf(out, size,
            "atomics on shared memory: lanes that access the same word are serialized. Add up in registers "
            "first, or give each warp a copy of its own.");
    return global > 0 || counted(m, METRIC_SATOM_INST) > 0;
}

/* Do the line's loads request at least 8 times the bytes that DRAM delivered in the whole launch,
 * and are they at least 5% of its instructions? If so, caches deliver the same data again and
 * again. Always 0 for GPUs without an L2. */
static int reloads(const struct profile *p, const struct metrics *m, char *out, size_t size)
{
    double asked = counted(m, METRIC_GLD_BYTES),
           given = counted(&p->m.metrics, METRIC_DRAM_READ_BYTES);
    int few = counted(m, METRIC_GLD_REQUESTS) < 0.05 * counted(&p->m.metrics, METRIC_INST);
    if (!p->gpu->l2_bytes || given <= 0 || asked < 8 * given || few) return 0;
    snprintf(out, size,
        "its loads are coalesced, but request %.3g times the bytes that device memory delivers: the caches "
        "serve the same data again and again. Keep a tile of it in shared memory, or compute several results "
        "a thread in registers.",
        asked / given);
    return 1;
}

/* Partition camping is only known for the whole launch, so it is reported for each line with
 * global accesses to which no earlier rule applies. */
static int camps(const struct profile *p, const struct metrics *m, char *out, size_t size)
{
    double ratio = counted(&p->m.metrics, METRIC_DRAM_PARTITION_RATIO);
    if (ratio < 1.5 || loads_and_stores(m) == 0) return 0;
    snprintf(out, size,
        "coalesced, but concurrent blocks use only a few of DRAM's %d partitions (partition camping): the "
        "launch takes %.3g times as long. Make rows %d bytes longer, or assign tiles to blocks along "
        "diagonals.",
        p->gpu->dram_partitions, ratio, p->gpu->partition_bytes);
    return 1;
}

/* Does the line access local memory? That contains what does not fit into registers, and arrays
 * with variable indices. */
static int spills(const struct metrics *m, char *out, size_t size)
{
    if (counted(m, METRIC_LOCAL_LD) + counted(m, METRIC_LOCAL_ST) == 0) return 0;
    snprintf(out, size,
        "uses local memory, which is as slow as global memory. Index small arrays by constants, so that they "
        "stay in registers.");
    return 1;
}

/* ---- no waste: what the line's time is spent on ---- */

/* For a line limited by latency: name the result for which a warp waits. */
static void waiting(const struct metrics *m, char *out, size_t size)
{
    const char *for_what = counted(m, METRIC_GLD_REQUESTS) > 0
                               ? "its loads from global memory, which are coalesced"
                           : counted(m, METRIC_SLD_INST) > 0 ? "its loads from shared memory"
                                                             : "the instruction before";
    snprintf(out, size,
        "a warp waits here for %s. Let each thread do several independent ones before it uses the first "
        "(unroll), or keep more warps resident where there is room.",
        for_what);
}

/* Write what to try for coalesced accesses that are limited by bandwidth. Reuse in shared memory is
 * only suggested for L2 traffic. */
static void memory_traffic(
    const struct profile *p, const struct metrics *m, enum model_part part, char *out, size_t size)
{
    double bytes = counted(m, METRIC_GLD_BYTES) + counted(m, METRIC_GST_BYTES);
    double moved = counted(m, METRIC_GLD_MOVED) + counted(m, METRIC_GST_MOVED);
    snprintf(out, size,
        "its accesses are coalesced%s: they use %.0f%% of the bytes they move, which are %.0f%% of the "
        "launch's. To gain more, move less (narrower types, no second pass over the same array) or do more "
        "with what is loaded%s.",
        bytes < 0.9 * moved ? " except at their ends" : "", 100 * bytes / moved,
        100 * moved /
            (counted(&p->m.metrics, METRIC_GLD_MOVED) + counted(&p->m.metrics, METRIC_GST_MOVED)),
        part == PART_L2 && p->gpu->l2_bytes ? ", in shared memory or registers" : "");
}

/* For a line limited by instructions: name the kind of instruction that it executes most, counted
 * per thread, and how to need fewer. */
static void instructions(const struct profile *p, const struct metrics *m, char *out, size_t size)
{
    static const struct {
        enum metric metric;
        const char *what, *try;
    } kinds[] = {
        {METRIC_MIX_FP32, "on floats",
            "This is the work itself; a + b * c is one instruction, so keep products and sums together."},
        {METRIC_MIX_FP64, "on doubles", "Use float where its precision is enough."},
        {METRIC_MIX_FP16, "on half or bfloat16",
            "Two numbers fit one instruction: half2 with __hfma2, or bfloat162."},
        {METRIC_MIX_INTEGER, "on integers: indices and loop counters",
            "Unroll, or move what does not change out of the loop."},
        {METRIC_MIX_SPECIAL, "roots, divisions, sines and the like",
            "Compute them once and keep them, or multiply by the reciprocal."},
        {METRIC_MIX_MEMORY, "loads and stores",
            "Let one access take 8 or 16 bytes (float2, float4), or keep values in registers."},
        {METRIC_MIX_CONTROL, "branches and barriers",
            "Unroll, and avoid block barriers where only the threads of one warp share data."},
        {METRIC_MIX_MISC, "moves, conversions and parameter reads",
            "Let a thread compute several results, so that more work shares them."},
    };
    double threads = fmax(1, counted(m, METRIC_THREAD_INST));
    size_t most = 0;
    for (size_t i = 1; i < sizeof kinds / sizeof *kinds; i++)
        if (counted(m, kinds[i].metric) > counted(m, kinds[most].metric)) most = i;
    snprintf(out, size, "%.0f%% of all instructions, %.0f%% of them %s. %s",
        100 * counted(m, METRIC_INST) / fmax(1, counted(&p->m.metrics, METRIC_INST)),
        100 * counted(m, kinds[most].metric) / threads, kinds[most].what, kinds[most].try);
}

/* For a line without waste: what its work is. A multiply-add for every few shared loads is
 * mentioned first, since register tiling is then the next step. Shared loads are counted per warp
 * and multiply-adds per thread, hence the factor 32. */
static void work(
    const struct profile *p, const struct metrics *m, enum model_part part, char *out, size_t size)
{
    double inst = counted(m, METRIC_INST), all = fmax(1, counted(&p->m.metrics, METRIC_INST));
    double fma = counted(m, METRIC_FFMA) / fmax(1, counted(m, METRIC_THREAD_INST));
    if (counted(m, METRIC_SLD_INST) > 0.2 * inst && counted(m, METRIC_FFMA) > 0)
        snprintf(out, size,
            "%.0f%% of all instructions, a shared load for every %.2g multiply-adds. Reuse what was loaded: "
            "several results a thread, in registers.",
            100 * inst / all, counted(m, METRIC_FFMA) / 32 / counted(m, METRIC_SLD_INST));
    else if (fma > 0.5)
        snprintf(out, size,
            "%.0f%% of all instructions, %.0f%% of them multiply-adds: this is the work itself.",
            100 * inst / all, 100 * fma);
    else if (part == PART_LATENCY)
        waiting(m, out, size);
    else if (loads_and_stores(m) > 0 && part != PART_ISSUE && part != PART_INTEGER)
        memory_traffic(p, m, part, out, size);
    else
        instructions(p, m, out, size);
}

/* The rules are tried in the order that the head of this file lists. */
void profile_explain(
    const struct profile *p, int line, enum model_part part, char *out, size_t size)
{
    const struct metrics *m = profile_line(p, line);
    if (bad_global(p, line, m, 0, out, size) || bad_global(p, line, m, 1, out, size) ||
        bad_shared(p, line, m, 0, out, size) || bad_shared(p, line, m, 1, out, size) ||
        bad_lanes(p, m, out, size) || bad_atomics(p, m, out, size) || reloads(p, m, out, size) ||
        camps(p, m, out, size) || spills(m, out, size))
        return;
    work(p, m, part, out, size);
}
