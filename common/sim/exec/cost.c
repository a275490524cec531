/* cost.c - computes what an access costs (transactions, wavefronts, bytes moved) and counts it.
 *
 * The cost of a repeated pattern of offsets depends only on the position of the lowest address in
 * its 128-byte line, so it is computed once for each position and then looked up. Atomics on global
 * memory have a cache of their own, which is looked up by the lanes' relative addresses and
 * positions in the line. */
#include "sim/exec/cost.h"

#include <string.h>

/* ---- the cost of one warp's access ---- */

/* The number of different addresses of the lanes in mask. known: that number if it is already
 * known, else 0. In the usual case that addresses never decrease from lane to lane, the result is
 * the number of changes plus 1. */
static unsigned distinct(unsigned known, const uint64_t addr[32], uint32_t mask)
{
    unsigned n = 0, falls = 0, changes = 1;
    uint64_t all[32], last = addr[__builtin_ctz(mask)];
    if (known) return known;
    for (int l = 0; l < 32; l++) all[l] = last = mask >> l & 1 ? addr[l] : last;
    for (int l = 1; l < 32; l++) {
        falls |= all[l] < all[l - 1];
        changes += all[l] != all[l - 1];
    }
    if (!falls) return changes;
    for (uint32_t rest = mask; rest; n++) {
        uint64_t a = addr[__builtin_ctz(rest)];
        for (int l = 0; l < 32; l++)
            if (addr[l] == a) rest &= ~(1u << l);
    }
    return n;
}

/* The cost of an access by one warp. In constant memory, each different address takes one pass. */
struct cost cost_of(const struct model_profile *p, enum ptx_space space, const uint64_t addr[32],
    uint32_t mask, unsigned bytes, enum touch_kind kind)
{
    if (space == SPACE_SHARED) {
        uint32_t offset[32];
        for (int l = 0; l < 32; l++) offset[l] = (uint32_t)addr[l];
        struct model_shared s =
            (kind == TOUCH_READ ? model_banks : model_banks_store)(p, offset, mask, bytes);
        return (struct cost){distinct(s.words, addr, mask), s.wavefronts, s.conflicts, 0, 0, 0};
    }
    unsigned words = space == SPACE_CONST || space == SPACE_LOCAL ? distinct(0, addr, mask) : 0;
    if (space == SPACE_CONST) return (struct cost){words, words, 0, 0, 0, 0};
    /* Local memory is interleaved: word k of lane l is at 128 k + 4 l. So an access of 8 or 16
     * bytes per lane costs as much as 2 or 4 accesses of one word. Source: CUDA C++ Programming
     * Guide, Local Memory. */
    if (space == SPACE_LOCAL) {
        uint64_t at[32];
        for (int l = 0; l < 32; l++) at[l] = addr[l] / 4 * 128 + (uint64_t)l * 4 + addr[l] % 4;
        struct model_global g = model_coalesce(p, at, mask, bytes < 4 ? bytes : 4);
        unsigned n = bytes < 4 ? 1 : bytes / 4;
        return (struct cost){words, g.sectors * n, g.tags * n, g.wavefronts * n, g.bytes * n, 0};
    }
    struct model_global g =
        (kind == TOUCH_READ ? model_coalesce : model_coalesce_store)(p, addr, mask, bytes);
    return (struct cost){
        distinct(g.words, addr, mask), g.sectors, g.tags, g.wavefronts, g.bytes, 0};
}

/* For each 128-byte line that an atomic operation accesses: the word, if its lanes all access the
 * same one, else SEVERAL. */
static void words_of_lines(struct atomic_known *k)
{
    for (unsigned i = 0; i < k->turns.count; i++) {
        struct slice all = {0, 0};
        for (uint32_t m = k->mask; m; m &= m - 1) {
            uint64_t word = k->addr[__builtin_ctz(m)];
            if (word / 128 == k->turns.line[i].addr / 128)
                slice_add(&all, &(struct slice){0, word});
        }
        k->word[i] = all.word;
    }
}

/* The requests of a warp's atomic operation, by line. The requests are cached: a warp whose
 * addresses are those of an earlier one plus a multiple of 128 gets the same result, with that
 * distance in *moved. */
