/* access.c - an access to memory by one or several warps, checked and traced for all lanes at once
 * if possible.
 *
 *                       bounds,       racecheck, initcheck        sectors, banks     caches, DRAM
 *                       alignment                                 (cost.c, model/)   (memory/)
 *     all lanes         3 numbers     check_lanes, shadow_access  by lo % 128        access_trace
 *     lane by lane      access_place  check_lane, shadow_lane     each time          access_trace
 *
 * If an access is not certain to be correct, no part of it is executed at first, and its lanes are
 * checked one by one, which finds the lane at fault. Both ways count with the same function.
 *
 * Source: CUDA C++ Programming Guide, Device Memory Accesses; PTX ISA, ld and st. */
#include "sim/exec/access.h"
#include "sim/check/check.h"
#include "sim/check/shadow.h"
#include "sim/cluster.h"

#include <string.h>

/* Is this constant memory? */
static int constant(enum sim_readonly memory)
{
    return memory == SIM_READONLY || memory == SIM_COMPILED;
}

/* ---- the two forms of addresses: base and strides (compact), or lane by lane ---- */

/* Called when the strides differ from those of the last access: compute the offsets of 32 lanes,
 * and discard the cached costs. */
static void learn_strides(struct pattern *p, const struct batch *v, const struct reg *a,
    const struct uop *u, enum ptx_space space)
{
    const struct worker *w = v->worker;
    int64_t offset[32], bytes = u->bytes * u->vector, lo = 0, hi = 0;
    int contiguous = 1, halves = 1, equal = 1;
    for (int l = 0; l < 32; l++) {
        offset[l] = a->sx * w->lane_x[l] + a->sy * w->lane_y[l];
        lo = offset[l] < lo ? offset[l] : lo;
        hi = offset[l] > hi ? offset[l] : hi;
        contiguous &= offset[l] == bytes * l;
        halves &= offset[l] == offset[l & 16] + bytes * (l & 15);
        equal &= offset[l] == offset[l & 16];
    }
    *p = (struct pattern){.valid = 1,
        .space = space,
        .mask = ~0u,
        .sx = a->sx,
        .sy = a->sy,
        .below = lo,
        .reach = (uint64_t)hi - (uint64_t)lo,
        .contiguous = (uint8_t)contiguous,
        .run = contiguous ? 32
               : halves   ? 16
                          : 0,
        .equal = (uint8_t)equal};
    for (int l = 0; l < 32; l++) p->bits |= p->off[l] = (uint32_t)(offset[l] - lo);
}

int access_affine(struct access *x, struct batch *v, const struct uop *u, enum touch_kind kind)
{
    const struct reg *a = &v->regs[u->a];
    struct pattern *p = &v->worker->patterns[u->mem].affine;
    enum ptx_space space = u->space == SPACE_GENERIC ? SPACE_GLOBAL : (enum ptx_space)u->space;
    if (!a->form || !v->dense || u->texel || space == SPACE_LOCAL) return 0;
    if (!p->valid || p->sx != a->sx || p->sy != a->sy) learn_strides(p, v, a, u, space);
    x->v = v;
    x->u = u;
    x->space = space;
    x->kind = kind;
    x->bytes = (unsigned)u->bytes * u->vector;
    x->first = 0;
    x->warps = v->warps;
    x->mask = ~0u;
    x->pattern = p;
    x->addr = NULL;
    x->fresh = 0;
    uint64_t further = (uint64_t)u->offset + (uint64_t)p->below;
    for (int w = 0; w < BATCH_WARPS; w++) x->lo[w] = a->base[w] + further;
    x->least = x->most = x->all = x->lo[0];
    for (int w = 1; w < x->warps; w++) {
        x->least = x->lo[w] < x->least ? x->lo[w] : x->least;
        x->most = x->lo[w] > x->most ? x->lo[w] : x->most;
        x->all |= x->lo[w];
    }
    return p->reach <= UINT32_MAX;
}

/* Are the lanes' offsets the same as in the last access? Sets *lo to the lowest address, which
 * follows from the address of the first lane. */
static int repeats(const struct pattern *p, enum ptx_space space, const uint64_t addr[32],
    uint32_t mask, uint64_t *lo)
{
    uint64_t differ = 0;
    if (!p->valid || p->mask != mask || p->space != space) return 0;
    *lo = addr[__builtin_ctz(mask)] - p->off[__builtin_ctz(mask)];
    for (int l = 0; l < 32; l++) differ |= (addr[l] - *lo - p->off[l]) & -(uint64_t)(mask >> l & 1);
    return !differ;
}

