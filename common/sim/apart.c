/* apart.c - what the caches are asked for as the warps of a block drift apart.
 *
 *      in step         w0  a b c d e f              w1 finds in the L1 what w0 has just fetched
 *                      w1  a b c d e f
 *      drifted apart   w0  a b c d e f g h i j k    w1 comes later: a line is there only if the L1 has kept it for so long
 *                      w1  a   b   c   d   e
 *
 * The same reads go a second time through an L1, and through a multiprocessor's part of the L2, each warp's later than in step, by
 *
 *     lead      of its way for each warp of its scheduler that its block began after it. What all wait for is the L1, and a scheduler
 *               serves the oldest block first, but of its warps the younger before the older.
 *     drift     of the way on which it waited for L2 or DRAM, as a standard deviation between the block's warps: lines are near or far,
 *               and a warp that comes back to its own is as slow as these are far. Whose are is as good as random: evenly spread here.
 *
 * A warp that finds in the L1 what others have just fetched waits for nothing of its own, and does not drift. One that has lost the others
 * fetches for itself and drifts on, so that caches which just hold what warps in step read can lose it all, some way into a launch.
 *
 * Where all wait for the L1, the oldest blocks of a multiprocessor run, as many as keep it busy, and the others wait for these to end.
 * So reads go this way twice, those of at_once warps and those of all. If with the former the L1 is still what is waited for, it stays
 * so; if not, all run (counters.c).
 *
 * Lines of a block are its own here, since blocks of a multiprocessor are not even about as far as each other. Measured on an H200, full of
 * blocks of 8 warps (medians of such kinds are what `lockstep probe` finds):
 *
 *     waits for     whose loads go to                                   first and last warp of a block, of their way
 *     L1            16 lines of their own, 1, 4 or 16 loads at once     0.0 to 1.3% however long; less each four of different schedulers
 *     L2, DRAM      16 or 1024 lines of their own, the same             1 to 15% however long, each warp by itself
 *
 * and in a product with a tile a thread, N = 16384, by writing down when each warp had done a 64th of its way: with k = 512, 2% at the
 * end, as fast as in step; with k = 2048, 10 to 14%, each warp by itself, 1.8 to 2.7 times as slow; in the naive and the coalesced one,
 * where a block's warps wait for the same lines, 0.0 to 0.4%. */
#include "sim/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { L1_WAYS = 16, L2_WAYS = 16, BLOCK_SHIFT = 48, LAST_READS = 512 };

struct lag { /* a warp's reads that are still to come */
    struct late {
        uint64_t addr, due;
    } *at;
    size_t first, count, cap;
    double late;               /* by its waiting so far: instants */
    uint64_t read;             /* when last */
    double reads, misses;      /* of the last ones */
};

struct apart {
    struct model_cache *l1, *l2;
    int fetch, convoys, warps; /* of a block */
    uint64_t blocks;           /* that run at once */
    int schedulers;
    double lead, drift, far; /* drift: between the first and the last; far: a miss takes so many hits longer */
    uint64_t now, misses, fetched;
    struct lag *lags; /* by stream, a convoy's warps each */
    size_t lag_count, lag_cap;
};

/* A line whose home is the other side's is in the L2 twice, so all hold fewer. */
struct apart *apart_new(const struct model_profile *p, int block_warps, int blocks, int l1_bytes, int sample, int read_shift)
{
    double copies = 1 + (p->l2_sides - 1) / (double)p->l2_sides;
    struct apart *a = xcalloc(1, sizeof *a);
    a->fetch = p->l2_fetch > 1 << read_shift ? p->l2_fetch : 1 << read_shift;
    a->l1 = trace_cache(l1_bytes >> sample, L1_WAYS, 1 << read_shift);
    a->l2 = trace_cache((int64_t)((double)p->l2_bytes / p->sms / copies) >> sample, L2_WAYS, a->fetch);
    a->convoys = (block_warps + CONVOY_WARPS - 1) / CONVOY_WARPS;
    a->warps = block_warps;
    a->blocks = (uint64_t)blocks;
    a->schedulers = p->schedulers;
    a->lead = p->lead;
    a->drift = block_warps > 1 ? p->drift * sqrt(12.0 * (block_warps - 1) / (block_warps + 1)) : 0; /* of so many, evenly spread */
    a->far = p->latency_l1 ? (double)(p->latency_l2 - p->latency_l1) / p->latency_l1 : 0;
    return a;
}

