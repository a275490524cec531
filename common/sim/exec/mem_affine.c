/* mem_affine.c - loads and stores whose addresses are in affine form: a base a warp and one stride
 * for all.
 *
 * Such an access costs the same for each base at the same place in its line, so its cost is kept by
 * that place (struct pattern), and it is checked and copied as a whole. What is not of this form
 * goes by lanes (mem.c). */
#include "sim/check/check.h"
#include "sim/check/shadow.h"
#include "sim/exec/mem.h"
#include <stdlib.h>
#include <string.h>

/* The offsets of 32 lanes from the base, for new strides. off[] counts from the lowest lane, which
 * lies lo bytes from the base. All known costs are forgotten. */
static void set_pattern(struct pattern *p, const struct worker *w, const struct reg *a,
    const struct uop *u, unsigned bytes)
{
    memset(p, 0, sizeof *p);
    p->valid = 1;
    p->shift = pattern_shift(u);
    p->sx = a->sx;
    p->sy = a->sy;
    p->contiguous = 1;
    int64_t offset[32];
    for (int l = 0; l < 32; l++) {
        offset[l] = a->sx * w->lane_x[l] + a->sy * w->lane_y[l];
        p->lo = offset[l] < p->lo ? offset[l] : p->lo;
        p->hi = offset[l] > p->hi ? offset[l] : p->hi;
        p->contiguous &= offset[l] == (int64_t)bytes * l;
    }
    int halves = 1, equal = 1;
    for (int l = 0; l < 32; l++) {
        p->off[l] = (uint32_t)(offset[l] - p->lo);
        halves &= offset[l] == offset[l & 16] + (int64_t)bytes * (l & 15);
        equal &= offset[l] == offset[l & 16];
    }
    p->run = p->contiguous ? 32 : halves ? 16 : 0;
    p->equal = (uint8_t)equal;
}

/* Compute the cost of the pattern for the place of base in its line. */
static void fill_cost(
    struct batch *v, const struct uop *u, struct pattern *p, uint64_t base, int write)
{
    uint64_t addr[32];
    for (int l = 0; l < 32; l++) addr[l] = base + (uint64_t)p->lo + p->off[l];
    struct cost c =
        mem_cost(v, u->space, addr, ~0u, u->count_bytes, write ? TOUCH_WRITE : TOUCH_READ);
    p->words = (uint16_t)c.words;
    *pattern_price(p, base) = price_of(&c);
}

/* Like record, for the warp whose base is given. */
static void record_compact(
    struct batch *v, const struct uop *u, const struct pattern *p, uint64_t base, int write)
{
    uint64_t addr[32];
    for (int l = 0; l < 32; l++) addr[l] = base + (uint64_t)p->lo + p->off[l];
    mem_record(v, u, u->space, addr, ~0u, u->count_bytes, write);
}

/* Count the access of all warps of the batch. */
static void count_compact(
    struct batch *v, const struct uop *u, struct pattern *p, const struct reg *a, int write)
{
    struct sim_step_counts *s = &v->worker->steps[u->step];
    uint64_t count = 0, extra = 0, passes = 0, moved = 0, differ = 0, times = 1;
    for (int w = 1; w < v->warps; w++) differ |= a->base[w] ^ a->base[0];
    int warps = v->warps;
    /* if all bases have the same place in their lines, all warps cost the same */
    if (!(differ & 127)) {
        times = (uint64_t)warps;
        warps = 1;
    }
    for (int w = 0; w < warps; w++) {
        uint64_t base = a->base[w] + (uint64_t)u->count_offset;
        struct price *price = pattern_price(p, base);
        if (!price->count) fill_cost(v, u, p, base, write);
        count += times * price->count;
        extra += times * price->extra;
        passes += times * price->passes;
        moved += times * price->moved;
    }
    if (mem_to_record(v, u)) record_compact(v, u, p, a->base[0] + (uint64_t)u->count_offset, write);
    s->requests += (uint64_t)v->warps;
    s->accesses += (uint64_t)v->warps * 32;
    s->words += (uint64_t)v->warps * p->words;
    mem_charge(s, u->space, count, extra, passes, moved);
}

/* Tell the model of DRAM partitions (1.x) what each warp accesses. Not
 * inlined: recent profiles never get here. */
