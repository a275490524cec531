/* lanes.c - special registers, and what the lanes of a warp do together: shuffles, votes, matches. */
#include "sim/machine.h"

#include <string.h>

/* ---- special registers ---- */

/* A value that differs from thread to thread in a way no strides describe. */
static void sreg_lanes(struct convoy *v, struct reg *d, int which)
{
    const unsigned *n = v->worker->launch->shape.block;
    for (int w = 0; w < v->warps; w++)
        for (int l = 0; l < 32; l++) {
            unsigned i = (unsigned)(v->index * CONVOY_LANES + w * 32 + l), x;
            switch (which) {
            case SREG_TID_X: x = i % n[0]; break;
            case SREG_TID_Y: x = i / n[0] % n[1]; break;
            case SREG_TID_Z: x = i / n[0] / n[1]; break;
            case SREG_LANEID: x = (unsigned)l; break;
            case SREG_LANEMASK_EQ: x = 1u << l; break;
            case SREG_LANEMASK_LE: x = (2u << l) - 1; break;
            case SREG_LANEMASK_LT: x = (1u << l) - 1; break;
            case SREG_LANEMASK_GE: x = ~((1u << l) - 1); break;
            default: x = ~((2u << l) - 1); break;
            }
            if (!(v->active[w] >> l & 1))
                continue;
            if (d->wide)
                ((uint64_t *)d->lanes)[w * 32 + l] = x;
            else
                ((uint32_t *)d->lanes)[w * 32 + l] = x;
        }
}

/* Thread indices as base and strides, where the shape of the block allows it: rows of 32 or more in whole warps, or
 * several whole rows to a warp. Returns 0 where it does not. */
static int sreg_affine(const struct convoy *v, struct reg *d, int which)
{
    const unsigned *n = v->worker->launch->shape.block;
    unsigned x = n[0], y = n[1];
    int whole_rows = x < 32 && 32 % x == 0, whole_warps = x % 32 == 0;
    unsigned rows = whole_rows ? 32 / x : 1; /* of the block in a warp */
    if (which == SREG_LANEID) {
        memset(d->base, 0, sizeof d->base);
        reg_compact(d, 1, whole_rows ? (int64_t)x : 0);
        return 1;
    }
    if (!whole_rows && !whole_warps)
        return 0;
    if (which != SREG_TID_X && n[2] > 1 && y % rows)
        return 0; /* a warp reaches from one layer into the next */
    for (unsigned w = 0; w < CONVOY_WARPS; w++) {
        unsigned first = (unsigned)v->index * CONVOY_LANES + w * 32;
        d->base[w] = which == SREG_TID_X ? first % x : which == SREG_TID_Y ? (n[2] > 1 ? first / x % y : first / x) : first / x / y;
    }
    if (which == SREG_TID_X)
        reg_compact(d, 1, 0);
    else
        reg_compact(d, 0, which == SREG_TID_Y && whole_rows ? 1 : 0);
    return 1;
}

static uint64_t sreg_uniform(const struct convoy *v, int which, int w)
{
    const struct worker *wk = v->worker;
    const struct launch *l = wk->launch;
    switch (which) {
    case SREG_NTID_X: case SREG_NTID_Y: case SREG_NTID_Z: return l->shape.block[which - SREG_NTID_X];
    case SREG_CTAID_X: case SREG_CTAID_Y: case SREG_CTAID_Z: return wk->ctaid[which - SREG_CTAID_X];
    case SREG_NCTAID_X: case SREG_NCTAID_Y: case SREG_NCTAID_Z: return l->shape.grid[which - SREG_NCTAID_X];
    case SREG_WARPID: return (uint64_t)(v->index * CONVOY_WARPS + w);
    case SREG_NWARPID: return (uint64_t)l->profile->max_warps;
    case SREG_WARPSIZE: return 32;
    case SREG_SMID: return (uint64_t)wk->sm;
    case SREG_NSMID: return (uint64_t)l->profile->sms;
    case SREG_DYNAMIC_SMEM: return l->shape.dynamic_shared;
    case SREG_TOTAL_SMEM: return l->shared_bytes;
    case SREG_CLOCK: case SREG_CLOCK64: case SREG_GLOBALTIMER: return v->executed; /* instructions stand for clocks */
    default: return 0; /* gridid: one launch at a time */
    }
}

