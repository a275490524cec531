/* mem.c - loads and stores.
 *
 *     compact      all lanes on, the address register is compact: 8 bases and one pattern of 32 offsets
 *     by lanes     everything else
 *
 *                  bounds and     racecheck,      sectors, banks      caches, DRAM        data
 *                  alignment      initcheck       (cost_of, model/)   (memory/)
 *     compact      8 numbers      check_compact   by base % 128       trace_compact ...   load_pattern
 *     by lanes     mem_lane       check_lane      each time           trace_lanes         access_lanes
 *
 * The cost of a compact access depends only on the pattern and on the place of its base in a 128-byte line.
 * So it is computed once for each of the 128 places and then looked up.
 *
 * If a compact access is not certain to be correct, nothing of it is executed and the access goes by lanes,
 * which finds the lane at fault. Both ways count with the same functions of the model.
 *
 * Source: CUDA C++ Programming Guide, Device Memory Accesses; PTX ISA, ld and st. */
#include "sim/check/check.h"
#include "sim/check/shadow.h"
#include "sim/exec/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- where the bytes of a space are ---- */

/* The bytes around addr that the space or the allocation holds; a span of 0 bytes if there are none. Local
 * memory has no span: each thread has its own (mem_lane). */
struct span mem_span(struct batch *v, enum ptx_space space, uint64_t addr)
{
    struct worker *w = v->worker;
    switch (space) {
    case SPACE_SHARED: return (struct span){w->shared, 0, w->shared_bytes, NULL};
    case SPACE_PARAM: return (struct span){(unsigned char *)w->launch->params, 0, w->kernel->program->param_bytes, NULL};
    default: {
        const struct region *r = sim_region(w->launch->memory, addr);
        return r ? (struct span){r->host, r->addr, r->bytes, r} : (struct span){NULL, 0, 0, NULL};
    }
    }
}

/* Are the bytes addr .. addr + n - 1 in the span? The order of the two tests avoids overflow. */
static inline int inside(const struct span *s, uint64_t addr, uint64_t n)
{
    return addr - s->lo < s->bytes && n <= s->bytes - (addr - s->lo);
}

/* ---- what an access costs ---- */

/* The number of different addresses of the lanes in mask. */
static unsigned distinct(const uint64_t addr[32], uint32_t mask)
{
    unsigned n = 0;
    for (uint32_t rest = mask; rest; n++) {
        uint64_t a = addr[__builtin_ctz(rest)];
        for (int l = 0; l < 32; l++)
            if (addr[l] == a)
                rest &= ~(1u << l);
    }
    return n;
}

/* What one warp's access costs. The meaning of count and extra depends on the space. */
struct cost {
    unsigned words;        /* different addresses */
    unsigned count, extra; /* sectors and tags; wavefronts and conflicts; different addresses and 0 */
    unsigned passes;       /* global and local: through the data banks of the first-level cache */
    unsigned moved;        /* global and local: bytes */
};

/* Ask the model for the cost of one warp's access of "bytes" a lane. Constant memory takes a pass for each
 * different address. */
static struct cost cost_of(struct batch *v, enum ptx_space space, const uint64_t addr[32], uint32_t mask, unsigned bytes, int write)
{
    const struct model_profile *p = v->worker->launch->profile;
    unsigned words = distinct(addr, mask);
    if (space == SPACE_SHARED) {
        uint32_t offset[32];
        for (int l = 0; l < 32; l++)
            offset[l] = (uint32_t)addr[l];
        struct model_shared s = (write ? model_banks_store : model_banks)(p, offset, mask, bytes);
        return (struct cost){words, s.wavefronts, s.conflicts, 0, 0};
    }
    if (space == SPACE_CONST)
        return (struct cost){words, words, 0, 0, 0};
    /* Local memory is interleaved: word k of lane l lies at 128 k + 4 l. So an access of 8 or 16 bytes a lane
     * costs as much as 2 or 4 accesses of one word. Source: CUDA C++ Programming Guide, Local Memory. */
    if (space == SPACE_LOCAL) {
        uint64_t at[32];
        for (int l = 0; l < 32; l++)
            at[l] = addr[l] / 4 * 128 + (uint64_t)l * 4 + addr[l] % 4;
        struct model_global g = model_coalesce(p, at, mask, bytes < 4 ? bytes : 4);
        unsigned n = bytes < 4 ? 1 : bytes / 4;
        return (struct cost){words, g.sectors * n, g.tags * n, g.wavefronts * n, g.bytes * n};
    }
    struct model_global g = (write ? model_coalesce_store : model_coalesce)(p, addr, mask, bytes);
    return (struct cost){words, g.sectors, g.tags, g.wavefronts, g.bytes};
}

