/* async.c - asynchronous copies from global to shared memory, and barriers in shared memory
 * (mbarrier).
 *
 *      cp.async       moves its bytes at once; check/async.c knows when they may be read
 *      mbarrier       8 bytes:  | phase, 3 bits | bytes, 21 | expected, 20 | pending, 20 |
 *                     an arrival subtracts 1 from pending; a bulk copy (bulk.c) subtracts the
 *                     bytes that it brings from bytes; once both are 0 the next phase begins
 *                     with pending = expected
 *
 * A copy is two accesses, checked like a load by the lanes that read and a store by all lanes that
 * write. Operations on an mbarrier are atomic. Racecheck treats passing an mbarrier like a barrier
 * of all threads, so it finds a race only if no mbarrier was passed between the two accesses.
 *
 * Source: PTX ISA, cp.async, mbarrier. */
#include "sim/check/async.h"
#include "sim/check/names.h"
#include "sim/check/shadow.h"
#include "sim/cluster.h"
#include "sim/exec/cost.h"
#include "sim/exec/mem.h"

#include <stdio.h>
#include <string.h>

/* ---- copies ---- */

/* A warp's copy: addresses of source and destination; mask: lanes that copy; reads: lanes that read
 * at least one byte; size: bytes that each lane reads; bytes: bytes that each lane writes, where
 * those not read are zeros. */
struct copy {
    uint64_t from[32], to[32];
    uint32_t mask, reads, size[32];
    unsigned bytes;
};

/* An instruction (uop) for one side of the copy, by which that side is checked: a load from global
 * or a store to shared memory of the same width, which is not counted. */
static struct uop side(const struct uop *u, enum ptx_space space)
{
    struct uop x = *u;
    x.space = (uint8_t)space;
    x.counts = 0;
    x.offset = 0;
    return x;
}

static void count(struct batch *v, const struct uop *u, const struct copy *c)
{
    const struct worker *w = v->worker;
    const struct ptx_step *s = &w->kernel->program->steps[u->step];
    struct sim_step_counts *n = &w->steps[u->step];
    uint32_t to[32];
    for (int l = 0; l < 32; l++) to[l] = (uint32_t)c->to[l];
    struct model_async cost =
        model_async(c->from, to, c->mask, c->reads, c->bytes, s->detail2 == CP_BYPASS);
    struct cost global = {0};
    if (c->reads)
        global = cost_of(w->launch->profile, SPACE_GLOBAL, c->from, c->reads, c->bytes, TOUCH_READ);
    unsigned lanes = (unsigned)__builtin_popcount(c->mask);
    cost_record(v, u, SPACE_GLOBAL, c->from, c->reads, c->bytes, 0);
    n->requests++;
    n->accesses += lanes;
    n->words += lanes;
    n->sectors += cost.sectors;
    n->wavefronts += cost.wavefronts;
    n->conflicts += cost.conflicts;
    n->tags += global.extra;
    n->passes += global.passes;
    n->moved += cost.sectors * 32;
}

/* Check lanes that read fewer bytes than they write: only the bytes that they read must be
 * valid. */
static void check_parts(
    struct batch *v, const struct uop *load, int w, const struct copy *c, unsigned char *from[32])
{
    struct uop byte = *load;
    struct span span = {NULL, 0, 0, NULL};
    byte.type = PTX_B8;
    byte.bytes = byte.vector = 1;
    for (uint32_t m = c->reads; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        if (c->size[l] == c->bytes) continue;
        from[l] = access_place(v, &byte, SPACE_GLOBAL, &span, c->from[l], w * 32 + l, 0);
        access_place(v, &byte, SPACE_GLOBAL, &span, c->from[l] + c->size[l] - 1, w * 32 + l, 0);
    }
}