void lanes_sreg(struct convoy *v, const struct uop *u)
{
    struct reg *d = &v->regs[u->d];
    int per_thread = u->detail <= SREG_TID_Z || u->detail == SREG_LANEID;
    int per_lane = u->detail >= SREG_LANEMASK_EQ && u->detail <= SREG_LANEMASK_GT;
    if (v->full && per_thread && sreg_affine(v, d, u->detail))
        return;
    if (per_lane || per_thread) {
        reg_blend(v, d);
        sreg_lanes(v, d, u->detail);
        return;
    }
    if (v->full) {
        for (int w = 0; w < CONVOY_WARPS; w++)
            d->base[w] = sreg_uniform(v, u->detail, w);
        reg_compact(d, 0, 0);
        return;
    }
    reg_blend(v, d);
    for (int w = 0; w < v->warps; w++)
        for (int l = 0; l < 32; l++)
            if (v->active[w] >> l & 1) {
                if (d->wide)
                    ((uint64_t *)d->lanes)[w * 32 + l] = sreg_uniform(v, u->detail, w);
                else
                    ((uint32_t *)d->lanes)[w * 32 + l] = (uint32_t)sreg_uniform(v, u->detail, w);
            }
}

/* ---- together ---- */

/* Every lane that executes a _sync instruction must be named in its mask, and every lane named must be there. */
static void check_members(struct convoy *v, const struct uop *u, int w, const uint32_t *members)
{
    uint32_t active = v->active[w], live = v->exist[w] & ~v->exited[w];
    for (uint32_t m = active; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        uint32_t named = members[w * 32 + l];
        if (!(named >> l & 1))
            sim_fault(v, u, w * 32 + l, "is not named in the mask 0x%08x of the instruction it executes", named);
        if (named & live & ~active)
            sim_fault(v, u, w * 32 + l, "waits for lane %d, which is named in the mask 0x%08x but took another way",
                      __builtin_ctz(named & live & ~active), named);
    }
}

/* The lane that lane l reads in a shuffle, and whether it is in range. Source: PTX ISA, shfl.sync. */
static int shfl_source(int mode, int l, uint32_t b, uint32_t c, int *in_range)
{
    int bval = (int)(b & 31), cval = (int)(c & 31), segment = (int)(c >> 8 & 31);
    int max = (l & segment) | (cval & ~segment), min = l & segment, j;
    switch (mode) {
    case SHFL_UP: j = l - bval; *in_range = j >= max; break;
    case SHFL_DOWN: j = l + bval; *in_range = j <= max; break;
    case SHFL_BFLY: j = l ^ bval; *in_range = j <= max; break;
    default: j = min | (bval & ~segment); *in_range = j <= max; break;
    }
    return *in_range ? j : l;
}

void lanes_shfl(struct convoy *v, const struct uop *u)
{
    uint32_t a[CONVOY_LANES];
    const uint32_t *b = reg_lanes(v, &v->regs[u->b]), *c = reg_lanes(v, &v->regs[u->c]);
    const uint32_t *members = reg_lanes(v, &v->regs[u->e]);
    memcpy(a, reg_lanes(v, &v->regs[u->a]), sizeof a);
    uint32_t result[CONVOY_LANES], ok[CONVOY_WARPS] = {0};
    for (int w = 0; w < v->warps; w++) {
        check_members(v, u, w, members);
        for (uint32_t m = v->active[w]; m; m &= m - 1) {
            int l = __builtin_ctz(m), in_range, from = shfl_source(u->detail, l, b[w * 32 + l], c[w * 32 + l], &in_range);
            result[w * 32 + l] = a[w * 32 + from];
            ok[w] |= (uint32_t)in_range << l;
        }
    }
    if (u->d >= 0) {
        uint32_t *out = reg_blend(v, &v->regs[u->d]);
        for (int w = 0; w < v->warps; w++)
            for (uint32_t m = v->active[w]; m; m &= m - 1)
                out[w * 32 + __builtin_ctz(m)] = result[w * 32 + __builtin_ctz(m)];
    }
    for (int w = 0; u->pair >= 0 && w < v->warps; w++)
        v->pred[u->pair][w] = (v->pred[u->pair][w] & ~v->active[w]) | ok[w];
}

