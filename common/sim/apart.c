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
 * Measured on an H200, tiles of 16 x 16 outputs a thread and the naive product, with the time written down at which each warp had done
 * a 64th of its way: the second four warps of a block go ahead of the first four; blocks of a multiprocessor that wait for the L1 are
 * served oldest first, so that of eight three run while three have not begun.
 *
 * Leading costs, for who leads waits for each line that the block has not had yet, and the others find it: such waits are told apart
 * (apart_is_new). What they come to is for counters.c to judge. */
#include "sim/trace.h"

#include <stdlib.h>
#include <string.h>

enum { L1_WAYS = 16, L2_WAYS = 16, BLOCK_SHIFT = 48 };
static const int64_t block_bytes = (int64_t)256 << 20; /* of lines that blocks have had: more than one touches in good time */

struct lag { /* a warp's reads that are still to come */
    struct late {
        uint64_t addr, due;
    } *at;
    size_t first, count, cap;
};

struct apart {
    struct model_cache *l1, *l2, *had;
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
    a->had = trace_cache(block_bytes >> sample, L2_WAYS, 1 << read_shift);
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
    model_cache_free(a->had);
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
    model_cache_clear(a->had);
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

int apart_is_new(struct apart *a, uint64_t stream, uint64_t addr)
{
    return !(model_cache_access(a->had, of_block(a, stream, addr), 0, 1) & CACHE_HIT);
}

void apart_totals(struct apart *a, double *misses, double *fetched_bytes)
{
    end(a);
    *misses += (double)a->misses;
    *fetched_bytes += (double)a->fetched * a->fetch;
}
