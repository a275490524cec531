/* mem.c - loads and stores.
 *
 *     compact      all lanes on, the address register is compact: 8 bases and one pattern of 32 offsets
 *     known        the lanes lie to each other as in the instruction's last access (mem_known.c)
 *     whole        the lanes lie anywhere, but all in one buffer, and nothing is wrong with them
 *     by lanes     everything else: it finds the lane at fault
 *
 *                  bounds and     racecheck,      sectors, banks      caches, DRAM        data
 *                  alignment      initcheck       (mem_cost, model/)  (memory/)
 *     compact      8 numbers      check_compact   by base % 128       trace_compact ...   load_pattern
 *     known        2 numbers      check_lanes     by base % 128       trace_lanes         access_lanes
 *     whole        2 numbers      check_lanes     each time           trace_lanes         access_lanes
 *     by lanes     mem_lane       check_lane      each time           trace_lanes         access_lanes
 *
 * The cost of a compact access depends only on the pattern and on the place of its base in a
 * 128-byte line. So it is computed once for each of the 128 places and then looked up.
 *
 * If a compact access is not certain to be correct, nothing of it is executed and the access goes
 * by lanes, which finds the lane at fault. Both ways count with the same functions of the model.
 *
 * Source: CUDA C++ Programming Guide, Device Memory Accesses; PTX ISA, ld and st. */
#include "sim/check/check.h"
#include "sim/check/shadow.h"
#include "sim/cluster.h"
#include "sim/exec/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- where the bytes of a space are ---- */

/* The bytes around addr that the space or the allocation holds; a span of 0 bytes if there are
 * none. Local memory has no span: each thread has its own (mem_lane). */
struct span mem_span(struct batch *v, enum ptx_space space, uint64_t addr)
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

/* ---- accesses by lanes ---- */

/* Tell the models of caches and DRAM about one warp's access. lo is the lowest address. */
void mem_trace(struct batch *v, const struct uop *u, int w, uint64_t lo, const uint64_t addr[32],
    uint32_t mask, unsigned bytes, int write)
{
    uint32_t off[32];
    if (!v->worker->counting) return;
    for (int l = 0; l < 32; l++) off[l] = (uint32_t)(addr[l] - lo);
    if (v->worker->partitions)
        partitions_access(v->worker->partitions, v->worker->block, v->index * BATCH_WARPS + w, lo,
            off, mask, bytes, write);
    else
        trace_access(v->worker->trace, lo, off, mask, bytes, write);
    if (v->worker->rows)
        rows_access(v->worker->rows, v->worker->block, v->index * BATCH_WARPS + w, lo, off, mask);
    if (v->worker->combine) write_combine_access(v, u, w, lo, off, mask, write);
}

/* May an access outside of all buffers go on? A GPU maps memory in pages of 2 MiB, so it seldom
 * notices one that is closer to a buffer than that. */
static int strays(struct batch *v, enum ptx_space space, uint64_t addr)
{
    enum { PAGE = 2 << 20 };
    const struct launch *l = v->worker->launch;
    const struct region *r =
        l->lenient && space == SPACE_GLOBAL ? sim_region_near(l->memory, addr) : NULL;
    return r && addr + PAGE > r->addr && addr < r->addr + r->bytes + PAGE;
}

/* The host address of a lane's bytes. Faults if they are out of bounds, misaligned, or written but
 * read-only. *span keeps the last allocation found, for the next lane. */