/* Check both sides of a warp's copy, count it, and copy. */
static void copy_warp(struct batch *v, const struct uop *u, int w, struct copy *c)
{
    const struct uop load = side(u, SPACE_GLOBAL), store = side(u, SPACE_SHARED);
    struct worker *wk = v->worker;
    unsigned char *from[32], *to[32];
    uint32_t whole = 0;
    for (uint32_t m = c->reads; m; m &= m - 1)
        if (c->size[__builtin_ctz(m)] == c->bytes) whole |= m & (0u - m);
    struct access x;
    if (whole) {
        access_lanes(&x, v, &load, SPACE_GLOBAL, w, c->from, whole, TOUCH_READ);
        access_places(&x, from);
    }
    if (whole != c->reads) check_parts(v, &load, w, c, from);
    struct span span = {NULL, 0, 0, NULL};
    for (uint32_t m = c->mask; m; m &= m - 1) {
        int l = __builtin_ctz(m), lane = w * 32 + l;
        to[l] = access_place(v, &store, SPACE_SHARED, &span, c->to[l], lane, 1);
        if (wk->check_off) continue;
        check_lane(v, &store, lane, c->to[l], c->bytes, 1, 0);
        async_issue(v, &store, lane, c->to[l], c->bytes);
    }
    if (u->counts && wk->counting) {
        count(v, u, c);
        lead_copy(v, u, w);
    }
    if (c->reads) {
        access_lanes(&x, v, &load, SPACE_GLOBAL, w, c->from, c->reads, TOUCH_READ);
        access_trace(&x);
    }
    for (uint32_t m = c->mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        if (c->size[l]) memcpy(to[l], from[l], c->size[l]);
        memset(to[l] + c->size[l], 0, c->bytes - c->size[l]);
    }
}

/* Handler of cp.async. Operands: a destination; b source; c number of bytes to read. */
void async_copy(struct batch *v, const struct uop *u)
{
    const uint64_t *to = reg_lanes(v, &v->regs[u->a]), *from = reg_lanes(v, &v->regs[u->b]);
    const uint32_t *size = reg_lanes(v, &v->regs[u->c]);
    trace_instant(v->worker->trace, v, u->step);
    for (int w = 0; w < v->warps; w++) {
        struct copy c = {.mask = v->active[w], .bytes = (unsigned)u->bytes * u->vector};
        if (!c.mask) continue;
        for (int l = 0; l < 32; l++) {
            c.to[l] = (uint64_t)(int64_t)(int32_t)(to[w * 32 + l] + (uint64_t)u->offset);
            c.from[l] = from[w * 32 + l];
            c.size[l] = size[w * 32 + l] < c.bytes ? size[w * 32 + l] : c.bytes;
            if (c.size[l] && c.mask >> l & 1) c.reads |= 1u << l;
        }
        copy_warp(v, u, w, &c);
    }
}

/* Handler of cp.async.commit_group, cp.async.wait_group and cp.async.mbarrier.arrive. */
void async_group(struct batch *v, const struct uop *u)
{
    struct async *a = v->worker->check->async;
    const uint32_t *left = u->detail == CPGROUP_WAIT ? reg_lanes(v, &v->regs[u->a]) : NULL;
    for (int w = 0; v->worker->counting && w < v->warps; w++)
        if (v->active[w])
            lead_group(v, u, w, left ? left[w * 32 + __builtin_ctz(v->active[w])] : 0);
    if (!a || v->worker->check_off) return;
    for (int w = 0; w < v->warps; w++)
        for (uint32_t m = v->active[w]; m; m &= m - 1) {
            int i = w * 32 + __builtin_ctz(m), thread = v->index * BATCH_LANES + i;
            if (u->detail == CPGROUP_ARRIVE) async_arrive(a, thread);
            if (u->detail == CPGROUP_COMMIT || u->detail == CPGROUP_WAIT_ALL)
                async_commit(a, thread);
            if (u->detail == CPGROUP_WAIT) async_wait(a, thread, left[i]);
            if (u->detail == CPGROUP_WAIT_ALL) async_wait(a, thread, 0);
        }
}

/* ---- barriers in shared memory (mbarrier) ---- */