/* Add a cost to the step's counters, by the meaning of count and extra in this space. */
static void charge(struct sim_step_counts *s, enum ptx_space space, uint64_t count, uint64_t extra, uint64_t passes, uint64_t moved)
{
    if (space == SPACE_SHARED || space == SPACE_CONST) {
        s->wavefronts += count;
        s->conflicts += extra;
    } else {
        s->sectors += count;
        s->tags += extra;
        s->passes += passes;
        s->moved += moved;
    }
}

/* Is this warp's access the one to keep for the step? The one from the lowest block is, so the result does
 * not depend on which host thread runs which blocks. */
static inline int to_record(const struct batch *v, const struct uop *u)
{
    const struct worker *w = v->worker;
    return w->accesses && w->block < w->accesses[u->step].block;
}

/* Keep the addresses for sim_result. Generic accesses are kept as global ones. */
static void record(struct batch *v, const struct uop *u, enum ptx_space space, const uint64_t addr[32], uint32_t mask,
                   unsigned bytes, int write)
{
    if (space != SPACE_GLOBAL && space != SPACE_SHARED && space != SPACE_GENERIC)
        return;
    struct sim_access *a = &v->worker->accesses[u->step];
    *a = (struct sim_access){v->worker->block, space == SPACE_SHARED ? space : SPACE_GLOBAL, write, bytes, mask, {0}};
    memcpy(a->addr, addr, sizeof a->addr);
}

/* Count one warp's access to one space. space is never SPACE_GENERIC here. If the instruction is generic,
 * shared and local accesses are also counted apart, so that counters can tell them from global ones. */
void mem_count_warp(struct batch *v, const struct uop *u, enum ptx_space space, const uint64_t addr[32], uint32_t mask,
                    unsigned bytes, int write)
{
    struct sim_step_counts *s = &v->worker->steps[u->step];
    struct cost c = cost_of(v, space, addr, mask, bytes, write);
    if (to_record(v, u))
        record(v, u, space, addr, mask, bytes, write);
    struct sim_elsewhere *other = space == SPACE_SHARED ? &s->shared : &s->local;
    s->requests++;
    s->accesses += (uint64_t)__builtin_popcount(mask);
    s->words += c.words;
    if (u->space == SPACE_GENERIC && space != SPACE_GLOBAL) {
        other->requests++;
        other->accesses += (uint64_t)__builtin_popcount(mask);
        other->words += c.words;
        if (space == SPACE_LOCAL) /* its sectors must not count as global ones */
            c.count = c.moved = 0;
    }
    charge(s, space, c.count, c.extra, c.passes, c.moved);
}

/* ---- single elements ---- */

/* An element from memory, extended to 64 bits as its type says. */
static inline uint64_t load_element(const unsigned char *p, enum ptx_type t)
{
    uint64_t v8;
    uint32_t v4;
    uint16_t v2;
    switch (t) {
    case PTX_B8: case PTX_U8: return *p;
    case PTX_S8: return (uint64_t)(int64_t)(int8_t)*p;
    case PTX_B16: case PTX_U16: case PTX_F16: memcpy(&v2, p, 2); return v2;
    case PTX_S16: memcpy(&v2, p, 2); return (uint64_t)(int64_t)(int16_t)v2;
    case PTX_B32: case PTX_U32: case PTX_F32: memcpy(&v4, p, 4); return v4;
    case PTX_S32: memcpy(&v4, p, 4); return (uint64_t)(int64_t)(int32_t)v4;
    default: memcpy(&v8, p, 8); return v8;
    }
}

