/* mem.c - loads and stores.
 *
 *     all lanes, compact address register   access_affine   load_uniform, load_pattern, store
 *     everything else, warp by warp         access_lanes    move_lanes
 *
 * Compact means that the register is held as a base per warp and two strides. If such an access is
 * not certain to be correct, it is executed warp by warp, which finds the fault. Both ways are
 * checked, counted and traced by the same functions (access.h).
 *
 * Source: PTX ISA, ld and st. */
#include "sim/exec/mem.h"
#include "sim/exec/access.h"

#include <string.h>

/* ---- accesses warp by warp ---- */

/* Move the e-th element of each lane in mask, if elements have 4 bytes and so have the register's
 * lanes: the usual case, which this function makes fast. */
static void move_words(
    uint32_t *lanes, unsigned char *const at[32], uint32_t mask, unsigned e, int write)
{
    for (uint32_t m = mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        if (write)
            memcpy(at[l] + 4 * e, &lanes[l], 4);
        else
            memcpy(&lanes[l], at[l] + 4 * e, 4);
    }
}

/* Move all elements of one warp, for the lanes in mask. The registers must hold a value per lane
 * (access_masked sees to that). */
static void move_lanes(struct batch *v, const struct uop *u, int w, unsigned char *const at[32],
    uint32_t mask, int write)
{
    for (int e = 0; e < u->vector; e++) {
        if (u->r[e] < 0) continue;
        struct reg *r = &v->regs[u->r[e]];
        void *lanes = r->lanes;
        if (u->bytes == 4 && !r->wide) {
            move_words((uint32_t *)lanes + w * 32, at, mask, (unsigned)e, write);
            continue;
        }
        for (uint32_t m = mask; m; m &= m - 1) {
            int l = __builtin_ctz(m);
            if (write) {
                uint64_t x = get_lane(r, lanes, w * 32 + l);
                memcpy(at[l] + e * u->bytes, &x, u->bytes);
            } else {
                put_lane(r, lanes, w * 32 + l, load_element(at[l] + e * u->bytes, u->type));
            }
        }
    }
}

/* Execute one warp's access to one memory space, for the lanes in mask. All lanes are checked
 * before any of them is counted, and all are counted before data moves. */
static void access_warp(struct batch *v, const struct uop *u, enum ptx_space space, int w,
    const uint64_t addr[32], uint32_t mask, int write)
{
    unsigned char *at[32];
    struct access x;
    access_lanes(&x, v, u, space, w, addr, mask, write ? TOUCH_WRITE : TOUCH_READ);
    access_places(&x, at);
    access_count(&x);
    if (space == SPACE_GLOBAL) access_trace(&x);
    move_lanes(v, u, w, at, mask, write);
}

/* Count an access with generic addresses and at most 4 bytes per lane, whose lanes access both
 * global and local memory. mask: the lanes that access local memory, at addr. */
static void count_mixed(struct sim_step_counts *c, const uint64_t addr[32], uint32_t mask)
{
    c->mixed++;
    c->mixed_sectors += model_local_sectors(addr, mask);
}

/* Execute an access with generic addresses. The lanes are divided by the memory space of their
 * address, and each part is an access of its own. */
static void access_generic(
    struct batch *v, const struct uop *u, int w, uint64_t addr[32], int write)
{
    static const enum ptx_space spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL};
    uint32_t of[3] = {0};
    for (uint32_t m = v->active[w]; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        enum ptx_space s = access_space(&addr[l]);
        of[s == SPACE_GLOBAL ? 0 : s == SPACE_SHARED ? 1 : 2] |= 1u << l;
    }
    if (of[0] && of[2] && u->bytes * u->vector <= 4)
        count_mixed(&v->worker->steps[u->step], addr, of[2]);
    for (int i = 0; i < 3; i++)
        if (of[i]) access_warp(v, u, spaces[i], w, addr, of[i], write);
}

/* Execute an access by the active lanes, warp by warp. reg_lanes expands sources to a value per
 * lane; reg_blend does so for results, whose inactive lanes keep their values. */
static void access_masked(struct batch *v, const struct uop *u, int write)
{
    /* The address register may also be a result, so a warp's addresses are copied before its
     * results are written. */
    const uint64_t *base = reg_lanes(v, &v->regs[u->a]);
    for (int e = 0; e < u->vector; e++)
        if (u->r[e] >= 0) {
            if (write)
                reg_lanes(v, &v->regs[u->r[e]]);
            else
                reg_blend(v, &v->regs[u->r[e]]);
        }
    if (u->space == SPACE_GLOBAL || u->space == SPACE_GENERIC)
        trace_instant(v->worker->trace, v, u->step);
    for (int w = 0; w < v->warps; w++) {
        uint64_t addr[32];
        if (!v->active[w]) continue;
        for (int l = 0; l < 32; l++) addr[l] = base[w * 32 + l] + (uint64_t)u->offset;
        if (u->space == SPACE_SHARED) /* 32-bit addresses: a carry beyond bit 31 is dropped */
            for (int l = 0; l < 32; l++) addr[l] = (uint64_t)(int64_t)(int32_t)addr[l];
        if (u->space == SPACE_GENERIC)
            access_generic(v, u, w, addr, write);
        else
            access_warp(v, u, u->space, w, addr, v->active[w], write);
    }
}

void mem_ld_masked(struct batch *v, const struct uop *u) { access_masked(v, u, 0); }

void mem_st_masked(struct batch *v, const struct uop *u) { access_masked(v, u, 1); }

/* ---- accesses with an address register held as base per warp and strides, instead of a value per
 * lane ---- */