/* Called when the offsets differ from those of the last access: store them and discard the cached
 * costs. The loops have no branches, so the compiler can vectorize them. Returns the lowest
 * address. */
static uint64_t learn_lanes(
    struct pattern *p, enum ptx_space space, const uint64_t addr[32], uint32_t mask)
{
    uint64_t lo = ~(uint64_t)0, reach = 0, bits = 0;
    for (int l = 0; l < 32; l++) {
        uint64_t at = addr[l] | ((uint64_t)(mask >> l & 1) - 1);
        lo = at < lo ? at : lo;
    }
    for (int l = 0; l < 32; l++) {
        uint64_t off = (addr[l] - lo) & -(uint64_t)(mask >> l & 1);
        p->off[l] = (uint32_t)off;
        reach = off > reach ? off : reach;
        bits |= off;
    }
    if (p->space != space) p->span.bytes = 0;
    p->space = space;
    p->mask = mask;
    p->reach = reach;
    p->bits = (uint32_t)bits;
    p->priced = 0;
    p->valid = reach <= UINT32_MAX;
    return lo;
}

void access_lanes(struct access *x, struct batch *v, const struct uop *u, enum ptx_space space,
    int w, const uint64_t addr[32], uint32_t mask, enum touch_kind kind)
{
    struct pattern *p = &v->worker->patterns[u->mem].lanes;
    x->v = v;
    x->u = u;
    x->space = space;
    x->kind = kind;
    x->bytes = (unsigned)u->bytes * u->vector;
    x->first = w;
    x->warps = 1;
    x->mask = mask;
    x->addr = addr;
    x->fresh = !repeats(p, space, addr, mask, &x->lo[0]);
    if (x->fresh) x->lo[0] = learn_lanes(p, space, addr, mask);
    x->least = x->most = x->all = x->lo[0];
    x->pattern = p->valid ? p : NULL;
}

void access_addresses(const struct access *x, int i, uint64_t further, uint64_t addr[32])
{
    if (x->addr)
        for (int l = 0; l < 32; l++) addr[l] = x->addr[l] + further;
    else
        for (int l = 0; l < 32; l++) addr[l] = x->lo[i] + x->pattern->off[l] + further;
}

/* ---- accesses of one lane ---- */

struct span access_span(struct batch *v, enum ptx_space space, uint64_t addr)
{
    struct worker *w = v->worker;
    switch (space) {
    case SPACE_SHARED: return (struct span){w->shared, 0, w->shared_bytes, NULL};
    case SPACE_PARAM:
        return (struct span){
            (unsigned char *)w->launch->params, 0, w->kernel->program->param_bytes, NULL};
    default: {
        const struct region *r = sim_region(w->launch->memory, addr);
        return r ? (struct span){r->host, r->addr, r->bytes, r} : (struct span){NULL, 0, 0, NULL};
    }
    }
}

/* In a lenient launch: may this access outside of all buffers continue? A GPU maps memory in pages
 * of 2 MiB, so it seldom notices an access that is closer to a buffer than that. */
static int strays(struct batch *v, enum ptx_space space, uint64_t addr)
{
    enum { PAGE = 2 << 20 };
    const struct launch *l = v->worker->launch;
    const struct region *r =
        l->lenient && space == SPACE_GLOBAL ? sim_region_near(l->memory, addr) : NULL;
    return r && addr + PAGE > r->addr && addr < r->addr + r->bytes + PAGE;
}