unsigned char *mem_lane(struct batch *v, const struct uop *u, enum ptx_space space,
    struct span *span, uint64_t addr, int lane, int write)
{
    unsigned n = (unsigned)u->bytes * u->vector;
    if (space == SPACE_LOCAL) {
        struct worker *w = v->worker;
        if (addr >= w->local_bytes || n > w->local_bytes - addr)
            sim_fault_access(v, u, lane, addr, space, write);
        if (addr & (n - 1))
            sim_fault(v, u, lane, FAULT(.kind = FOUND_MISALIGNED),
                "%s %u bytes of local memory at offset %llu, which is not a multiple of %u",
                write ? "writes" : "reads", n, (unsigned long long)addr, n);
        return w->local + (size_t)(v->index * BATCH_LANES + lane) * w->local_bytes + addr;
    }
    if (space == SPACE_SHARED && addr >> PEER_SHIFT &&
        (v->worker->kernel->program->peers || v->worker->launch->cluster > 1)) {
        struct worker *owner = cluster_reach(v, u, &addr, lane, n);
        *span = (struct span){owner->shared, 0, owner->shared_bytes, NULL};
    }
    if (!inside(span, addr, n)) {
        *span = mem_span(v, space, addr);
        if (!inside(span, addr, n) && !(addr & (n - 1)) && strays(v, space, addr)) {
            *span = (struct span){NULL, 0, 0, NULL};
            return memset(v->worker->stray, 0, sizeof v->worker->stray);
        }
        if (!inside(span, addr, n)) sim_fault_access(v, u, lane, addr, space, write);
    }
    if (addr & (n - 1)) sim_fault_access(v, u, lane, addr, space, write);
    if (write && span->region && span->region->readonly)
        sim_fault(v, u, lane, FAULT(.kind = FOUND_READ_ONLY), "writes %s, which is only to be read",
            span->region->name);
    return span->host + (addr - span->lo);
}

int mem_whole(struct batch *v, const struct uop *u, enum ptx_space space, int w,
    const uint64_t addr[32], uint32_t mask, enum touch_kind kind, unsigned char *at[32],
    uint64_t *base)
{
    struct check *c = v->worker->check;
    unsigned n = (unsigned)u->bytes * u->vector;
    uint64_t some = addr[__builtin_ctz(mask)], lo = some, hi = some, bits = some, all[32];
    uint32_t off[32];
    if (space != SPACE_SHARED && space != SPACE_GLOBAL) return 0;
    /* simple loops that the compiler can vectorise */
    for (int l = 0; l < 32; l++) all[l] = mask >> l & 1 ? addr[l] : some;
    for (int l = 0; l < 32; l++) lo = all[l] < lo ? all[l] : lo;
    for (int l = 0; l < 32; l++) hi = all[l] > hi ? all[l] : hi;
    for (int l = 0; l < 32; l++) bits |= all[l];
    struct span span = mem_span(v, space, lo);
    if (bits & (n - 1) || hi - lo > UINT32_MAX || !inside(&span, lo, hi - lo + n)) return 0;
    for (int l = 0; l < 32; l++) off[l] = mask >> l & 1 ? (uint32_t)(addr[l] - lo) : 0;
    for (int l = 0; l < 32; l++) at[l] = span.host + (lo - span.lo) + off[l];
    *base = lo;
    if (space == SPACE_SHARED)
        return v->worker->check_off ||
               (n >= 4 && (!c->reader || kind == TOUCH_UPDATE) &&
                   check_lanes(c, v->index * BATCH_WARPS + w, lo, off, n, kind == TOUCH_WRITE));
    if (kind != TOUCH_READ && span.region->readonly) return 0;
    return !shadow_watches(v->worker, span.region, kind != TOUCH_READ) ||
           shadow_lanes(v, u, w, span.region, lo, off, mask, kind);
}

/* Check one warp's access, if need be lane by lane, and count it. at[]: where its bytes are.
 * Returns the lowest address. A load that is part of a merged load counts with the address and
 * width of the whole. */