static struct atomic_known *atomic_lines(
    struct batch *v, const uint64_t addr[32], uint32_t mask, unsigned bytes, uint64_t *moved)
{
    uint64_t first = addr[__builtin_ctz(mask)], differ = 0;
    struct atomic_known *k = &v->worker->atomics[first % 128 / (128 / ATOMICS_KNOWN)];
    *moved = first - k->addr[__builtin_ctz(mask)];
    for (int l = 0; l < 32; l++)
        differ |= (addr[l] - k->addr[l] - *moved) & -(uint64_t)(mask >> l & 1);
    if (!differ && k->mask == mask && k->bytes == bytes && *moved % 128 == 0) return k;
    memcpy(k->addr, addr, sizeof k->addr);
    k->mask = mask;
    k->bytes = bytes;
    k->cost = model_atomic(v->worker->launch->profile, addr, mask, bytes, &k->turns);
    k->cost.words = distinct(k->cost.words, addr, mask);
    k->worded = 0;
    *moved = 0;
    return k;
}

static struct cost known_cost(const struct atomic_known *k)
{
    const struct model_global *g = &k->cost;
    return (struct cost){g->words, g->sectors, g->tags, g->wavefronts, g->bytes, g->turns};
}

struct cost cost_atomic(struct batch *v, const uint64_t addr[32], uint32_t mask, unsigned bytes)
{
    uint64_t moved;
    return known_cost(atomic_lines(v, addr, mask, bytes, &moved));
}

/* The cost of a warp's atomic operation; also adds its rounds to those of the L2 slices that serve
 * them. */
static struct cost count_atomic(
    struct batch *v, const struct uop *u, const uint64_t addr[32], uint32_t mask)
{
    uint64_t moved;
    struct atomic_known *k = atomic_lines(v, addr, mask, u->count_bytes, &moved);
    unsigned slices = model_slices(v->worker->launch->profile);
    int floats = u->type == PTX_F32 || u->type == PTX_F64;
    struct slice *of = v->worker->slices;
    if (floats && !k->worded) {
        words_of_lines(k);
        k->worded = 1;
    }
    for (unsigned i = 0; i < k->turns.count; i++) {
        uint64_t word = floats && k->word[i] != SEVERAL ? k->word[i] + moved : SEVERAL;
        slice_add(&of[model_slice(k->turns.line[i].addr + moved, slices)],
            &(struct slice){k->turns.line[i].turns, word});
    }
    return known_cost(k);
}

/* ---- counting ---- */

/* Add a cost to the counters of a step. */
static void cost_charge(struct sim_step_counts *s, enum ptx_space space, const struct cost *c)
{
    if (space == SPACE_SHARED || space == SPACE_CONST) {
        s->wavefronts += c->count;
        s->conflicts += c->extra;
    } else {
        s->sectors += c->count;
        s->tags += c->extra;
        s->passes += c->passes;
        s->moved += c->moved;
    }
}

void cost_record(struct batch *v, const struct uop *u, enum ptx_space space,
    const uint64_t addr[32], uint32_t mask, unsigned bytes, int write)
{
    const struct worker *w = v->worker;
    if (!w->accesses || w->block >= w->accesses[u->step].block) return;
    if (space != SPACE_GLOBAL && space != SPACE_SHARED) return;
    struct sim_access *a = &w->accesses[u->step];
    *a = (struct sim_access){w->block, space, write, bytes, mask, {0}};
    memcpy(a->addr, addr, sizeof a->addr);
}

/* Count an access to elements of a texture: each request of the texture unit is an access of its
 * own. */
static void count_texels(
    struct batch *v, const struct uop *u, const uint64_t addr[32], uint32_t mask, unsigned bytes)
{
    struct sim_step_counts *s = &v->worker->steps[u->step];
    for (uint32_t rest = mask, some; rest; rest &= ~some) {
        some = model_texel_lanes(rest, bytes);
        struct model_global g = model_texels(v->worker->launch->profile, addr, some, bytes);
        s->requests++;
        s->sectors += g.sectors;
        s->tags += g.tags;
        s->passes += g.wavefronts;
        s->moved += g.bytes;
    }
    s->accesses += (uint64_t)__builtin_popcount(mask);
}