unsigned char *access_place(struct batch *v, const struct uop *u, enum ptx_space space,
    struct span *span, uint64_t addr, int lane, int write)
{
    unsigned n = (unsigned)u->bytes * u->vector;
    struct worker *w = v->worker;
    if (space == SPACE_LOCAL) {
        if (addr >= w->local_bytes || n > w->local_bytes - addr)
            sim_fault_access(v, u, lane, addr, space, write);
        if (addr & (n - 1))
            sim_fault(v, u, lane, FAULT(.kind = FOUND_MISALIGNED),
                "%s %u bytes of local memory at offset %llu, which is not a multiple of %u",
                write ? "writes" : "reads", n, (unsigned long long)addr, n);
        return w->local + (size_t)(v->index * BATCH_LANES + lane) * w->local_bytes + addr;
    }
    if (space == SPACE_SHARED && addr >> PEER_SHIFT &&
        (w->kernel->program->peers || w->launch->cluster > 1)) {
        struct worker *owner = cluster_reach(v, u, &addr, lane, n);
        *span = (struct span){owner->shared, 0, owner->shared_bytes, NULL};
    }
    if (!access_inside(span, addr, n)) {
        *span = access_span(v, space, addr);
        if (!access_inside(span, addr, n)) {
            if (addr & (n - 1) || !strays(v, space, addr))
                sim_fault_access(v, u, lane, addr, space, write);
            if (w->launch->notes) sim_stray(v, u, lane, addr, write);
            *span = (struct span){NULL, 0, 0, NULL};
            return memset(w->stray, 0, sizeof w->stray);
        }
    }
    if (addr & (n - 1)) sim_fault_access(v, u, lane, addr, space, write);
    if (space == SPACE_CONST && span->region && !constant(span->region->readonly))
        sim_fault(v, u, lane, FAULT(.kind = FOUND_OUTSIDE),
            "reads %s with ld.const, but %s is in global memory, where ld.const reaches nothing",
            span->region->name, span->region->name);
    if (write && span->region && span->region->readonly)
        sim_fault_readonly(v, u, lane, span->region, addr);
    return span->host + (addr - span->lo);
}

unsigned char *access_lane(struct batch *v, const struct uop *u, enum ptx_space space,
    struct span *span, uint64_t addr, int lane, enum touch_kind kind)
{
    int write = kind != TOUCH_READ;
    unsigned char *at = access_place(v, u, space, span, addr, lane, write);
    if (v->worker->words && (space == SPACE_SHARED || (space == SPACE_GLOBAL && span->region)))
        words_lane(v, u, lane, span->region, addr, kind, at);
    if (space == SPACE_SHARED)
        check_lane(v, u, lane, addr, (unsigned)u->bytes * u->vector, write, kind == TOUCH_UPDATE);
    else if (space == SPACE_LOCAL)
        check_local(v, u, lane, addr, write);
    else
        shadow_lane(v, u, lane, span->region, addr, kind);
    return at;
}

/* The address windows are 1 TiB each, so bits 40 and up tell them apart. */
enum ptx_space access_space(uint64_t *addr)
{
    switch (*addr >> 40) {
    case SHARED_WINDOW >> 40: *addr -= SHARED_WINDOW; return SPACE_SHARED;
    case LOCAL_WINDOW >> 40: *addr -= LOCAL_WINDOW; return SPACE_LOCAL;
    default: return SPACE_GLOBAL;
    }
}

/* ---- checks of all lanes at once ---- */

/* Are all bytes aligned, in one allocation or space, and, if the access writes, writable? If so,
 * x->host is set. */
static int place(struct access *x)
{
    struct worker *own = x->v->worker;
    struct pattern *p = x->pattern;
    uint64_t bytes = x->most - x->least + p->reach + x->bytes;
    x->apart = 0;
    if ((p->bits | x->all) & (x->bytes - 1)) return 0;
    if (x->most >> 63) return 0; /* an address is negative */
    if (x->space == SPACE_LOCAL) {
        const struct span each = {NULL, 0, own->local_bytes, NULL};
        x->apart = own->local_bytes;
        x->host = (uintptr_t)own->local +
                  (size_t)(x->v->index * BATCH_LANES + x->first * 32) * own->local_bytes;
        return access_inside(&each, x->least, bytes);
    }
    if (x->space == SPACE_SHARED) /* kept from block to block, but of the current block */
        p->span.host = own->shared;
    if (!access_inside(&p->span, x->least, bytes)) {
        p->span = access_span(x->v, x->space, x->least);
        p->readonly = p->span.region ? p->span.region->readonly : SIM_WRITABLE;
        p->watched = shadow_watches(own, p->span.region, x->kind != TOUCH_READ);
        if (!access_inside(&p->span, x->least, bytes)) return 0;
    }
    x->host = (uintptr_t)p->span.host - (uintptr_t)p->span.lo;
    return x->space == SPACE_CONST ? constant(p->readonly) : x->kind == TOUCH_READ || !p->readonly;
}

/* Do the lanes of a warp access contiguous bytes, or all of them the same bytes? */
static int in_one_run(const struct pattern *p) { return p->contiguous || !p->reach; }