uint64_t mem_check(struct batch *v, const struct uop *u, enum ptx_space space, int w,
    const uint64_t addr[32], uint32_t mask, int write, unsigned char *at[32])
{
    unsigned n = (unsigned)u->bytes * u->vector;
    struct span span = {NULL, 0, 0, NULL};
    uint64_t lo = ~(uint64_t)0;
    int whole = mem_whole(v, u, space, w, addr, mask, write ? TOUCH_WRITE : TOUCH_READ, at, &lo);
    for (uint32_t m = whole ? 0 : mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        at[l] = mem_lane(v, u, space, &span, addr[l], w * 32 + l, write);
        if (space == SPACE_SHARED)
            check_lane(v, u, w * 32 + l, addr[l], n, write, 0);
        else if (space == SPACE_LOCAL)
            check_local(v, u, w * 32 + l, addr[l], write);
        else if (span.region)
            shadow_lane(v, u, w * 32 + l, span.region, addr[l], write ? TOUCH_WRITE : TOUCH_READ);
        lo = addr[l] < lo ? addr[l] : lo;
    }
    if (u->counts && v->worker->counting) {
        uint64_t counted[32];
        for (int l = 0; l < 32; l++)
            counted[l] = addr[l] - (uint64_t)u->offset + (uint64_t)u->count_offset;
        mem_count_warp(v, u, space, counted, mask, space == u->space ? u->count_bytes : n,
            write ? TOUCH_WRITE : TOUCH_READ);
    }
    return lo;
}

/* Elements as wide as the register's cells: the usual case, which a compiler makes fast. */
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

/* Execute one warp's access to one space, for the lanes of mask. All lanes are checked before
 * any is counted, and counted before data moves. Registers must be prepared for lanes
 * (access_masked). */
static void access_lanes(struct batch *v, const struct uop *u, enum ptx_space space, int w,
    const uint64_t addr[32], uint32_t mask, int write)
{
    unsigned char *at[32];
    uint64_t lo;
    if (!mem_known(v, u, w, addr, mask, write, at, &lo))
        lo = mem_check(v, u, space, w, addr, mask, write, at);
    if (space == SPACE_GLOBAL)
        mem_trace(v, u, w, lo, addr, mask, (unsigned)u->bytes * u->vector, write);
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

/* The windows are 1 TiB each, so bits 40 and up tell them apart. */
enum ptx_space mem_generic(uint64_t *addr)
{
    switch (*addr >> 40) {
    case SHARED_WINDOW >> 40: *addr -= SHARED_WINDOW; return SPACE_SHARED;
    case LOCAL_WINDOW >> 40: *addr -= LOCAL_WINDOW; return SPACE_LOCAL;
    default: return SPACE_GLOBAL;
    }
}

/* A generic access: each lane accesses the space that its address lies in. The lanes are divided by
 * space, and each part is an access of its own. */
static void access_generic(
    struct batch *v, const struct uop *u, int w, uint64_t addr[32], int write)
{
    static const enum ptx_space spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL};
    uint32_t of[3] = {0};
    for (uint32_t m = v->active[w]; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        enum ptx_space s = mem_generic(&addr[l]);
        of[s == SPACE_GLOBAL ? 0 : s == SPACE_SHARED ? 1 : 2] |= 1u << l;
    }
    if (of[0] && of[2] && u->bytes * u->vector <= 4)
        sim_count_mixed(&v->worker->steps[u->step], addr, of[2]);
    for (int i = 0; i < 3; i++)
        if (of[i]) access_lanes(v, u, spaces[i], w, addr, of[i], write);
}

/* An access of the active lanes, warp by warp. reg_lanes makes sources valid as lanes; reg_blend
 * does so for results, whose inactive lanes keep their values. */
static void access_masked(struct batch *v, const struct uop *u, int write)
{
    /* The address register may be a result: a warp's addresses are copied before its results are
     * written. */
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
        if (u->space ==
            SPACE_SHARED) /* 32 bits wide: what an unsigned index adds above them is cut off */
            for (int l = 0; l < 32; l++) addr[l] = (uint64_t)(int64_t)(int32_t)addr[l];
        if (u->space == SPACE_GENERIC)
            access_generic(v, u, w, addr, write);
        else
            access_lanes(v, u, u->space, w, addr, v->active[w], write);
    }
}

void mem_ld_masked(struct batch *v, const struct uop *u) { access_masked(v, u, 0); }

void mem_st_masked(struct batch *v, const struct uop *u) { access_masked(v, u, 1); }
