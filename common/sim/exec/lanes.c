/* lanes.c - special registers, and operations between the lanes of a warp: shuffles, votes,
 * matches.
 *
 * An operation between lanes has three steps, so that lanes at different places of the program can
 * take part (convergence_wait.c):
 *
 *     lanes_bring     copies the lanes' sources into a struct meeting
 *     lanes_meet      computes the results of these lanes
 *     lanes_take      copies the results into the lanes' registers
 *
 * Source: PTX ISA, Special Registers, shfl.sync, vote.sync, match.sync, barrier.red. */
#include "sim/cluster.h"
#include "sim/exec/mem.h"

#include <string.h>

/* ---- special registers ---- */

/* Computes special registers that differ between lanes, lane by lane for the active ones. d must
 * hold a value per lane (reg_blend). */
static void sreg_lanes(struct batch *v, struct reg *d, int which)
{
    const unsigned *n = v->worker->launch->shape.block;
    for (int w = 0; w < v->warps; w++)
        for (int l = 0; l < 32; l++) {
            unsigned i = (unsigned)(v->index * BATCH_LANES + w * 32 + l), x;
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
            if (!(v->active[w] >> l & 1)) continue;
            if (d->wide)
                ((uint64_t *)d->lanes)[w * 32 + l] = x;
            else
                ((uint32_t *)d->lanes)[w * 32 + l] = x;
        }
}

/* Sets d to a thread or lane index in the compact form: base and strides. This requires that the
 * block's width x is a multiple of 32, or 32 a multiple of x. Returns 0 if d cannot be in that
 * form. */
static int sreg_affine(const struct batch *v, struct reg *d, int which)
{
    const unsigned *n = v->worker->launch->shape.block;
    unsigned x = n[0], y = n[1];
    int whole_rows = x < 32 && 32 % x == 0, whole_warps = x % 32 == 0;
    unsigned rows = whole_rows ? 32 / x : 1; /* rows of the block that a warp covers */
    if (which == SREG_LANEID) {
        memset(d->base, 0, sizeof d->base);
        reg_compact(d, 1, whole_rows ? (int64_t)x : 0);
        return 1;
    }
    if (!whole_rows && !whole_warps) return 0;
    /* a warp has lanes with different z */
    if (which != SREG_TID_X && n[2] > 1 && y % rows) return 0;
    for (unsigned w = 0; w < BATCH_WARPS; w++) {
        unsigned first = (unsigned)v->index * BATCH_LANES + w * 32;
        d->base[w] = which == SREG_TID_X   ? first % x
                     : which == SREG_TID_Y ? (n[2] > 1 ? first / x % y : first / x)
                                           : first / x / y;
    }
    if (which == SREG_TID_X)
        reg_compact(d, 1, 0);
    else
        reg_compact(d, 0, which == SREG_TID_Y && whole_rows ? 1 : 0);
    return 1;
}

/* Special registers that have the same value in all lanes of a warp. */
static uint64_t sreg_uniform(const struct batch *v, int which, int w)
{
    const struct worker *wk = v->worker;
    const struct launch *l = wk->launch;
    switch (which) {
    case SREG_NTID_X:
    case SREG_NTID_Y:
    case SREG_NTID_Z: return l->shape.block[which - SREG_NTID_X];
    case SREG_CTAID_X:
    case SREG_CTAID_Y:
    case SREG_CTAID_Z: return wk->ctaid[which - SREG_CTAID_X];
    case SREG_NCTAID_X:
    case SREG_NCTAID_Y:
    case SREG_NCTAID_Z: return l->shape.grid[which - SREG_NCTAID_X];
    case SREG_WARPID: return (uint64_t)(v->index * BATCH_WARPS + w);
    case SREG_NWARPID: return (uint64_t)l->profile->max_warps;
    case SREG_WARPSIZE: return 32;
    case SREG_SMID: return (uint64_t)wk->sm;
    case SREG_NSMID: return (uint64_t)l->profile->sms;
    case SREG_DYNAMIC_SMEM: return l->shape.dynamic_shared;
    case SREG_TOTAL_SMEM: return l->shared_bytes;
    /* clocks advance by one with each instruction executed */
    case SREG_CLOCK:
    case SREG_CLOCK64:
    case SREG_GLOBALTIMER: return v->executed;
    /* the grid's number is always 0, since only one launch runs at a time */
    case SREG_GRIDID: return 0;
    default: return cluster_sreg(wk, which);
    }
}

