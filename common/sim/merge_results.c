/* merge_results.c - adds up the counts of a launch's host threads, and computes its result.
 *
 *     each thread's counts --> added --> scaled, if only a sample of the blocks ran --> counters_sum
 *     each multiprocessor's log --> the L2, at the pace that the counts give -----------^ */
#include "sim/check/check.h"
#include "sim/count/count.h"
#include "sim/crew.h"

#include <math.h>
#include <stdlib.h>

/* Adds the array `from` to the array `to`; both consist of uint64_t, or of structures of them. */
static void add_sums(void *to, const void *from, size_t bytes)
{
    for (size_t k = 0; k < bytes / sizeof(uint64_t); k++)
        ((uint64_t *)to)[k] += ((const uint64_t *)from)[k];
}

static void scale_sums(void *sums, size_t bytes, double by)
{
    for (size_t k = 0; k < bytes / sizeof(uint64_t); k++)
        ((uint64_t *)sums)[k] = (uint64_t)((double)((uint64_t *)sums)[k] * by + 0.5);
}

/* Add the counts of one worker; of the two example accesses of each step, the one of the block with
 * the lower number is kept. */
static void add_worker(struct worker *to, const struct worker *from)
{
    const struct ptx_program *p = to->kernel->program;
    add_sums(to->steps, from->steps, p->step_count * sizeof *to->steps);
    add_sums(to->block_warps, from->block_warps, p->block_count * sizeof *to->block_warps);
    add_sums(to->block_lanes, from->block_lanes, p->block_count * sizeof *to->block_lanes);
    for (size_t s = 0; s < p->step_count; s++)
        if (from->accesses[s].block < to->accesses[s].block) to->accesses[s] = from->accesses[s];
}

/* In a sampled launch, scale the counts of the blocks that ran to all blocks. */
static void scale_counts(const struct crew *c, struct worker *w)
{
    const struct ptx_program *p = w->kernel->program;
    double by = (double)c->launch->blocks / (double)c->counted;
    if (c->counted == c->launch->blocks) return;
    scale_sums(w->steps, p->step_count * sizeof *w->steps, by);
    scale_sums(w->block_warps, p->block_count * sizeof *w->block_warps, by);
    scale_sums(w->block_lanes, p->block_count * sizeof *w->block_lanes, by);
}

static void scale_caches(const struct crew *c, struct trace_totals *caches)
{
    double by = (double)c->launch->blocks / (double)c->counted;
    double *sums[] = {&caches->l1_hits, &caches->l1_accesses, &caches->asked_sectors,
        &caches->asked_lines, &caches->far_reads, &caches->l2_read_sectors,
        &caches->dram_read_bytes, &caches->dram_write_bytes, &caches->dirty_bytes, &caches->stored,
        &caches->stored_partial, &caches->stored_lines, &caches->atomic_clocks,
        &caches->atomic_waits};
    for (size_t i = 0; i < sizeof sums / sizeof *sums && c->counted != c->launch->blocks; i++)
        *sums[i] *= by;
    /* Buffers that fit in the L2 are read from DRAM once, however many multiprocessors read
     * them. */
    const struct launch *l = c->launch;
    double most = (double)sim_memory_bytes(l->memory);
    if (l->picked < l->sms && most <= (double)l->profile->l2_bytes &&
        caches->dram_read_bytes > most) {
        caches->missed *= most / caches->dram_read_bytes;
        caches->dram_read_bytes = most;
    }
}

/* Replay the multiprocessors' requests through the L2, ordered by the time that `pace` assigns to
 * them. */
static void follow_l2(const struct crew *c, struct trace **traces, struct trace_totals *caches)
{
    const struct worker *w = &c->workers[0];
    const struct launch *l = c->launch;
    struct pace pace = {0};
    if (l->profile->gpcs) {
        uint32_t last;
        double asked =
            trace_asked(traces, c->count, &last) * (double)l->blocks / (double)c->counted;
        double fillings = ceil((double)c->counted / ((double)l->picked * c->seats));
        pace = counters_pace(l, w->steps, w->block_warps, w->block_lanes, asked, last, fillings);
    }
    trace_finish(traces, c->count, l, &pace, caches);
}

static void sum_stores(const struct crew *c, struct trace_totals *out)
{
    struct left all = {0}; /* totals are integers, so the order of additions does not matter */
    for (int i = 0; i < c->count * c->seats && c->workers[i].combine; i++)
        write_combine_totals(c->workers[i].combine, &all);
    out->stored = c->workers[0].combine ? (double)all.sectors : NAN;
    out->stored_partial = (double)all.partial;
    out->stored_lines = (double)all.lines;
}

/* The clocks of the busiest L2 slice. If all atomics of a slice add floats to the same word, each
 * round takes longer, since it waits for the previous sum. */
static void sum_slices(const struct crew *c, struct trace_totals *out)
{
    const struct model_profile *p = c->launch->profile;
    out->atomic_clocks = out->atomic_waits = 0;
    for (int s = 0; s < MODEL_SLICES; s++) {
        struct slice all = {0};
        for (int i = 0; i < c->count * c->seats; i++) slice_add(&all, &c->workers[i].slices[s]);
        double clocks =
            (double)all.turns * (all.word == SEVERAL ? p->atomic_clocks : p->atomic_float_clocks);
        if (clocks <= out->atomic_clocks) continue;
        out->atomic_clocks = clocks;
        out->atomic_waits = clocks - (double)all.turns * p->atomic_clocks;
    }
}

/* Computes the instructions of a block's longest warp relative to the mean warp, and the busiest
 * multiprocessor's share of all work. */
static void sum_schedule(struct crew *c)
{
    uint64_t all = 0, longest = 0;
    for (int i = 0; i < c->count * c->seats; i++) {
        all += c->workers[i].schedule.all;
        longest += c->workers[i].schedule.longest;
    }
    c->launch->longest = all ? (double)longest / (double)all : 1;
    c->launch->busiest = c->launch->work ? schedule_busiest(c->launch) : 0;
}

void crew_sum(struct crew *c, struct sim_result *r)
{
    struct worker *first = &c->workers[0];
    struct trace **traces = xcalloc((size_t)c->count, sizeof *traces);
    struct partitions **partitions = xcalloc((size_t)c->count, sizeof *partitions);
    struct rows **rows = xcalloc((size_t)c->count, sizeof *rows);
    struct trace_totals caches;
    for (int i = 0; i < c->count; i++) {
        const struct worker *w = &c->workers[i * c->seats];
        traces[i] = w->trace;
        partitions[i] = w->partitions;
        rows[i] = w->rows;
        if (i) add_worker(first, w);
    }
    scale_counts(c, first);
    sum_schedule(c);
    follow_l2(c, traces, &caches);
    sum_stores(c, &caches);
    sum_slices(c, &caches);
    scale_caches(c, &caches);
    r->accesses = first->accesses;
    first->accesses = NULL;
    counters_sum(c->launch, first->steps, first->block_warps, first->block_lanes, &caches,
        partitions_ratio(partitions, c->count), rows_ratio(rows, c->count), r);
    free(traces);
    free(partitions);
    free(rows);
}