static void __attribute__((noinline)) camp_compact(
    struct batch *v, const struct uop *u, const struct pattern *p, const struct reg *a, int write)
{
    for (int w = 0; w < v->warps; w++)
        partitions_access(v->worker->partitions, v->worker->block, v->index * BATCH_WARPS + w,
            a->base[w] + (uint64_t)u->offset, p->off, ~0u, (unsigned)u->bytes * u->vector, write);
}

/* The same for the model of DRAM rows. */
static void __attribute__((noinline))
rows_compact(struct batch *v, const struct uop *u, const struct pattern *p, const struct reg *a)
{
    for (int w = 0; w < v->warps; w++)
        rows_access(v->worker->rows, v->worker->block, v->index * BATCH_WARPS + w,
            a->base[w] + (uint64_t)u->offset, p->off, ~0u);
}

/* Tell the caches what each warp accesses. Warps off the sampled lines are left out. If a warp
 * loads what the warp before it loaded and there is an L1, it can only hit. */
static void trace_compact(
    struct batch *v, const struct uop *u, const struct pattern *p, const struct reg *a, int write)
{
    struct trace *t = v->worker->trace;
    unsigned n = (unsigned)u->bytes * u->vector;
    trace_instant(t, v, u->step);
    uint64_t before = ~(uint64_t)0, first = (uint64_t)u->offset + (uint64_t)p->lo,
             reach = (uint64_t)(p->hi - p->lo) + n;
    int short_range = (p->contiguous || p->lo == p->hi) && reach <= 128;
    uint32_t picks = short_range ? trace_picks(t, a->base, first, first + reach - 1) : ~0u;
    for (int w = 0; picks && w < v->warps; w++) {
        uint64_t lo = a->base[w] + first;
        if (!(picks >> w & 1)) continue;
        if (lo == before && !write && v->worker->launch->profile->l1_fetch) {
            trace_again(t);
            continue;
        }
        before = lo;
        if (p->contiguous || p->lo == p->hi)
            trace_range(t, lo, lo + reach, write);
        else
            trace_access(t, lo, p->off, ~0u, n, write);
    }
}

/* Note in shadow memory what each warp accesses in shared memory. Returns 0 if something may be
 * wrong; then the access must go by lanes, which finds the fault. Accesses below 4 bytes and blocks
 * that are run again to find a race always go by lanes. */
static int check_compact(
    struct batch *v, const struct uop *u, const struct pattern *p, const struct reg *a, int write)
{
    struct check *c = v->worker->check;
    unsigned n = (unsigned)u->bytes * u->vector;
    uint64_t reach = (uint64_t)(p->hi - p->lo) + n, at = (uint64_t)u->offset + (uint64_t)p->lo;
    uint64_t differ = 0;
    int good = 1, warp = v->index * BATCH_WARPS;
    if (v->worker->check_off) return 1;
    if (c->reader || n < 4) return 0;
    for (int w = 1; w < v->warps; w++) differ |= a->base[w] ^ a->base[0];
    if (!differ && !write && (p->contiguous || p->lo == p->hi))
        return check_same(c, warp, v->warps, a->base[0] + at, a->base[0] + at + reach);
    if (p->contiguous || p->lo == p->hi)
        for (int w = 0; w < v->warps; w++)
            good &= check_range(c, warp + w, a->base[w] + at, a->base[w] + at + reach, write);
    else
        for (int w = 0; w < v->warps; w++)
            good &= check_lanes(c, warp + w, a->base[w] + at, p->off, n, write);
    return good;
}

/* Can the access be executed in compact form? If so, it is counted, and *host is what must be added
 * to a device address to get the host address. Returns 0 before anything is counted or written.
 *
 *   1. look up the pattern of this instruction, or make a new one for these strides
 *   2. the lowest and highest address of the batch: all aligned, all in one span, writable
 *   3. racecheck and initcheck
 *   4. count, and tell the models of caches and DRAM */