enum {
    COUNT_BITS = 20,
    BYTES_SHIFT = 40,
    PHASE_SHIFT = 61,
    COUNT_MAX = (1 << COUNT_BITS) - 1,
    BYTES_MASK = (1 << (PHASE_SHIFT - BYTES_SHIFT)) - 1
};

static struct model_barrier apart(uint64_t word)
{
    uint32_t bytes = (uint32_t)(word >> BYTES_SHIFT) & BYTES_MASK;
    return (struct model_barrier){(uint32_t)word & COUNT_MAX,
        (uint32_t)(word >> COUNT_BITS) & COUNT_MAX,
        bytes > COUNT_MAX ? (int32_t)bytes - BYTES_MASK - 1 : (int32_t)bytes,
        (uint32_t)(word >> PHASE_SHIFT)};
}

static uint64_t together(const struct model_barrier *b)
{
    return (uint64_t)b->phase << PHASE_SHIFT |
           (uint64_t)((uint32_t)b->bytes & BYTES_MASK) << BYTES_SHIFT |
           (uint64_t)b->expected << COUNT_BITS | b->pending;
}

/* Begins the next phase if all threads and all bytes have arrived. */
static void advance(struct batch *v, uint64_t addr, struct model_barrier *b)
{
    if (model_barrier_end(b)) bulk_phase(cluster_owner(v->worker, &addr)->check, addr);
}

/* Add announced bytes (positive), or subtract bytes that have arrived (negative). */
static void count_bytes(
    struct batch *v, const struct uop *u, int i, struct model_barrier *b, int64_t bytes)
{
    int64_t sum = b->bytes + bytes;
    if (sum > COUNT_MAX || sum < -COUNT_MAX)
        sim_fault(v, u, i, FAULT(.kind = FOUND_BARRIER),
            sum > 0
                ? "makes a barrier wait for %lld bytes; it counts up to %d"
                : "brings a barrier %lld bytes that were not announced; it counts up to %d\1: does "
                  "more than one thread ask for the copy?\2",
            (long long)(sum > 0 ? sum : -sum), COUNT_MAX);
    b->bytes = (int32_t)sum;
}

/* Checks the mbarrier that a lane uses, and returns its host address. *addr is converted to an
 * address in shared memory. */
static unsigned char *barrier_at(struct batch *v, const struct uop *u, int i, uint64_t *addr)
{
    struct uop x = *u;
    struct span span = {NULL, 0, 0, NULL};
    int init = u->detail == MBARRIER_INIT;
    if (u->space == SPACE_GENERIC && access_space(addr) != SPACE_SHARED)
        sim_fault(
            v, u, i, FAULT(.kind = FOUND_BARRIER), "uses a barrier that is not in shared memory");
    *addr = (uint32_t)*addr;
    x.space = SPACE_SHARED;
    x.bytes = 8;
    x.vector = 1;
    unsigned char *at = access_place(v, &x, SPACE_SHARED, &span, *addr, i, 1);
    check_lane(v, &x, i, *addr, x.bytes, init, !init);
    return at;
}

/* Executes one lane's operation on an mbarrier. Returns its result: for an arrival the state
 * before, for a test or wait whether the phase is complete. */
static uint64_t operate(struct batch *v, const struct uop *u, int i, uint64_t addr,
    unsigned char *at, uint64_t value, uint32_t bytes)
{
    uint64_t word;
    memcpy(&word, at, 8);
    struct model_barrier b = apart(word);
    switch (u->detail) {
    case MBARRIER_INIT:
        if (!value || value > COUNT_MAX)
            sim_fault(v, u, i, FAULT(.kind = FOUND_BARRIER),
                "begins a barrier of %llu threads; 1 to %d can take part",
                (unsigned long long)value, COUNT_MAX);
        b = (struct model_barrier){.pending = (uint32_t)value, .expected = (uint32_t)value};
        uint64_t own = addr;
        struct check *owner = cluster_owner(v->worker, &own)->check;
        if (owner) async_begin(owner->async, u->step, v->index * BATCH_LANES + i, own);
        break;
    case MBARRIER_EXPECT: count_bytes(v, u, i, &b, (int64_t)value); break;
    case MBARRIER_ARRIVE:
    case MBARRIER_DROP:
        if (value > b.pending)
            sim_fault(v, u, i, FAULT(.kind = FOUND_BARRIER),
                "arrives at a barrier more often than it expects: %u arrivals are left", b.pending);
        count_bytes(v, u, i, &b, bytes);
        if (u->detail == MBARRIER_DROP) b.expected -= (uint32_t)value;
        b.pending -= (uint32_t)value;
        if (value) advance(v, addr, &b);
        break;
    case MBARRIER_WAIT: return b.phase != value >> PHASE_SHIFT;
    case MBARRIER_PARITY: return model_barrier_passes(&b, (unsigned)value & 1);
    default: b = apart(~(uint64_t)0); break;
    }
    uint64_t after = together(&b);
    memcpy(at, &after, 8);
    return word;
}