/* Record each warp's access to shared memory in shadow memory. Returns 0 if there may be an error.
 * Also returns 0, so that lanes are checked one by one, for accesses below 4 bytes and for loads
 * and stores of a block that runs again to find a race. */
static int check_shared(const struct access *x)
{
    struct check *c = x->v->worker->check;
    const struct pattern *p = x->pattern;
    uint64_t n = p->reach + x->bytes, differ = 0;
    int good = 1, warp = x->v->index * BATCH_WARPS + x->first, write = x->kind == TOUCH_WRITE;
    if (x->v->worker->check_off) return 1;
    if (x->bytes < 4 || (c->reader && x->kind != TOUCH_UPDATE)) return 0;
    for (int w = 1; w < x->warps; w++) differ |= x->lo[w] ^ x->lo[0];
    if (in_one_run(p) && !differ && !write)
        return check_same(c, warp, x->warps, x->lo[0], x->lo[0] + n);
    for (int w = 0; w < x->warps; w++)
        good &= in_one_run(p) ? check_range(c, warp + w, x->lo[w], x->lo[w] + n, write)
                              : check_lanes(c, warp + w, x->lo[w], p->off, x->bytes, write);
    return good;
}

int access_check(struct access *x)
{
    if (!x->pattern || !place(x)) return 0;
    if (x->v->worker->words && (x->space == SPACE_SHARED || x->space == SPACE_GLOBAL))
        words_access(x);
    switch (x->space) {
    case SPACE_SHARED: return check_shared(x);
    case SPACE_LOCAL: return check_local_lanes(x);
    default: return !x->pattern->watched || shadow_access(x);
    }
}

void access_places(struct access *x, unsigned char *at[32])
{
    struct span span = {NULL, 0, 0, NULL};
    if (access_check(x)) {
        uintptr_t host = x->host + (uintptr_t)x->lo[0];
        for (int l = 0; l < 32; l++) at[l] = (unsigned char *)(host + x->pattern->off[l]);
        for (int l = 0; x->apart && l < 32; l++) at[l] += (size_t)l * x->apart;
        return;
    }
    for (uint32_t m = x->mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        at[l] = access_lane(x->v, x->u, x->space, &span, x->addr[l], x->first * 32 + l, x->kind);
    }
}

/* ---- caches and DRAM ---- */

/* Send the access to the cache model, without the warps whose lines are not in its sample. If a
 * warp loads the same as the previous warp, and the GPU has an L1, the load certainly hits. */
static void trace(const struct access *x, const uint32_t off[32])
{
    struct trace *t = x->v->worker->trace;
    const struct pattern *p = x->pattern;
    int run = p && in_one_run(p), write = x->kind != TOUCH_READ;
    uint64_t before = ~(uint64_t)0, n = run ? p->reach + x->bytes : 0;
    uint32_t picks = x->warps > 1 && run && n <= 128 ? trace_picks(t, x->lo, n - 1) : ~0u;
    for (int w = 0; picks && w < x->warps; w++) {
        if (!(picks >> w & 1)) continue;
        if (x->lo[w] == before && !write && x->v->worker->launch->profile->l1_fetch) {
            trace_again(t);
            continue;
        }
        before = x->lo[w];
        if (run)
            trace_range(t, x->lo[w], x->lo[w] + n, write);
        else
            trace_access(t, x->lo[w], off, x->mask, x->bytes, write);
    }
}

void access_trace(const struct access *x)
{
    struct worker *own = x->v->worker;
    uint32_t far[32];
    const uint32_t *off = x->pattern ? x->pattern->off : far;
    int write = x->kind != TOUCH_READ;
    if (!own->counting) return;
    for (int l = 0; !x->pattern && l < 32; l++) far[l] = (uint32_t)(x->addr[l] - x->lo[0]);
    if (!own->partitions) trace(x, off);
    for (int i = 0; i < x->warps; i++) {
        int w = x->first + i, warp = x->v->index * BATCH_WARPS + w;
        if (own->partitions)
            partitions_access(
                own->partitions, own->block, warp, x->lo[i], off, x->mask, x->bytes, write);
        if (own->rows) rows_access(own->rows, own->block, warp, x->lo[i], off, x->mask);
        if (own->combine) write_combine_access(x->v, x->u, w, x->lo[i], off, x->mask, write);
    }
}