static int compact(struct batch *v, const struct uop *u, const struct reg *a, uintptr_t *host,
    struct pattern **pattern, int write)
{
    unsigned n = (unsigned)u->bytes * u->vector;
    if (!a->form || !v->dense || u->texel) return 0;
    struct pattern *p = &v->worker->patterns[u->mem];
    if (!p->valid || p->sx != a->sx || p->sy != a->sy) set_pattern(p, v->worker, a, u, n);
    uint64_t lo = ~(uint64_t)0, hi = 0, bits = (uint64_t)a->sx | (uint64_t)a->sy;
    for (int w = 0; w < v->warps; w++) {
        uint64_t at = a->base[w] + (uint64_t)u->offset;
        lo = at < lo ? at : lo;
        hi = at > hi ? at : hi;
        bits |= at;
    }
    if (hi >> 63) return 0; /* a warp begins before address 0 */
    lo += (uint64_t)p->lo;
    hi += (uint64_t)p->hi;
    /* from before address 0 to after it */
    if (bits & (n - 1) || lo > hi || hi - lo + n < n) return 0;
    if (u->space == SPACE_SHARED) /* seats share patterns but have memory of their own */
        p->span.host = v->worker->shared;
    if (!inside(&p->span, lo, hi - lo + n)) {
        p->span = mem_span(v, u->space, lo);
        p->readonly = p->span.region && p->span.region->readonly;
        p->watched = shadow_watches(v->worker, p->span.region, write);
        if (!inside(&p->span, lo, hi - lo + n)) return 0;
    }
    if (write && p->readonly) return 0;
    if (u->space == SPACE_SHARED && !check_compact(v, u, p, a, write)) return 0;
    if (p->watched && !shadow_compact(v, u, p, a, write)) return 0;
    *host = (uintptr_t)p->span.host - (uintptr_t)p->span.lo;
    *pattern = p;
    if (u->counts && v->worker->counting) count_compact(v, u, p, a, write);
    if (u->space != SPACE_GLOBAL && u->space != SPACE_GENERIC) return 1;
    if (!v->worker->counting) {
        trace_instant(v->worker->trace, v, u->step);
        return 1;
    }
    if (v->worker->partitions)
        camp_compact(v, u, p, a, write);
    else
        trace_compact(v, u, p, a, write);
    if (v->worker->rows) rows_compact(v, u, p, a);
    if (v->worker->combine) write_combine_compact(v, u, p, a, write);
    return 1;
}

static const unsigned char *at_host(uintptr_t host, uint64_t addr)
{
    return (const unsigned char *)(host + (uintptr_t)addr);
}

/* All lanes of a warp read one address, so the result is one value a warp. The bases are copied
 * first, since the address register may be a result. Warps that do not exist read what warp 0
 * reads. */
static void load_uniform(struct batch *v, const struct uop *u, const struct reg *a, uintptr_t host)
{
    uint64_t base[BATCH_WARPS];
    memcpy(base, a->base, sizeof base);
    for (int e = 0; e < u->vector; e++) {
        if (u->r[e] < 0) continue;
        struct reg *d = &v->regs[u->r[e]];
        for (int w = 0; w < BATCH_WARPS; w++) {
            uint64_t at = base[w < v->warps ? w : 0] + (uint64_t)u->offset + (uint64_t)e * u->bytes;
            uint64_t x = load_element(at_host(host, at), u->type);
            d->base[w] = d->wide ? x : (uint32_t)x;
        }
        reg_compact(d, 0, 0);
    }
}

/* A constant size lets the compiler make vector moves of the copy. */
static inline void copy_warp(void *to, const void *from, unsigned cell)
{
    if (cell == 4)
        memcpy(to, from, 32 * 4);
    else
        memcpy(to, from, 32 * 8);
}

/* A warp whose halves lie anywhere: 16 consecutive words each or, if equal is set, one word each.
 * So it is where a block is 16 threads wide. */
static inline void copy_halves(uint32_t *to, const unsigned char *from, const struct pattern *p)
{
    for (int h = 0; h < 32; h += 16) {
        uint32_t word;
        memcpy(&word, from + p->off[h], 4);
        if (!p->equal)
            memcpy(to + h, from + p->off[h], 16 * 4);
        else
            for (int l = 0; l < 16; l++) to[h + l] = word;
    }
}

/* Elements of up to 4 bytes that lie anywhere, into cells of 4 bytes. */
static void gather(uint32_t *to, const unsigned char *from, const uint32_t off[32], enum ptx_type t)
{
#define GATHER(type) \
    for (int l = 0; l < 32; l++) { \
        type x; \
        memcpy(&x, from + off[l], sizeof x); \
        to[l] = (uint32_t)x; \
    }
    switch (ptx_type_bytes(t)) {
    case 1:
        if (t == PTX_S8) GATHER(int8_t) else GATHER(uint8_t) break;
    case 2:
        if (t == PTX_S16) GATHER(int16_t) else GATHER(uint16_t) break;
    default: GATHER(uint32_t)
    }
}

/* The next access of this kind will likely lie as far from this one as this one from the last. If
 * that is another line of the host, fetch the ends of both halves of each warp. */