void async_complete(
    struct batch *v, const struct uop *u, int lane, uint64_t barrier, uint64_t bytes)
{
    const struct uop x = {.step = u->step, .space = SPACE_SHARED, .detail = MBARRIER_ARRIVE};
    unsigned char *at = barrier_at(v, &x, lane, &barrier);
    uint64_t word;
    memcpy(&word, at, 8);
    struct model_barrier b = apart(word);
    count_bytes(v, u, lane, &b, -(int64_t)bytes);
    advance(v, barrier, &b);
    v->worker->moved = 1;
    word = together(&b);
    memcpy(at, &word, 8);
}

int async_unannounced(const struct worker *w, uint64_t addr)
{
    uint64_t word;
    memcpy(&word, w->shared + addr, 8);
    int bytes = apart(word).bytes;
    return bytes < 0 ? -bytes : 0;
}

/* Writes to out what keeps the present phase of the mbarrier at addr from ending, such as "phase 2
 * of full[1], which has 1 of 2 arrivals (line 22: `barrier_init(&full[s], 2)`)". */
static void lacking(const struct worker *w, uint64_t addr, char *out, size_t size)
{
    const struct async *a = w->check->async;
    const struct begun *x = NULL;
    uint64_t word;
    char name[96], begins[128] = "", more[64] = "";
    memcpy(&word, w->shared + addr, 8);
    struct model_barrier b = apart(word);
    for (size_t i = 0; i < a->begun_count; i++)
        if (a->begun[i].addr == addr) x = &a->begun[i];
    async_name(w, addr, name, sizeof name);
    if (x && b.pending) {
        size_t length;
        const char *text = names_place(w->kernel->program, x->step, &length);
        snprintf(begins, sizeof begins, " (line %d%s%.*s%s)",
            w->kernel->program->steps[x->step].loc.line, length ? ": `" : "", (int)length, text,
            length ? "`" : "");
    }
    if (b.bytes < 0)
        snprintf(more, sizeof more, ": copies brought %d bytes more than were announced", -b.bytes);
    int at = snprintf(out, size, "phase %u of %s, ", x ? x->ended : b.phase, name);
    if (at < 0 || (size_t)at >= size) return;
    if (!b.pending && b.bytes > 0)
        snprintf(out + at, size - (size_t)at,
            "which still waits for %d bytes; announce as many bytes as its copies bring", b.bytes);
    else if (b.pending == b.expected && !*more)
        snprintf(out + at, size - (size_t)at,
            "at which no thread arrives: it has 0 of %u arrivals%s", b.expected, begins);
    else
        snprintf(out + at, size - (size_t)at, "which has %u of %u arrivals%s%s",
            b.expected - b.pending, b.expected, begins, more);
}

/* Returns how many threads wait at the same step for the same mbarrier as this warp; 0 if the warp
 * does not wait, or if one of the `count` warps from `first` on waits there as well (so that each
 * group of threads is reported once). */