/* Lane i of a register whose lanes are valid. */
static inline void put_lane(const struct reg *r, void *lanes, int i, uint64_t value)
{
    if (r->wide)
        ((uint64_t *)lanes)[i] = value;
    else
        ((uint32_t *)lanes)[i] = (uint32_t)value;
}

static inline uint64_t get_lane(const struct reg *r, const void *lanes, int i)
{
    return r->wide ? ((const uint64_t *)lanes)[i] : ((const uint32_t *)lanes)[i];
}

/* ---- compact accesses ---- */

/* The offsets of 32 lanes from the base, for new strides. off[] counts from the lowest lane, which lies lo
 * bytes from the base. All known costs are forgotten. */
static void set_pattern(struct pattern *p, const struct worker *w, const struct reg *a, unsigned bytes)
{
    memset(p, 0, sizeof *p);
    p->valid = 1;
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
    for (int l = 0; l < 32; l++)
        p->off[l] = (uint32_t)(offset[l] - p->lo);
}

/* Compute the cost of the pattern for the place of base in its line. */
static void fill_cost(struct batch *v, const struct uop *u, struct pattern *p, uint64_t base, int write)
{
    uint64_t addr[32];
    for (int l = 0; l < 32; l++)
        addr[l] = base + (uint64_t)p->lo + p->off[l];
    struct cost c = cost_of(v, u->space, addr, ~0u, u->count_bytes, write);
    p->words = (uint16_t)c.words;
    p->cost[base & 127].count = (uint16_t)c.count;
    p->cost[base & 127].extra = (uint16_t)c.extra;
    p->cost[base & 127].passes = (uint16_t)c.passes;
    p->cost[base & 127].moved = (uint16_t)c.moved;
}

/* Like record, for the warp whose base is given. */
static void record_compact(struct batch *v, const struct uop *u, const struct pattern *p, uint64_t base, int write)
{
    uint64_t addr[32];
    for (int l = 0; l < 32; l++)
        addr[l] = base + (uint64_t)p->lo + p->off[l];
    record(v, u, u->space, addr, ~0u, u->count_bytes, write);
}

/* Count the access of all warps of the batch. */
static void count_compact(struct batch *v, const struct uop *u, struct pattern *p, const struct reg *a, int write)
{
    struct sim_step_counts *s = &v->worker->steps[u->step];
    uint64_t count = 0, extra = 0, passes = 0, moved = 0, differ = 0, times = 1;
    for (int w = 1; w < v->warps; w++)
        differ |= a->base[w] ^ a->base[0];
    int warps = v->warps;
    /* if all bases have the same place in their lines, all warps cost the same */
    if (!(differ & 127)) {
        times = (uint64_t)warps;
        warps = 1;
    }
    for (int w = 0; w < warps; w++) {
        uint64_t base = a->base[w] + (uint64_t)u->count_offset;
        if (!p->cost[base & 127].count)
            fill_cost(v, u, p, base, write);
        count += times * p->cost[base & 127].count;
        extra += times * p->cost[base & 127].extra;
        passes += times * p->cost[base & 127].passes;
        moved += times * p->cost[base & 127].moved;
    }
    if (to_record(v, u))
        record_compact(v, u, p, a->base[0] + (uint64_t)u->count_offset, write);
    s->requests += (uint64_t)v->warps;
    s->accesses += (uint64_t)v->warps * 32;
    s->words += (uint64_t)v->warps * p->words;
    charge(s, u->space, count, extra, passes, moved);
}

/* Tell the model of DRAM partitions (1.x) what each warp accesses. Not
 * inlined: recent profiles never get here. */
static void __attribute__((noinline)) camp_compact(struct batch *v, const struct uop *u, const struct pattern *p,
                                                   const struct reg *a, int write)
{
    for (int w = 0; w < v->warps; w++)
        partitions_access(v->worker->partitions, v->worker->block, v->index * BATCH_WARPS + w,
                          a->base[w] + (uint64_t)u->offset, p->off, ~0u, (unsigned)u->bytes * u->vector, write);
}

/* The same for the model of DRAM rows. */
static void __attribute__((noinline)) rows_compact(struct batch *v, const struct uop *u, const struct pattern *p, const struct reg *a)
{
    for (int w = 0; w < v->warps; w++)
        rows_access(v->worker->rows, v->worker->block, v->index * BATCH_WARPS + w, a->base[w] + (uint64_t)u->offset, p->off, ~0u);
}