/* Check, count and trace an access whose address register is held as base and strides. Returns 0,
 * with nothing done, if the access must be executed warp by warp. */
static int compact(struct access *x, struct batch *v, const struct uop *u, enum touch_kind kind)
{
    if (!access_affine(x, v, u, kind) || !access_check(x)) return 0;
    access_count(x);
    if (x->space != SPACE_GLOBAL) return 1;
    trace_instant(v->worker->trace, v, u->step);
    access_trace(x);
    return 1;
}

static unsigned char *at_host(const struct access *x, uint64_t addr)
{
    return (unsigned char *)(x->host + (uintptr_t)addr);
}

/* Load where all lanes of a warp read the same address, so that the result has one value per warp.
 * Warps that the batch lacks read the same as warp 0. */
static void load_uniform(const struct access *x)
{
    const struct uop *u = x->u;
    for (int e = 0; e < u->vector; e++) {
        if (u->r[e] < 0) continue;
        struct reg *d = &x->v->regs[u->r[e]];
        for (int w = 0; w < BATCH_WARPS; w++) {
            uint64_t at = x->lo[w < x->warps ? w : 0] + (uint64_t)e * u->bytes;
            uint64_t value = load_element(at_host(x, at), u->type);
            d->base[w] = d->wide ? value : (uint32_t)value;
        }
        reg_compact(d, 0, 0);
    }
}

/* Copies the 32 lanes of a warp; cell: bytes of a lane in the register. Constant sizes let the
 * compiler use vector moves. */
static inline void copy_warp(void *to, const void *from, unsigned cell)
{
    if (cell == 4)
        memcpy(to, from, 32 * 4);
    else
        memcpy(to, from, 32 * 8);
}

/* Copies a warp whose two halves are at unrelated addresses: 16 consecutive words each or, if
 * p->equal, one word each for all 16 lanes. This is frequent in blocks that are 16 threads wide. */
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

/* Copies elements of up to 4 bytes at arbitrary offsets into lanes of 4 bytes. */
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

/* Prefetch for the host. The next load by this instruction will likely be as far from this load as
 * this one is from the last. If that is another cache line of the host, the ends of both halves of
 * each warp are prefetched. */
static void fetch_ahead(const struct access *x)
{
    enum { HOST_LINE = 64 };
    struct pattern *p = x->pattern;
    uint64_t ahead = x->lo[0] - p->last;
    p->last = x->lo[0];
    if (ahead + HOST_LINE <= 2 * HOST_LINE) return;
    for (int w = 0; w < x->warps; w++) {
        const unsigned char *at = at_host(x, x->lo[w] + ahead);
        if (w && x->lo[w] == x->lo[w - 1]) continue;
        for (int l = 0; l < 32; l += l % 16 ? 1 : 15) __builtin_prefetch(at + p->off[l]);
    }
}

/* Load where lanes read different addresses. The common cases come first, and are fast: the same
 * row as for the previous warp, consecutive elements, elements as wide as a lane. */
static void load_pattern(const struct access *x)
{
    const struct uop *u = x->u;
    const struct pattern *p = x->pattern;
    if (x->space == SPACE_GLOBAL) fetch_ahead(x);
    for (int e = 0; e < u->vector; e++) {
        if (u->r[e] < 0) continue;
        struct reg *d = &x->v->regs[u->r[e]];
        unsigned char *out = reg_write(d);
        unsigned cell = d->wide ? 8 : 4;
        int halves = cell == u->bytes && (p->equal || (p->run == 16 && u->vector == 1));
        for (int w = 0; w < x->warps; w++) {
            const unsigned char *from = at_host(x, x->lo[w] + (uint64_t)e * u->bytes);
            unsigned char *to = out + (size_t)w * 32 * cell;
            if (w && x->lo[w] == x->lo[w - 1])
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

void mem_ld(struct batch *v, const struct uop *u)
{
    struct access x;
    if (!compact(&x, v, u, TOUCH_READ))
        mem_ld_masked(v, u);
    else if (v->regs[u->a].form == FORM_UNIFORM)
        load_uniform(&x);
    else
        load_pattern(&x);
}

/* Handler of stores. All values are first expanded to a value per lane. If lanes store to the same
 * address, the highest lane's value remains. */
void mem_st(struct batch *v, const struct uop *u)
{
    struct access x;
    const unsigned char *values[4];
    if (!compact(&x, v, u, TOUCH_WRITE)) {
        mem_st_masked(v, u);
        return;
    }
    const struct pattern *p = x.pattern;
    unsigned cell = v->regs[u->r[0]].wide ? 8 : 4;
    for (int e = 0; e < u->vector; e++) values[e] = reg_lanes(v, &v->regs[u->r[e]]);
    for (int w = 0; w < v->warps; w++) {
        unsigned char *to = at_host(&x, x.lo[w]);
        if (u->vector == 1 && p->contiguous && cell == u->bytes) {
            copy_warp(to, values[0] + (size_t)w * 32 * cell, cell);
            continue;
        }
        if (u->vector == 1 && u->bytes == 4 && cell == 4) {
            for (int l = 0; l < 32; l++)
                memcpy(to + p->off[l], values[0] + (size_t)(w * 32 + l) * 4, 4);
            continue;
        }
        for (int l = 0; l < 32; l++) /* lanes are written in order, the highest one last */
            for (int e = 0; e < u->vector; e++)
                memcpy(to + p->off[l] + e * u->bytes, values[e] + (size_t)(w * 32 + l) * cell,
                    u->bytes);
    }
}