static int waiting(const struct async *a, int first, int count, int warp)
{
    const struct waiter *x = &a->waits[warp];
    int warps = (a->threads + 31) / 32, threads = 0;
    for (int i = 0; i < warps; i++) {
        const struct waiter *y = &a->waits[(first + i) % warps];
        if (!x->lanes || y->addr != x->addr || y->step != x->step || !y->lanes) continue;
        if (i < count) return 0;
        threads += __builtin_popcount(y->lanes);
    }
    return threads;
}

int async_stuck(const struct batch *v, char *out, size_t size)
{
    const struct worker *w = v->worker;
    const struct async *a = w->check->async;
    int own = v->index * BATCH_WARPS + sim_first_lane(v->active) / 32;
    int warps = a ? (a->threads + 31) / 32 : 0, told = 0;
    *out = 0;
    for (int i = 0; i < warps && told < 3; i++) {
        const struct waiter *x = &a->waits[(own + i) % warps];
        int threads = waiting(a, own, i, (own + i) % warps);
        char lacks[320], text[400];
        size_t at = strlen(out);
        if (!threads) continue;
        if (i && a->waits[own].lanes && x->addr == a->waits[own].addr)
            snprintf(lacks, sizeof lacks, "it, too");
        else
            lacking(w, x->addr, lacks, sizeof lacks);
        if (!i)
            snprintf(text, sizeof text, "it waits for %s", lacks);
        else
            snprintf(text, sizeof text, "%s%d thread%s in line %d wait%s for %s", told ? "; " : "",
                threads, plural_s((unsigned)threads), w->kernel->program->steps[x->step].loc.line,
                threads == 1 ? "s" : "", lacks);
        if (at + strlen(text) < size) memcpy(out + at, text, strlen(text) + 1);
        told++;
    }
    return told > 0;
}

void async_mbarrier(struct batch *v, const struct uop *u)
{
    const uint64_t *base = reg_lanes(v, &v->regs[u->a]);
    struct reg *b = u->b >= 0 ? &v->regs[u->b] : NULL;
    int asks = u->detail == MBARRIER_WAIT || u->detail == MBARRIER_PARITY, passed = 0;
    struct reg *d = u->d >= 0 && !asks ? &v->regs[u->d] : NULL;
    const void *values = b ? reg_lanes(v, b) : NULL;
    const uint32_t *bytes = u->c >= 0 ? reg_lanes(v, &v->regs[u->c]) : NULL;
    struct sim_step_counts *n = &v->worker->steps[u->step];
    if (d) reg_blend(v, d);
    for (int w = 0; w < v->warps; w++) {
        uint32_t incomplete = 0;
        uint64_t last = 0;
        n->requests += v->active[w] != 0;
        for (uint32_t m = v->active[w]; m; m &= m - 1) {
            int l = __builtin_ctz(m), i = w * 32 + l;
            uint64_t value = b ? get_lane(b, values, i) : 0, addr = base[i] + (uint64_t)u->offset;
            unsigned char *at = barrier_at(v, u, i, &addr);
            if (u->detail != MBARRIER_INIT) async_used(v, u, i, addr);
            uint64_t result = operate(v, u, i, addr, at, value, bytes ? bytes[i] : 0);
            if (asks && !result) incomplete |= 1u << l, last = addr;
            if (asks && result) {
                int ahead = bulk_seen(v->worker->check, v->index * BATCH_WARPS + w, addr);
                n->waits += ahead > 0;
                n->ahead += (uint64_t)ahead;
                passed = 1;
            }
            if (asks && u->d >= 0)
                v->pred[u->d][w] = (v->pred[u->d][w] & ~(1u << l)) | (uint32_t)(result != 0) << l;
            if (d) put_lane(d, d->lanes, i, result);
        }
        if (asks && incomplete != v->active[w] && v->worker->counting) lead_passed(v, u, w);
        if (asks)
            async_asked(v->worker->check->async, v->index * BATCH_WARPS + w, u->step, last,
                v->active[w], incomplete);
    }
    v->asked = asks && !passed;
    v->worker->moved |= !v->asked;
    if (passed && !v->worker->check_off) check_mbarrier_passed(v->worker);
}
