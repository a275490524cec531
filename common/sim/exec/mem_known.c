/* mem_known.c - accesses by lanes whose offsets repeat: a tile of registers, a sort, a column of a
 * tile.
 *
 *     lane      0    1    2  ...      base: the lowest address of the warp
 *     address  640  128  144 ...      offsets: 512 0 16 ..., the same as last time?
 *                                     then bounds are two numbers, and the cost is known by base % 128
 *
 * Local memory is a space for each lane, local_bytes apart. As for compact accesses (mem_affine.c),
 * an access that is not certain to be correct is left to access_lanes (mem.c), which finds the lane
 * at fault. */
#include "sim/check/check.h"
#include "sim/check/shadow.h"
#include "sim/exec/mem.h"

#include <string.h>

/* Do the lanes lie as the last time? The first of them tells where the base is. Lanes that are off
 * do not count. */
static int repeats(const struct pattern *p, const uint64_t addr[32], uint32_t mask, uint64_t *base)
{
    uint64_t differ = 0;
    if (!p->valid || p->mask != mask) return 0;
    *base = addr[__builtin_ctz(mask)] - p->off[__builtin_ctz(mask)];
    for (int l = 0; l < 32; l++)
        differ |= (addr[l] - *base - p->off[l]) & -(uint64_t)(mask >> l & 1);
    return !differ;
}

/* New offsets: what an access costs is forgotten. Lanes that are off get the base's. Offsets of 4
 * GiB and more are not kept. The loops have no branches, so the compiler can vectorise them. */
static void learn(struct pattern *p, const uint64_t addr[32], uint32_t mask)
{
    uint64_t base = ~(uint64_t)0, hi = 0, bits = 0;
    for (int l = 0; l < 32; l++) {
        uint64_t at = addr[l] | ((uint64_t)(mask >> l & 1) - 1);
        base = at < base ? at : base;
    }
    for (int l = 0; l < 32; l++) {
        uint64_t off = (addr[l] - base) & -(uint64_t)(mask >> l & 1);
        p->off[l] = (uint32_t)off;
        hi = off > hi ? off : hi;
        bits |= off;
    }
    p->mask = mask;
    p->hi = (int64_t)hi;
    p->bits = (uint32_t)bits;
    p->priced = 0;
    p->valid = hi <= UINT32_MAX;
}

/* What to add to lane 0's address to get the host's; 0: the bytes are not all where they may be. */
static uintptr_t host_of(struct batch *v, enum ptx_space space, int w, struct pattern *p,
    uint64_t lo, unsigned n, int write)
{
    struct worker *own = v->worker;
    if (space != SPACE_GLOBAL) {
        size_t bytes = space == SPACE_SHARED ? own->shared_bytes : own->local_bytes;
        if (lo > bytes || (uint64_t)p->hi + n > bytes - lo) return 0;
        if (space == SPACE_SHARED) return (uintptr_t)own->shared;
        return (uintptr_t)own->local + (size_t)(v->index * BATCH_LANES + w * 32) * bytes;
    }
    if (!inside(&p->span, lo, (uint64_t)p->hi + n)) {
        p->span = mem_span(v, space, lo);
        p->readonly = p->span.region && p->span.region->readonly;
        if (!inside(&p->span, lo, (uint64_t)p->hi + n)) return 0;
    }
    if (write && p->readonly) return 0;
    return (uintptr_t)p->span.host - (uintptr_t)p->span.lo;
}

static void count(struct batch *v, const struct uop *u, struct pattern *p, uint64_t lo, int write)
{
    struct sim_step_counts *s = &v->worker->steps[u->step];
    uint64_t base = lo - (uint64_t)u->offset + (uint64_t)u->count_offset, addr[32];
    if (!p->priced) memset(p->cost, 0, sizeof p->cost);
    p->priced = 1;
    p->shift = pattern_shift(u);
    struct price *price = pattern_price(p, base);
    int record = mem_to_record(v, u), new = !price->count;
    for (int l = 0; (record || new) && l < 32; l++) addr[l] = base + p->off[l];
    if (new) {
        struct cost c =
            mem_cost(v, u->space, addr, p->mask, u->count_bytes, write ? TOUCH_WRITE : TOUCH_READ);
        p->words = (uint16_t)c.words;
        *price = price_of(&c);
    }
    if (record) mem_record(v, u, u->space, addr, p->mask, u->count_bytes, write);
    s->requests++;
    s->accesses += (uint64_t)__builtin_popcount(p->mask);
    s->words += p->words;
    mem_charge(s, u->space, price->count, price->extra, price->passes, price->moved);
}

/* Racecheck and initcheck. 0: something may be wrong. */
static int check(
    struct batch *v, const struct uop *u, int w, struct pattern *p, uint64_t lo, int write)
{
    struct worker *own = v->worker;
    unsigned n = (unsigned)u->bytes * u->vector;
    int warp = v->index * BATCH_WARPS + w;
    if (own->check_off) return 1;
    if (u->space == SPACE_LOCAL) return check_local_lanes(v, w, lo, p->off, p->mask, n, write);
    if (u->space == SPACE_SHARED)
        return !own->check->reader && n >= 4 && check_lanes(own->check, warp, lo, p->off, n, write);
    return !shadow_watches(own, p->span.region, write) ||
           shadow_lanes(
               v, u, w, p->span.region, lo, p->off, p->mask, write ? TOUCH_WRITE : TOUCH_READ);
}

int mem_known(struct batch *v, const struct uop *u, int w, const uint64_t addr[32], uint32_t mask,
    int write, unsigned char *at[32], uint64_t *base)
{
    unsigned n = (unsigned)u->bytes * u->vector;
    struct pattern *p = &v->worker->known[u->mem];
    uint64_t lo, apart = u->space == SPACE_LOCAL ? v->worker->local_bytes : 0;
    if (u->space != SPACE_SHARED && u->space != SPACE_GLOBAL && u->space != SPACE_LOCAL) return 0;
    if (u->texel) return 0;
    if (!repeats(p, addr, mask, &lo)) {
        learn(p, addr, mask); /* known from the next time on */
        return 0;
    }
    uintptr_t host = (p->bits | lo) & (n - 1) ? 0 : host_of(v, u->space, w, p, lo, n, write);
    if (!host || !check(v, u, w, p, lo, write)) return 0;
    if (u->counts && v->worker->counting) count(v, u, p, lo, write);
    host += (uintptr_t)lo;
    for (uintptr_t l = 0; l < 32; l++) at[l] = (unsigned char *)(host + p->off[l] + l * apart);
    *base = lo;
    return 1;
}
