/* apart.c - what the caches would be asked for if the warps of a block had drifted apart.
 *
 *      in step         w0  a b c d e f              w1 finds in the L1 what w0 has just fetched
 *                      w1  a b c d e f
 *      drifted apart   w0  a b c d e f g h i j k    w1 comes later by drift of its way: a line is there only if the L1 has
 *                      w1  a   b   c   d   e        kept it for so long
 *
 * The same reads go a second time through an L1, and through a multiprocessor's part of the L2: each warp's so much later. The last
 * of a block's warps goes ahead, the first is drift of its way behind, the others are evenly between them. Lines of a block are its own
 * here, since blocks of a multiprocessor are not even about as far as each other.
 *
 * Measured on an H200 by writing down when each warp had done a 64th of its way, N = 16384, k = 2048, blocks of 8 warps:
 *
 *     waits for         kernel                        blocks of a multiprocessor           warps of a block
 *     L1                a tile of 16 x 16 a thread    the oldest 3 of 8 run, then others   1 to 3% of their way apart, later 5 to 12%
 *     L1                the naive product             the oldest 4 of 8 run, then others   0.0 to 0.4%
 *     memory, latency   the tile's columns alternate  all run, the oldest soonest          0.0 to 0.1%
 *     memory, latency   the coalesced product         all run, 5% apart                    0.0%
 *
 * So warps drift where a multiprocessor's own units are what they wait for (counters.c): these serve the oldest block first, and of its
 * warps the second of each scheduler before the first; memory serves who comes first. */
#include "sim/trace.h"

#include <stdlib.h>
#include <string.h>

enum { L1_WAYS = 16, L2_WAYS = 16, BLOCK_SHIFT = 48 };

struct lag { /* a warp's reads that are still to come */
    struct late {
        uint64_t addr, due;
    } *at;
    size_t first, count, cap;
};

struct apart {
    struct model_cache *l1, *l2;
    int fetch, convoys, warps; /* of a block */
    double drift;
    uint64_t now, misses, fetched;
    struct lag *lags; /* by stream, a convoy's warps each */
    size_t lag_count, lag_cap;
};

/* A line whose home is the other side's is in the L2 twice, so all hold fewer. */
struct apart *apart_new(const struct model_profile *p, int block_warps, int l1_bytes, int sample, int read_shift)
{
    double copies = 1 + (p->l2_sides - 1) / (double)p->l2_sides;
    struct apart *a = xcalloc(1, sizeof *a);
    a->fetch = p->l2_fetch > 1 << read_shift ? p->l2_fetch : 1 << read_shift;
    a->l1 = trace_cache(l1_bytes >> sample, L1_WAYS, 1 << read_shift);
    a->l2 = trace_cache((int64_t)((double)p->l2_bytes / p->sms / copies) >> sample, L2_WAYS, a->fetch);
    a->convoys = (block_warps + CONVOY_WARPS - 1) / CONVOY_WARPS;
    a->warps = block_warps;
    a->drift = p->drift;
    return a;
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

static void read_now(struct apart *a, uint64_t addr)
{
    if (model_cache_access(a->l1, addr, 0, 1) & CACHE_HIT)
        return;
    a->misses++;
    a->fetched += !(model_cache_access(a->l2, addr, 0, 1) & CACHE_HIT);
}

static void let_go(struct apart *a, struct lag *lag, uint64_t until)
{
    while (lag->first < lag->count && lag->at[lag->first].due <= until)
        read_now(a, lag->at[lag->first++].addr);
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

void apart_read(struct apart *a, uint64_t stream, int warp, uint64_t instant, uint64_t addr)
{
    int number = (int)(stream % (unsigned)a->convoys) * CONVOY_WARPS + warp;
    double behind = a->warps > 1 ? 1 - number / (a->warps - 1.0) : 0;
    if (instant != a->now)
        catch_up(a, instant - 1);
    a->now = instant;
    push(lag_of(a, stream, warp), of_block(a, stream, addr), instant + (uint64_t)(a->drift * behind * (double)instant));
}

void apart_totals(struct apart *a, double *misses, double *fetched_bytes)
{
    end(a);
    *misses += (double)a->misses;
    *fetched_bytes += (double)a->fetched * a->fetch;
}