/* If all lanes are active and the value has a compact form (base and strides), d gets that form;
 * else the active lanes are written. */
void lanes_sreg(struct batch *v, const struct uop *u)
{
    struct reg *d = &v->regs[u->d];
    int per_thread = u->detail <= SREG_TID_Z || u->detail == SREG_LANEID;
    int per_lane = u->detail >= SREG_LANEMASK_EQ && u->detail <= SREG_LANEMASK_GT;
    if (v->full && per_thread && sreg_affine(v, d, u->detail)) return;
    if (per_lane || per_thread) {
        reg_blend(v, d);
        sreg_lanes(v, d, u->detail);
        return;
    }
    if (v->full) {
        for (int w = 0; w < BATCH_WARPS; w++) d->base[w] = sreg_uniform(v, u->detail, w);
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

/* ---- shuffles, votes and matches ---- */

/* The program's step that belongs to a uop, which itself does not state its operation. */
static const struct ptx_step *step_of(const struct batch *v, const struct uop *u)
{
    return &v->worker->kernel->program->steps[u->step];
}

/* The index of the register that holds a .sync instruction's membermask: its last source. */
static int members_of(const struct batch *v, const struct uop *u)
{
    const int32_t sources[] = {u->a, u->b, u->c, u->e};
    return sources[step_of(v, u)->src_count - 1];
}

/* Finds the lanes that the membermasks name. Each lane has its own membermask. A lane whose mask
 * does not include itself is a fault, since PTX leaves it undefined. */
uint32_t lanes_named(struct batch *v, const struct uop *u, int w, uint32_t mask, int *one)
{
    struct reg *r = &v->regs[members_of(v, u)];
    uint32_t any = 0, all = ~0u, own = 0; /* own: lanes that are in their own mask */
    if (r->form == FORM_UNIFORM) {
        any = all = own = (uint32_t)r->base[w];
    } else {
        const uint32_t *members = (const uint32_t *)reg_lanes(v, r) + w * 32;
        for (uint32_t m = mask; m; m &= m - 1) {
            int l = __builtin_ctz(m);
            any |= members[l];
            all &= members[l];
            own |= members[l] & 1u << l;
        }
    }
    if (mask & ~own) {
        int l = w * 32 + __builtin_ctz(mask & ~own);
        sim_fault(v, u, l, FAULT(.kind = FOUND_LANES),
            "is not named in the mask 0x%08x of the instruction it executes",
            ((const uint32_t *)reg_lanes(v, r))[l]);
    }
    *one = any == all;
    return any;
}

/* The lane from which lane l reads in a shuffle; l itself if that lane is out of range. b, c: the
 * PTX operands; c holds the clamp value in its bits 0 to 4 and the segment mask in bits 8 to 12.
 * Source: PTX ISA, shfl.sync. */
static int shfl_source(int mode, int l, uint32_t b, uint32_t c, int *in_range)
{
    int bval = (int)(b & 31), cval = (int)(c & 31), segment = (int)(c >> 8 & 31);
    int max = (l & segment) | (cval & ~segment), min = l & segment, j;
    switch (mode) {
    case SHFL_UP:
        j = l - bval;
        *in_range = j >= max;
        break;
    case SHFL_DOWN:
        j = l + bval;
        *in_range = j <= max;
        break;
    case SHFL_BFLY:
        j = l ^ bval;
        *in_range = j <= max;
        break;
    default:
        j = min | (bval & ~segment);
        *in_range = j <= max;
        break;
    }
    return *in_range ? j : l;
}

/* Called when lane l of warp w reads lane `from`, which does not take part: what it gets is
 * undefined. */
static void read_absent(struct batch *v, const struct uop *u, int w, int l, int from)
{
    int left = v->exited[w] >> from & 1;
    if (v->worker->launch->notes && !sim_known(v, u, FOUND_LANES))
        sim_warn(v, u, w * 32 + l, FAULT(.kind = FOUND_LANES),
            "reads the value of lane %d by a shuffle in which that lane takes no part, since %s: the "
            "value is undefined",
            from, left ? "it has exited" : "the mask does not name it");
}

/* Computes a shuffle. m->yes becomes its predicate result: whether the source lane was in range. */
static void meet_shfl(struct batch *v, const struct uop *u, struct meeting *m, int w)
{
    m->yes[w] = 0;
    for (uint32_t on = m->on[w]; on; on &= on - 1) {
        int l = __builtin_ctz(on), in_range,
            from = shfl_source(u->detail, l, m->b[w * 32 + l], m->c[w * 32 + l], &in_range);
        if (!(m->on[w] >> from & 1)) read_absent(v, u, w, l, from);
        m->result[w * 32 + l] = (uint32_t)m->a[w * 32 + from];
        m->yes[w] |= (uint32_t)in_range << l;
    }
}

/* Computes votes. Lanes with the same mask vote together, those with different masks separately. A
 * ballot has a register result; the other modes have a predicate, the same for all lanes of a
 * mask. */
static void meet_vote(const struct uop *u, struct meeting *m, int w)
{
    m->yes[w] = 0;
    for (uint32_t rest = m->on[w]; rest;) {
        uint32_t on = m->on[w] & (m->b[w * 32 + __builtin_ctz(rest)] | (rest & (0u - rest)));
        uint32_t yes = m->vote[w] & on;
        int true_for_all = u->detail == VOTE_ALL   ? yes == on
                           : u->detail == VOTE_ANY ? yes != 0
                                                   : yes == on || !yes;
        if (true_for_all) m->yes[w] |= on;
        for (uint32_t k = on; k; k &= k - 1) m->result[w * 32 + __builtin_ctz(k)] = yes;
        rest &= ~on;
    }
}

/* match.any: each lane gets the set of lanes in its mask that have its value. match.all: if all
 * lanes of a mask have the same value, they get the mask and a true predicate; else 0 and false. */
static void meet_match(const struct uop *u, struct meeting *m, int w)
{
    const uint64_t *a = m->a + w * 32;
    m->yes[w] = 0;
    for (uint32_t k = m->on[w]; k; k &= k - 1) {
        int l = __builtin_ctz(k);
        uint32_t equal = 0, on = m->on[w] & m->b[w * 32 + l];
        for (uint32_t o = on; o; o &= o - 1)
            equal |= (uint32_t)(a[l] == a[__builtin_ctz(o)]) << __builtin_ctz(o);
        m->yes[w] |= (uint32_t)(equal == on) << l;
        m->result[w * 32 + l] = u->detail == MATCH_ALL && equal != on ? 0 : equal;
    }
}

static uint32_t reduced(const struct ptx_step *s, uint32_t a, uint32_t b)
{
    int less = s->type == PTX_S32 ? (int32_t)a < (int32_t)b : a < b;
    switch (s->detail) {
    case REDUX_ADD: return a + b;
    case REDUX_MIN: return less ? a : b;
    case REDUX_MAX: return less ? b : a;
    case REDUX_AND: return a & b;
    case REDUX_OR: return a | b;
    default: return a ^ b;
    }
}

/* Computes a reduction (redux): each lane gets the reduction over the lanes in its mask. */
static void meet_redux(const struct ptx_step *s, struct meeting *m, int w)
{
    for (uint32_t k = m->on[w]; k; k &= k - 1) {
        int l = w * 32 + __builtin_ctz(k);
        uint32_t on = m->on[w] & (m->b[l] | (k & (0u - k))), rest = on & (on - 1);
        uint32_t sum = (uint32_t)m->a[w * 32 + __builtin_ctz(on)];
        for (; rest; rest &= rest - 1)
            sum = reduced(s, sum, (uint32_t)m->a[w * 32 + __builtin_ctz(rest)]);
        m->result[l] = sum;
    }
}

/* Called once for each place of the program at which lanes wait. Lanes of the warp that are not in
 * mask are copied as well, unless their sources were collected before: a shuffle may read a lane
 * that does not take part. */
void lanes_bring(
    struct batch *v, const struct uop *u, const uint32_t mask[BATCH_WARPS], struct meeting *m)
{
    int sources = step_of(v, u)->src_count, vote = step_of(v, u)->op == OP_VOTE;
    struct reg *a = sources > 1 && !vote ? &v->regs[u->a] : NULL;
    const void *values = a ? reg_lanes(v, a) : NULL;
    const uint32_t *b = sources > 1 ? reg_lanes(v, &v->regs[u->b]) : NULL,
                   *c = sources > 2 ? reg_lanes(v, &v->regs[u->c]) : NULL;
    for (int w = 0; w < v->warps; w++) {
        uint32_t fill = a && mask[w] ? mask[w] | ~m->on[w] : vote ? mask[w] : 0;
        m->on[w] |= mask[w];
        if (vote) m->vote[w] = (m->vote[w] & ~mask[w]) | (v->pred[u->a][w] & mask[w]);
        for (uint32_t k = fill; k; k &= k - 1) {
            int i = w * 32 + __builtin_ctz(k);
            if (a)
                m->a[i] = a->wide ? ((const uint64_t *)values)[i] : ((const uint32_t *)values)[i];
            m->b[i] = b ? b[i] : 0;
            m->c[i] = c ? c[i] : 0;
        }
    }
}

/* bar.warp.sync has no result, so for it nothing is computed. */
void lanes_meet(struct batch *v, const struct uop *u, struct meeting *m)
{
    const struct ptx_step *s = step_of(v, u);
    for (int w = 0; w < v->warps; w++) {
        if (!m->on[w]) continue;
        switch (s->op) {
        case OP_SHFL: meet_shfl(v, u, m, w); break;
        case OP_VOTE: meet_vote(u, m, w); break;
        case OP_MATCH: meet_match(u, m, w); break;
        case OP_REDUX: meet_redux(s, m, w); break;
        default: break;
        }
    }
}

/* The results of votes all, any and uni are predicates; those of a ballot, a shuffle and a match
 * are registers. u->pair: the predicate result of a shuffle or match; -1: none. */
void lanes_take(
    struct batch *v, const struct uop *u, const uint32_t mask[BATCH_WARPS], const struct meeting *m)
{
    int truth = step_of(v, u)->op == OP_VOTE && u->detail != VOTE_BALLOT,
        pred = truth ? u->d : u->pair;
    /* the register may be 64 bits wide: clang 14 gives a 64-bit match a 64-bit result */
    struct reg *d = !truth && u->d >= 0 ? &v->regs[u->d] : NULL;
    if (d) reg_blend(v, d);
    for (int w = 0; w < v->warps; w++) {
        for (uint32_t k = mask[w]; d && k; k &= k - 1) {
            int i = w * 32 + __builtin_ctz(k);
            put_lane(d, d->lanes, i, m->result[i]);
        }
        if (pred >= 0) v->pred[pred][w] = (v->pred[pred][w] & ~mask[w]) | (m->yes[w] & mask[w]);
    }
}

/* The handler of shuffles, votes and matches that is used if all lanes are at the same
 * instruction. */
void lanes_together(struct batch *v, const struct uop *u)
{
    struct meeting m;
    memset(m.on, 0, sizeof m.on);
    memset(m.vote, 0, sizeof m.vote);
    lanes_bring(v, u, v->active, &m);
    lanes_meet(v, u, &m);
    lanes_take(v, u, v->active, &m);
}

/* Handler of activemask: each lane gets the set of active lanes of its warp. */
void lanes_activemask(struct batch *v, const struct uop *u)
{
    uint32_t *out = reg_blend(v, &v->regs[u->d]);
    for (int w = 0; w < v->warps; w++)
        for (uint32_t m = v->active[w]; m; m &= m - 1)
            out[w * 32 + __builtin_ctz(m)] = v->active[w];
}

/* Handler of the two steps around a barrier with a vote: before it, count true predicates; after
 * it, return the count, "and" or "or". One batch may already vote for the next barrier while
 * another still reads the result of the last one, so there are two counts, which are swapped at
 * each barrier (release in batch.c). */
void lanes_barvote(struct batch *v, const struct uop *u)
{
    struct worker *wk = v->worker;
    uint32_t yes = wk->votes[!wk->turn];
    if (u->detail == BARVOTE_BRING) {
        for (int w = 0; w < v->warps; w++)
            wk->votes[wk->turn] += (uint32_t)__builtin_popcount(v->pred[u->a][w] & v->active[w]);
        return;
    }
    if (u->d < 0) return;
    if (u->detail == BARVOTE_COUNT) {
        uint32_t *out = reg_blend(v, &v->regs[u->d]);
        for (int w = 0; w < v->warps; w++)
            for (uint32_t m = v->active[w]; m; m &= m - 1) out[w * 32 + __builtin_ctz(m)] = yes;
        return;
    }
    int truth = u->detail == BARVOTE_ALL ? yes == (uint32_t)wk->launch->block_threads : yes > 0;
    for (int w = 0; w < v->warps; w++)
        v->pred[u->d][w] = (v->pred[u->d][w] & ~v->active[w]) | (truth ? v->active[w] : 0);
}