static void fetch_ahead(const struct batch *v, const struct uop *u, const struct reg *a,
    uintptr_t host, struct pattern *p)
{
    enum { HOST_LINE = 64 };
    uint64_t ahead = a->base[0] - p->last;
    p->last = a->base[0];
    if (ahead + HOST_LINE <= 2 * HOST_LINE) return;
    for (int w = 0; w < v->warps; w++) {
        uintptr_t at = host + a->base[w] + ahead + (uint64_t)u->offset + (uint64_t)p->lo;
        if (w && a->base[w] == a->base[w - 1]) continue;
        for (int l = 0; l < 32; l += l % 16 ? 1 : 15)
            __builtin_prefetch((const void *)(at + p->off[l]));
    }
}

/* Lanes read different addresses. The first cases are the common ones, made fast: the same row as
 * the warp before, consecutive elements, elements as wide as the register. */
static void load_pattern(
    struct batch *v, const struct uop *u, const struct reg *a, uintptr_t host, struct pattern *p)
{
    uint64_t base[BATCH_WARPS];
    memcpy(base, a->base, sizeof base);
    if (u->space == SPACE_GLOBAL) fetch_ahead(v, u, a, host, p);
    for (int e = 0; e < u->vector; e++) {
        if (u->r[e] < 0) continue;
        struct reg *d = &v->regs[u->r[e]];
        unsigned char *out = reg_write(d);
        unsigned cell = d->wide ? 8 : 4;
        int halves = cell == u->bytes && (p->equal || (p->run == 16 && u->vector == 1));
        for (int w = 0; w < v->warps; w++) {
            const unsigned char *from = at_host(
                host, base[w] + (uint64_t)u->offset + (uint64_t)p->lo + (uint64_t)e * u->bytes);
            unsigned char *to = out + (size_t)w * 32 * cell;
            if (w && base[w] == base[w - 1])
                copy_warp(to, to - 32 * cell, cell);
            else if (cell == u->bytes && p->contiguous && u->vector == 1)
                copy_warp(to, from, cell);
            else if (cell == 4 && halves)
                copy_halves((uint32_t *)to, from, p);
            else if (cell == 4 && u->bytes <= 4)
                gather((uint32_t *)to, from, p->off, u->type);
            else if (cell == 8 && u->bytes == 8)
                for (int l = 0; l < 32; l++) memcpy(to + 8 * l, from + p->off[l], 8);
            else
                for (int l = 0; l < 32; l++)
                    put_lane(d, out, w * 32 + l, load_element(from + p->off[l], u->type));
        }
    }
}

/* The form for all lanes on. */
void mem_ld(struct batch *v, const struct uop *u)
{
    const struct reg *a = &v->regs[u->a];
    uintptr_t host;
    struct pattern *p;
    if (!compact(v, u, a, &host, &p, 0))
        mem_ld_masked(v, u);
    else if (a->form == FORM_UNIFORM)
        load_uniform(v, u, a, host);
    else
        load_pattern(v, u, a, host, p);
}

/* The values of all elements are expanded to lanes first. At equal
 * addresses the highest lane's value stays. */
void mem_st(struct batch *v, const struct uop *u)
{
    const struct reg *a = &v->regs[u->a];
    uintptr_t host;
    struct pattern *p;
    if (!compact(v, u, a, &host, &p, 1)) {
        mem_st_masked(v, u);
        return;
    }
    const unsigned char *values[4];
    for (int e = 0; e < u->vector; e++) values[e] = reg_lanes(v, &v->regs[u->r[e]]);
    for (int w = 0; w < v->warps; w++) {
        unsigned char *to =
            (unsigned char *)at_host(host, a->base[w] + (uint64_t)u->offset + (uint64_t)p->lo);
        unsigned cell = v->regs[u->r[0]].wide ? 8 : 4;
        if (u->vector == 1 && p->contiguous && cell == u->bytes) {
            copy_warp(to, values[0] + (size_t)w * 32 * cell, cell);
            continue;
        }
        if (u->vector == 1 && u->bytes == 4 && cell == 4) {
            for (int l = 0; l < 32; l++)
                memcpy(to + p->off[l], values[0] + (size_t)(w * 32 + l) * 4, 4);
            continue;
        }
        for (int l = 0; l < 32; l++) /* lanes in order: the highest one wins */
            for (int e = 0; e < u->vector; e++)
                memcpy(to + p->off[l] + e * u->bytes, values[e] + (size_t)(w * 32 + l) * cell,
                    u->bytes);
    }
}