static void put_words(struct convoy *v, struct reg *d, const uint32_t word[CONVOY_WARPS])
{
    uint32_t *out = reg_blend(v, d);
    for (int w = 0; w < v->warps; w++)
        for (uint32_t m = v->active[w]; m; m &= m - 1)
            out[w * 32 + __builtin_ctz(m)] = word[w];
}

void lanes_vote(struct convoy *v, const struct uop *u)
{
    uint32_t word[CONVOY_WARPS] = {0};
    const uint32_t *members = reg_lanes(v, &v->regs[u->b]);
    for (int w = 0; w < v->warps; w++) {
        uint32_t on = v->active[w], yes = v->pred[u->a][w] & on;
        if (!on)
            continue;
        check_members(v, u, w, members);
        switch (u->detail) {
        case VOTE_ALL: word[w] = yes == on ? ~0u : 0; break;
        case VOTE_ANY: word[w] = yes ? ~0u : 0; break;
        case VOTE_UNI: word[w] = yes == on || !yes ? ~0u : 0; break;
        default: word[w] = yes; break;
        }
    }
    if (u->detail == VOTE_BALLOT)
        put_words(v, &v->regs[u->d], word);
    else
        for (int w = 0; w < v->warps; w++)
            v->pred[u->d][w] = (v->pred[u->d][w] & ~v->active[w]) | (word[w] & v->active[w]);
}

void lanes_activemask(struct convoy *v, const struct uop *u)
{
    put_words(v, &v->regs[u->d], v->active);
}

void lanes_match(struct convoy *v, const struct uop *u)
{
    struct reg *a = &v->regs[u->a];
    const void *lanes = reg_lanes(v, a);
    const uint32_t *members = reg_lanes(v, &v->regs[u->b]);
    uint32_t result[CONVOY_LANES] = {0}, same[CONVOY_WARPS] = {0};
    for (int w = 0; w < v->warps; w++) {
        uint32_t on = v->active[w], all = on;
        check_members(v, u, w, members);
        for (uint32_t m = on; m; m &= m - 1) {
            int l = __builtin_ctz(m);
            uint32_t equal = 0;
            for (uint32_t k = on; k; k &= k - 1) {
                int o = __builtin_ctz(k);
                int eq = a->wide ? ((const uint64_t *)lanes)[w * 32 + l] == ((const uint64_t *)lanes)[w * 32 + o]
                                 : ((const uint32_t *)lanes)[w * 32 + l] == ((const uint32_t *)lanes)[w * 32 + o];
                equal |= (uint32_t)eq << o;
            }
            all &= equal;
            result[w * 32 + l] = equal;
        }
        same[w] = on && all == on ? on : 0;
        for (int l = 0; u->detail == MATCH_ALL && l < 32; l++)
            result[w * 32 + l] = same[w];
    }
    if (u->d >= 0) {
        uint32_t *out = reg_blend(v, &v->regs[u->d]);
        for (int w = 0; w < v->warps; w++)
            for (uint32_t m = v->active[w]; m; m &= m - 1)
                out[w * 32 + __builtin_ctz(m)] = result[w * 32 + __builtin_ctz(m)];
    }
    for (int w = 0; u->pair >= 0 && w < v->warps; w++)
        v->pred[u->pair][w] = (v->pred[u->pair][w] & ~v->active[w]) | same[w];
}