int apart_few(const struct model_profile *p, int block_warps, int resident)
{
    int few = block_warps > 0 ? (p->at_once + block_warps - 1) / block_warps : 1;
    return few < resident && few > 0 ? few : resident;
}

void apart_free(struct apart *a)
{
    if (!a)
        return;
    model_cache_free(a->l1);
    model_cache_free(a->l2);
    for (size_t i = 0; i < a->lag_count; i++)
        free(a->lags[i].at);
    free(a->lags);
    free(a);
}

static void read_now(struct apart *a, struct lag *lag, uint64_t addr)
{
    if (++lag->reads > LAST_READS)
        lag->reads /= 2, lag->misses /= 2;
    if (model_cache_access(a->l1, addr, 0, 1) & CACHE_HIT)
        return;
    lag->misses++;
    a->misses++;
    a->fetched += !(model_cache_access(a->l2, addr, 0, 1) & CACHE_HIT);
}

static void let_go(struct apart *a, struct lag *lag, uint64_t until)
{
    while (lag->first < lag->count && lag->at[lag->first].due <= until)
        read_now(a, lag, lag->at[lag->first++].addr);
    if (lag->first == lag->count)
        lag->first = lag->count = 0;
}

static void catch_up(struct apart *a, uint64_t until)
{
    for (size_t i = 0; i < a->lag_count; i++)
        let_go(a, &a->lags[i], until);
}

/* UINT64_MAX: nothing is left. */
static uint64_t next_due(const struct apart *a)
{
    uint64_t next = UINT64_MAX;
    for (size_t i = 0; i < a->lag_count; i++) {
        const struct lag *lag = &a->lags[i];
        if (lag->first < lag->count && lag->at[lag->first].due < next)
            next = lag->at[lag->first].due;
    }
    return next;
}

static void end(struct apart *a)
{
    for (uint64_t due; (due = next_due(a)) < UINT64_MAX;)
        catch_up(a, due);
}

void apart_start_sm(struct apart *a)
{
    end(a);
    for (size_t i = 0; i < a->lag_count; i++)
        a->lags[i].late = a->lags[i].reads = a->lags[i].misses = a->lags[i].read = 0;
    a->now = 0;
    model_cache_clear(a->l1);
    model_cache_clear(a->l2);
}

static struct lag *lag_of(struct apart *a, uint64_t stream, int warp)
{
    size_t at = stream * CONVOY_WARPS + (unsigned)warp;
    while (a->lag_count <= at)
        *VEC_PUSH(a->lags, a->lag_count, a->lag_cap) = (struct lag){0};
    return &a->lags[at];
}

static void push(struct lag *lag, uint64_t addr, uint64_t due)
{
    if (lag->first > 1024 && 2 * lag->first > lag->count) { /* what was let go makes room */
        lag->count -= lag->first;
        memmove(lag->at, lag->at + lag->first, lag->count * sizeof *lag->at);
        lag->first = 0;
    }
    *VEC_PUSH(lag->at, lag->count, lag->cap) = (struct late){addr, due};
}

static uint64_t of_block(const struct apart *a, uint64_t stream, uint64_t addr)
{
    return addr | stream / (unsigned)a->convoys << BLOCK_SHIFT;
}

/* How much later than in step it reads what it asks for at an instant. */
static uint64_t later(const struct apart *a, struct lag *lag, int warp, uint64_t instant)
{
    double missed = lag->reads > 0 ? lag->misses / lag->reads : 0, waits = missed * a->far / (1 + missed * a->far); /* share of its time */
    double slow = a->warps > 1 ? a->drift * (1 - warp / (a->warps - 1.0)) : 0;
    int before = (a->warps - 1) / a->schedulers - warp / a->schedulers; /* warps of its scheduler that are served first */
    lag->late += slow * waits * (double)(instant - lag->read);
    lag->read = instant;
    return (uint64_t)(lag->late + a->lead * before * (double)instant);
}

void apart_read(struct apart *a, uint64_t stream, int warp, uint64_t instant, uint64_t addr)
{
    int number = (int)(stream % (unsigned)a->convoys) * CONVOY_WARPS + warp;
    if (stream / (unsigned)a->convoys >= a->blocks)
        return;
    if (instant != a->now)
        catch_up(a, instant - 1);
    a->now = instant;
    struct lag *lag = lag_of(a, stream, warp);
    push(lag, of_block(a, stream, addr), instant + later(a, lag, number, instant));
}

void apart_totals(struct apart *a, double *misses, double *fetched_bytes)
{
    end(a);
    *misses += (double)a->misses;
    *fetched_bytes += (double)a->fetched * a->fetch;
}