/* Tell the caches what each warp accesses. Warps off the sampled lines are left out. If a warp loads what the
 * warp before it loaded and there is an L1, it can only hit. */
static void trace_compact(struct batch *v, const struct uop *u, const struct pattern *p, const struct reg *a, int write)
{
    struct trace *t = v->worker->trace;
    unsigned n = (unsigned)u->bytes * u->vector;
    uint64_t before = ~(uint64_t)0, first = (uint64_t)u->offset + (uint64_t)p->lo, reach = (uint64_t)(p->hi - p->lo) + n;
    int short_range = (p->contiguous || p->lo == p->hi) && reach <= 128;
    uint32_t picks = short_range ? trace_picks(t, a->base, first, first + reach - 1) : ~0u;
    trace_instant(t, v, u->step);
    for (int w = 0; picks && w < v->warps; w++) {
        uint64_t lo = a->base[w] + first;
        if (!(picks >> w & 1))
            continue;
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

/* Note in shadow memory what each warp accesses in shared memory. Returns 0 if something may be wrong; then
 * the access must go by lanes, which finds the fault. Accesses below 4 bytes and blocks that are run again to
 * find a race always go by lanes. */
static int check_compact(struct batch *v, const struct uop *u, const struct pattern *p, const struct reg *a, int write)
{
    struct check *c = v->worker->check;
    unsigned n = (unsigned)u->bytes * u->vector;
    uint64_t reach = (uint64_t)(p->hi - p->lo) + n, at = (uint64_t)u->offset + (uint64_t)p->lo;
    uint64_t differ = 0;
    int good = 1, warp = v->index * BATCH_WARPS;
    if (v->worker->check_off)
        return 1;
    if (c->reader || n < 4)
        return 0;
    for (int w = 1; w < v->warps; w++)
        differ |= a->base[w] ^ a->base[0];
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

/* Can the access be executed in compact form? If so, it is counted, and *host is what must be added to a
 * device address to get the host address. Returns 0 before anything is counted or written.
 *
 *   1. look up the pattern of this instruction, or make a new one for these strides
 *   2. the lowest and highest address of the batch: all aligned, all in one span, writable
 *   3. racecheck and initcheck
 *   4. count, and tell the models of caches and DRAM */
static int compact(struct batch *v, const struct uop *u, const struct reg *a, uintptr_t *host, struct pattern **pattern, int write)
{
    unsigned n = (unsigned)u->bytes * u->vector;
    if (!a->form || !v->dense)
        return 0;
    struct pattern *p = &v->worker->patterns[u->mem];
    if (!p->valid || p->sx != a->sx || p->sy != a->sy)
        set_pattern(p, v->worker, a, n);
    uint64_t lo = ~(uint64_t)0, hi = 0, bits = (uint64_t)a->sx | (uint64_t)a->sy;
    for (int w = 0; w < v->warps; w++) {
        uint64_t at = a->base[w] + (uint64_t)u->offset;
        lo = at < lo ? at : lo;
        hi = at > hi ? at : hi;
        bits |= at;
    }
    lo += (uint64_t)p->lo;
    hi += (uint64_t)p->hi;
    if (bits & (n - 1) || lo > hi)
        return 0;
    if (u->space == SPACE_SHARED)
        p->span.host = v->worker->shared; /* seats share patterns but have memory of their own */
    if (!inside(&p->span, lo, hi - lo + n)) {
        p->span = mem_span(v, u->space, lo);
        p->readonly = p->span.region && p->span.region->readonly;
        p->watched = shadow_watches(v->worker, p->span.region, write);
        if (!inside(&p->span, lo, hi - lo + n))
            return 0;
    }
    if (write && p->readonly)
        return 0;
    if (u->space == SPACE_SHARED && !check_compact(v, u, p, a, write))
        return 0;
    if (p->watched && !shadow_compact(v, u, p, a, write))
        return 0;
    *host = (uintptr_t)p->span.host - (uintptr_t)p->span.lo;
    *pattern = p;
    if (u->counts)
        count_compact(v, u, p, a, write);
    if (u->space != SPACE_GLOBAL && u->space != SPACE_GENERIC)
        return 1;
    if (v->worker->partitions)
        camp_compact(v, u, p, a, write);
    else
        trace_compact(v, u, p, a, write);
    if (v->worker->rows)
        rows_compact(v, u, p, a);
    if (v->worker->combine)
        write_combine_compact(v, u, p, a, write);
    return 1;
}

static const unsigned char *at_host(uintptr_t host, uint64_t addr)
{
    return (const unsigned char *)(host + (uintptr_t)addr);
}

/* All lanes of a warp read one address, so the result is one value a warp. The bases are copied first, since
 * the address register may be a result. Warps that do not exist read what warp 0 reads. */
static void load_uniform(struct batch *v, const struct uop *u, const struct reg *a, uintptr_t host)
{
    uint64_t base[BATCH_WARPS];
    memcpy(base, a->base, sizeof base);
    for (int e = 0; e < u->vector; e++) {
        if (u->r[e] < 0)
            continue;
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

/* Lanes read different addresses. The first cases are the common ones, made fast: the same row as the warp
 * before, consecutive elements, elements as wide as the register. */
static void load_pattern(struct batch *v, const struct uop *u, const struct reg *a, uintptr_t host, const struct pattern *p)
{
    uint64_t base[BATCH_WARPS];
    memcpy(base, a->base, sizeof base);
    for (int e = 0; e < u->vector; e++) {
        if (u->r[e] < 0)
            continue;
        struct reg *d = &v->regs[u->r[e]];
        unsigned char *out = reg_write(d);
        unsigned cell = d->wide ? 8 : 4;
        for (int w = 0; w < v->warps; w++) {
            const unsigned char *from = at_host(host, base[w] + (uint64_t)u->offset + (uint64_t)p->lo + (uint64_t)e * u->bytes);
            unsigned char *to = out + (size_t)w * 32 * cell;
            if (w && base[w] == base[w - 1])
                copy_warp(to, to - 32 * cell, cell);
            else if (cell == u->bytes && p->contiguous && u->vector == 1)
                copy_warp(to, from, cell);
            else if (cell == 4 && u->bytes == 4)
                for (int l = 0; l < 32; l++)
                    memcpy(to + 4 * l, from + p->off[l], 4);
            else if (cell == 8 && u->bytes == 8)
                for (int l = 0; l < 32; l++)
                    memcpy(to + 8 * l, from + p->off[l], 8);
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
    for (int e = 0; e < u->vector; e++)
        values[e] = reg_lanes(v, &v->regs[u->r[e]]);
    for (int w = 0; w < v->warps; w++) {
        unsigned char *to = (unsigned char *)at_host(host, a->base[w] + (uint64_t)u->offset + (uint64_t)p->lo);
        unsigned cell = v->regs[u->r[0]].wide ? 8 : 4;
        if (u->vector == 1 && p->contiguous && cell == u->bytes) {
            copy_warp(to, values[0] + (size_t)w * 32 * cell, cell);
            continue;
        }
        for (int l = 0; l < 32; l++) /* lanes in order: the highest one wins */
            for (int e = 0; e < u->vector; e++)
                memcpy(to + p->off[l] + e * u->bytes, values[e] + (size_t)(w * 32 + l) * cell, u->bytes);
    }
}

/* ---- accesses by lanes ---- */

/* Tell the models of caches and DRAM about one warp's access. lo is the lowest address. */
static void trace_lanes(struct batch *v, const struct uop *u, int w, uint64_t lo, const uint64_t addr[32], uint32_t mask,
                        unsigned bytes, int write)
{
    uint32_t off[32];
    for (int l = 0; l < 32; l++)
        off[l] = (uint32_t)(addr[l] - lo);
    if (v->worker->partitions)
        partitions_access(v->worker->partitions, v->worker->block, v->index * BATCH_WARPS + w, lo, off, mask, bytes, write);
    else
        trace_access(v->worker->trace, lo, off, mask, bytes, write);
    if (v->worker->rows)
        rows_access(v->worker->rows, v->worker->block, v->index * BATCH_WARPS + w, lo, off, mask);
    if (v->worker->combine)
        write_combine_access(v, u, w, lo, off, mask, write);
}

/* The host address of a lane's bytes. Faults if they are out of bounds, misaligned, or written but read-only.
 * *span keeps the last allocation found, for the next lane. */
unsigned char *mem_lane(struct batch *v, const struct uop *u, enum ptx_space space, struct span *span, uint64_t addr,
                        int lane, int write)
{
    unsigned n = (unsigned)u->bytes * u->vector;
    if (space == SPACE_LOCAL) {
        struct worker *w = v->worker;
        if (addr >= w->local_bytes || n > w->local_bytes - addr)
            sim_fault_access(v, u, lane, addr, space, write);
        if (addr & (n - 1))
            sim_fault(v, u, lane, "%s %u bytes of local memory at offset %llu, which is not a multiple of %u", write ? "writes" : "reads",
                      n, (unsigned long long)addr, n);
        return w->local + (size_t)(v->index * BATCH_LANES + lane) * w->local_bytes + addr;
    }
    if (!inside(span, addr, n)) {
        *span = mem_span(v, space, addr);
        if (!inside(span, addr, n))
            sim_fault_access(v, u, lane, addr, space, write);
    }
    if (addr & (n - 1))
        sim_fault_access(v, u, lane, addr, space, write);
    if (write && span->region && span->region->readonly)
        sim_fault(v, u, lane, "writes %s, which is only to be read", span->region->name);
    return span->host + (addr - span->lo);
}

/* Execute one warp's access to one space, for the lanes of mask. All lanes are checked before any is counted,
 * and counted before data moves. Registers must be prepared for lanes (access_masked). A load that is part of
 * a merged load counts with the address and width of the whole. */
static void access_lanes(struct batch *v, const struct uop *u, enum ptx_space space, int w, const uint64_t addr[32],
                         uint32_t mask, int write)
{
    unsigned n = (unsigned)u->bytes * u->vector;
    struct span span = {NULL, 0, 0, NULL};
    unsigned char *at[32];
    uint64_t lo = ~(uint64_t)0;
    for (uint32_t m = mask; m; m &= m - 1) {
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
    if (u->counts) {
        uint64_t counted[32];
        for (int l = 0; l < 32; l++)
            counted[l] = addr[l] - (uint64_t)u->offset + (uint64_t)u->count_offset;
        mem_count_warp(v, u, space, counted, mask, space == u->space ? u->count_bytes : n, write);
    }
    if (space == SPACE_GLOBAL)
        trace_lanes(v, u, w, lo, addr, mask, n, write);
    for (int e = 0; e < u->vector; e++) {
        if (u->r[e] < 0)
            continue;
        struct reg *r = &v->regs[u->r[e]];
        void *lanes = r->lanes;
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

/* A generic access: each lane accesses the space that its address lies in. The lanes are divided by space,
 * and each part is an access of its own. */
static void access_generic(struct batch *v, const struct uop *u, int w, uint64_t addr[32], int write)
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
        if (of[i])
            access_lanes(v, u, spaces[i], w, addr, of[i], write);
}

/* An access of the active lanes, warp by warp. reg_lanes makes sources valid as lanes; reg_blend does so for
 * results, whose inactive lanes keep their values. */
static void access_masked(struct batch *v, const struct uop *u, int write)
{
    const uint64_t *base = reg_lanes(v, &v->regs[u->a]);
    uint64_t keep[BATCH_LANES];
    if (!write) /* a result may be the address register */
        base = memcpy(keep, base, sizeof keep);
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
        if (!v->active[w])
            continue;
        for (int l = 0; l < 32; l++)
            addr[l] = base[w * 32 + l] + (uint64_t)u->offset;
        if (u->space == SPACE_GENERIC)
            access_generic(v, u, w, addr, write);
        else
            access_lanes(v, u, u->space, w, addr, v->active[w], write);
    }
}

void mem_ld_masked(struct batch *v, const struct uop *u)
{
    access_masked(v, u, 0);
}

void mem_st_masked(struct batch *v, const struct uop *u)
{
    access_masked(v, u, 1);
}