/* The difference between the address that is counted and the one that is accessed: a load that is
 * part of a merged load counts with the address and width of the whole load. */
static uint64_t further(const struct uop *u)
{
    return (uint64_t)u->count_offset - (uint64_t)u->offset;
}

static struct cost warp_cost(const struct access *x, int i)
{
    const struct uop *u = x->u;
    uint64_t addr[32];
    access_addresses(x, i, further(u), addr);
    if (x->kind == TOUCH_UPDATE && x->space == SPACE_GLOBAL)
        return count_atomic(x->v, u, addr, x->mask);
    return cost_of(x->v->worker->launch->profile, x->space, addr, x->mask, u->count_bytes, x->kind);
}

/* The cached cost of the i-th warp's access. It is found by the position in the line in units of 1
 * << shift bytes, so that the entries in use take few lines of the host's cache. */
static const struct price *price_of(const struct access *x, int i)
{
    const struct uop *u = x->u;
    struct pattern *p = x->pattern;
    if (!p->priced) {
        memset(p->price, 0, sizeof p->price);
        p->shift = (uint8_t)__builtin_ctz(u->bytes | (unsigned)further(u) | 128);
        p->priced = 1;
    }
    struct price *price = &p->price[((x->lo[i] + further(u)) & 127) >> p->shift];
    if (!price->count) {
        struct cost c = warp_cost(x, i);
        p->words = (uint16_t)c.words;
        *price = (struct price){
            (uint16_t)c.count, (uint16_t)c.extra, (uint16_t)c.passes, (uint16_t)c.moved};
    }
    return price;
}

/* The cost of an access by all its warps. If their lowest addresses have the same position in their
 * lines, all warps cost the same. */
static struct cost priced(const struct access *x)
{
    struct cost sum = {0};
    uint64_t differ = 0;
    for (int i = 1; i < x->warps; i++) differ |= x->lo[i] ^ x->lo[0];
    int times = differ & 127 ? 1 : x->warps;
    for (int i = 0; i < x->warps; i += times) {
        const struct price *price = price_of(x, i);
        sum.count += price->count;
        sum.extra += price->extra;
        sum.passes += price->passes;
        sum.moved += price->moved;
    }
    return (struct cost){x->pattern->words * (unsigned)x->warps, sum.count * (unsigned)times,
        sum.extra * (unsigned)times, sum.passes * (unsigned)times, sum.moved * (unsigned)times, 0};
}

/* For an instruction with generic addresses, shared and local accesses are also counted separately,
 * so that counters can tell them from global ones. */
static void count_elsewhere(struct sim_step_counts *s, const struct access *x, struct cost *c)
{
    struct sim_elsewhere *other = x->space == SPACE_SHARED ? &s->shared : &s->local;
    other->requests++;
    other->accesses += (uint64_t)__builtin_popcount(x->mask);
    other->words += c->words;
    /* otherwise the sectors of a local access would be counted as global ones */
    if (x->space == SPACE_LOCAL) c->count = c->moved = 0;
}

void access_count(const struct access *x)
{
    struct worker *w = x->v->worker;
    const struct uop *u = x->u;
    struct sim_step_counts *s = &w->steps[u->step];
    if (!u->counts || !w->counting) return;
    if (u->texel) {
        count_texels(x->v, u, x->addr, x->mask, u->count_bytes);
        return;
    }
    /* not used for atomics: they are counted after all warps are checked, when the pattern is that
     * of the last warp */
    int known = x->pattern && !x->fresh && x->kind != TOUCH_UPDATE;
    struct cost c = known ? priced(x) : warp_cost(x, 0);
    if (w->accesses && w->block < w->accesses[u->step].block) {
        uint64_t addr[32];
        access_addresses(x, 0, further(u), addr);
        cost_record(x->v, u, x->space, addr, x->mask, u->count_bytes, x->kind != TOUCH_READ);
    }
    s->requests += (uint64_t)x->warps;
    s->accesses += (uint64_t)x->warps * (uint64_t)__builtin_popcount(x->mask);
    s->words += c.words;
    s->turns += c.turns;
    if (u->space == SPACE_GENERIC && x->space != SPACE_GLOBAL) count_elsewhere(s, x, &c);
    cost_charge(s, x->space, &c);
}
