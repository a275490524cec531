/* bulk.c - copies by the copy engine of compute capability 9.0 (TMA): one thread issues a copy, the
 * engine executes it, and the threads continue.
 *
 *      global --> shared    an mbarrier counts the bytes that have arrived (async.c)
 *      shared --> global    groups of copies, which the thread waits for
 *
 *      linear     contiguous bytes
 *      box        rows of a box of an array (model/tensor_map.c)
 *      cast       linear or box, to the same place in several blocks of a cluster; each has an
 *                 mbarrier
 *      peer       linear, from shared memory to that of another block of the cluster
 *
 * The bytes move at once; check/bulk.c knows when they may be read, and when their source may be
 * overwritten. They pass neither through registers nor through the L1, so no request of a warp is
 * counted, only sectors of the L2, and bytes.
 *
 * Source: PTX ISA, cp.async.bulk, cp.async.bulk.tensor, asynchronous operations. */
#include "sim/check/async.h"
#include "sim/check/names.h"
#include "sim/check/shadow.h"
#include "sim/cluster.h"
#include "sim/exec/access.h"

#include <string.h>

enum { CHUNK = 16, BOX_ALIGN = 128 };

/* One thread's copy. rank: number of dimensions of the box, 0: the copy is linear. at: index of the
 * box's first element in each dimension. owner: the block whose shared memory is read or
 * written. */
struct bulk {
    struct batch *v;
    struct worker *owner;
    const struct uop *u;
    int lane, store, rank;
    /* 1: a multicast whose bytes were already counted for another block, since the L2 sends them
     * once */
    int again;
    /* shared, barrier: offsets from the start of shared memory; global: address in global memory */
    uint64_t shared, global, barrier;
    /* bytes: number of bytes copied; room: number of bytes occupied in shared memory */
    uint64_t bytes, room;
    struct model_tensor_map map;
    int64_t at[MODEL_TENSOR_RANK];
    unsigned char *host; /* host address of the shared memory of the block `owner` */
    struct span span;    /* the region of global memory that the copy accesses */
};

/* ---- checks of a copy's arguments ---- */

static uint64_t shared_address(struct bulk *b, uint64_t addr, const char *what)
{
    if (addr >> 40 && access_space(&addr) != SPACE_SHARED)
        sim_fault(b->v, b->u, b->lane, FAULT(.kind = FOUND_COPY),
            "copies %s an address that is not in shared memory", what);
    return (uint32_t)addr;
}

/* A fault unless the copy's bytes in shared memory are aligned and in bounds. */
static void check_shared(struct bulk *b)
{
    unsigned unit = b->rank ? BOX_ALIGN : CHUNK;
    struct worker *w = b->owner;
    const char *verb = b->store ? "from" : "to";
    char word[96];
    names_shared(w, b->u->step, b->shared, word, sizeof word);
    if (b->shared % unit)
        sim_fault(b->v, b->u, b->lane, FAULT(.kind = FOUND_COPY),
            "copies %s %s, byte %llu of shared memory; a bulk copy%s needs a multiple of %u there: declare "
            "the array __align__(%u)",
            verb, word, (unsigned long long)b->shared, b->rank ? " of a box" : "", unit, unit);
    if (b->shared > w->shared_bytes || b->room > w->shared_bytes - b->shared)
        sim_fault(b->v, b->u, b->lane, FAULT(.kind = FOUND_COPY),
            "copies %llu bytes %s byte %llu of shared memory; the block has %zu",
            (unsigned long long)b->room, verb, (unsigned long long)b->shared, w->shared_bytes);
}

/* A fault unless the bytes of a linear copy in global memory are aligned and in bounds. */
static void check_linear(struct bulk *b)
{
    struct uop x = *b->u;
    x.bytes = 4;
    x.vector = 1;
    if (b->bytes % CHUNK)
        sim_fault(b->v, b->u, b->lane, FAULT(.kind = FOUND_COPY),
            "copies %llu bytes; a bulk copy has a multiple of 16: copy the rest with ordinary loads and "
            "stores",
            (unsigned long long)b->bytes);
    b->span = access_span(b->v, SPACE_GLOBAL, b->global);
    if (!b->span.region || !access_inside(&b->span, b->global, 4))
        sim_fault_access(b->v, &x, b->lane, b->global, SPACE_GLOBAL, b->store);
    if (b->global % CHUNK)
        sim_fault(b->v, b->u, b->lane, FAULT(.kind = FOUND_COPY),
            "copies %s %s[%llu], byte %llu; a bulk copy needs a multiple of 16 there",
            b->store ? "to" : "from", b->span.region->name,
            (unsigned long long)((b->global - b->span.lo) / b->span.region->element),
            (unsigned long long)(b->global - b->span.lo));
    /* the message names the first element past the end */
    if (b->bytes && !access_inside(&b->span, b->global, b->bytes))
        sim_fault_access(b->v, &x, b->lane, b->span.lo + b->span.bytes, SPACE_GLOBAL, b->store);
}

/* The host address of a tensor map: in constant or global memory or, if the compiler copied a
 * kernel parameter there, in the thread's local memory. NULL: in none of them. */
static const unsigned char *map_at(const struct bulk *b)
{
    struct worker *w = b->v->worker;
    uint64_t addr = b->global;
    if (access_space(&addr) == SPACE_LOCAL)
        return addr + MODEL_TENSOR_MAP_BYTES <= w->local_bytes
                   ? w->local + (size_t)(b->v->index * BATCH_LANES + b->lane) * w->local_bytes +
                         addr
                   : NULL;
    struct span at = access_span(b->v, SPACE_GLOBAL, addr);
    return addr % 64 || !access_inside(&at, addr, MODEL_TENSOR_MAP_BYTES)
               ? NULL
               : at.host + (addr - at.lo);
}

/* row_of: bytes of a row of the box. pitch_of: bytes from row to row in shared memory (with a
 * swizzle, the width of the swizzle). */
static uint64_t row_of(const struct bulk *b)
{
    return (uint64_t)b->map.box[0] * (unsigned)b->map.element;
}
static uint64_t pitch_of(const struct bulk *b)
{
    return b->map.swizzle ? (unsigned)b->map.swizzle : row_of(b);
}

/* Read the tensor map and find the array in global memory that it describes. */
static void read_map(struct bulk *b)
{
    const unsigned char *at = map_at(b);
    if (!at || model_tensor_map_read(at, &b->map))
        sim_fault(b->v, b->u, b->lane, FAULT(.kind = FOUND_COPY),
            "copies by a tensor map that there is not; an array whose rows are no multiple of 16 bytes has "
            "none: take the plain way for such a shape");
    if (b->map.rank != b->rank)
        sim_fault(b->v, b->u, b->lane, FAULT(.kind = FOUND_COPY),
            "gives %d coordinate%s; the tensor map has %d dimension%s", b->rank, plural_s(b->rank),
            b->map.rank, plural_s(b->map.rank));
    b->span = access_span(b->v, SPACE_GLOBAL, b->map.data);
    if (!b->span.region)
        sim_fault(b->v, b->u, b->lane, FAULT(.kind = FOUND_COPY),
            "copies by the tensor map of an array that is no longer there");
    b->bytes = (uint64_t)b->map.element;
    for (int i = 0; i < b->rank; i++) b->bytes *= b->map.box[i];
    b->room = b->bytes / row_of(b) * pitch_of(b);
}

/* Check the index at which a box begins. */
static void check_corner(struct bulk *b)
{
    if (b->at[0] * b->map.element % CHUNK)
        sim_fault(b->v, b->u, b->lane, FAULT(.kind = FOUND_COPY),
            "copies a box from column %lld on; the engine needs a multiple of %d, which is 16 bytes",
            (long long)b->at[0], CHUNK / b->map.element);
    for (int i = 0; i < b->rank && b->store; i++)
        if (b->at[i] < 0)
            sim_fault(b->v, b->u, b->lane, FAULT(.kind = FOUND_COPY),
                "stores a box that begins at %lld, before the array; only a load may begin there",
                (long long)b->at[i]);
}

/* ---- moving the bytes ---- */

/* Check bytes of global memory for errors, in pieces of the size that a lane could access. */
static void check_global(struct bulk *b, uint64_t addr, uint64_t bytes)
{
    struct uop x = *b->u;
    enum touch_kind kind = b->store ? TOUCH_WRITE : TOUCH_READ;
    const struct region *r = b->span.region;
    if (b->store && r->readonly) sim_fault_readonly(b->v, b->u, b->lane, r, addr);
    if (!shadow_watches(b->v->worker, r, b->store)) return;
    for (int i = 0; i < 4; i++) x.r[i] = 0;
    for (uint64_t at = addr, n; at < addr + bytes; at += n) {
        int wide = at % CHUNK == 0 && addr + bytes - at >= CHUNK;
        n = wide ? CHUNK : at % 4 == 0 && addr + bytes - at >= 4 ? 4 : 1;
        x.bytes = n == 1 ? 1 : 4;
        x.vector = wide ? 4 : 1;
        shadow_lane(b->v, &x, b->lane, r, at, kind);
    }
}

/* Load n bytes of a chunk into shared memory; floats are rounded to TF32 if the tensor map says
 * so. */
static void load_chunk(
    const struct bulk *b, unsigned char *to, const unsigned char *from, uint64_t n)
{
    memcpy(to, from, n);
    for (uint64_t i = 0; b->map.tf32 && i + 4 <= n; i += 4) {
        uint32_t bits;
        memcpy(&bits, to + i, sizeof bits);
        bits = model_tf32(bits);
        memcpy(to + i, &bits, sizeof bits);
    }
}

/* Move bytes between global memory and a row of a box in shared memory. to: the offset of the row's
 * first byte before swizzling. */
static void move_row(struct bulk *b, uint64_t global, uint64_t bytes, uint64_t to)
{
    unsigned char *g = b->span.host + (global - b->span.lo);
    for (uint64_t i = 0, n; i < bytes; i += n) {
        uint64_t at = to + i;
        n = CHUNK - at % CHUNK < bytes - i ? CHUNK - at % CHUNK : bytes - i;
        unsigned char *s = b->host + model_swizzle(b->map.swizzle, (uint32_t)at);
        if (b->store)
            memcpy(g + i, s, n);
        else
            load_chunk(b, s, g + i, n);
    }
    check_global(b, global, bytes);
    if (b->again) return;
    trace_bulk(b->v->worker->trace, global, global + bytes, b->store);
    b->v->worker->steps[b->u->step].sectors += (global + bytes - 1) / 32 - global / 32 + 1;
    b->v->worker->steps[b->u->step].moved += bytes;
}

static void clear_rows(struct bulk *b, uint64_t rows)
{
    for (uint64_t row = 0; row < rows; row++)
        for (uint64_t i = 0; i < row_of(b); i += CHUNK) {
            uint64_t at = b->shared + row * pitch_of(b) + i;
            memset(b->host + model_swizzle(b->map.swizzle, (uint32_t)at), 0, CHUNK);
        }
}

/* Move the rows of a box. Elements outside of the array are loaded as zeros, and not stored. */
static void move_box(struct bulk *b)
{
    const struct model_tensor_map *m = &b->map;
    uint64_t rows = 1, element = (unsigned)m->element;
    int64_t first = b->at[0] < 0 ? -b->at[0] : 0, last = (int64_t)m->size[0] - b->at[0];
    if (last > m->box[0]) last = m->box[0];
    for (int i = 1; i < m->rank; i++) rows *= m->box[i];
    if (!b->store) clear_rows(b, rows);
    for (uint64_t row = 0; row < rows && first < last; row++) {
        uint64_t rest = row, global = m->data + (uint64_t)(b->at[0] + first) * element;
        int in = 1;
        for (int i = 1; i < m->rank; i++, rest /= m->box[i - 1]) {
            int64_t x = b->at[i] + (int64_t)(rest % m->box[i]);
            in &= x >= 0 && x < (int64_t)m->size[i];
            global += (uint64_t)x * m->stride[i];
        }
        if (!in) continue;
        if (!access_inside(&b->span, global, (uint64_t)(last - first) * element))
            sim_fault(b->v, b->u, b->lane, FAULT(.kind = FOUND_COPY),
                "copies by a tensor map that reaches beyond %s", b->span.region->name);
        move_row(b, global, (uint64_t)(last - first) * element,
            b->shared + row * pitch_of(b) + (uint64_t)first * element);
    }
}

/* ---- one copy ---- */

/* Records that the copy's bytes are in flight, and lets their mbarrier count them. */
static void issue(struct bulk *b)
{
    uint64_t barrier = b->barrier;
    struct worker *counts = cluster_owner(b->v->worker, &barrier);
    if (counts == b->owner) bulk_issue(b->owner->check, b->u->step, b->shared, b->room, barrier);
    async_complete(b->v, b->u, b->lane, b->barrier, b->bytes);
}

static void copy(struct bulk *b)
{
    struct sim_step_counts *n = &b->v->worker->steps[b->u->step];
    b->shared = shared_address(b, b->shared, b->store ? "from" : "to");
    if (!b->store) b->barrier = shared_address(b, b->barrier, "with a barrier at");
    b->owner = b->v->worker;
    if (b->shared >> PEER_SHIFT) b->owner = cluster_reach(b->v, b->u, &b->shared, b->lane, 0);
    b->host = b->owner->shared;
    b->room = b->bytes;
    if (b->rank) {
        read_map(b);
        check_corner(b);
    }
    check_shared(b);
    if (!b->rank) check_linear(b);
    bulk_check(b->v, b->u, b->lane, b->shared, b->room, b->store);
    n->requests += !b->again;
    if (b->rank)
        move_box(b);
    else if (b->bytes)
        move_row(b, b->global, b->bytes, b->shared);
    if (b->store)
        bulk_hold(b->v, b->u, b->lane, b->shared, b->room);
    else {
        issue(b);
    }
}

/* Execute a multicast: copy to the same offset of shared memory in each block of the cluster whose
 * rank is set in ranks. */
static void cast(struct bulk *b, uint32_t ranks)
{
    struct bulk first = *b;
    for (; ranks; ranks &= ranks - 1) {
        uint64_t peer = (uint64_t)(__builtin_ctz(ranks) + 1) << PEER_SHIFT;
        struct bulk one = first;
        one.shared |= peer;
        one.barrier |= peer;
        copy(&one);
        first.again = 1;
    }
}

/* Copy from the block's shared memory to that of another block of the cluster. */
static void to_peer(struct bulk *b)
{
    uint64_t from = shared_address(b, b->global, "from");
    struct worker *w = b->v->worker;
    b->shared = shared_address(b, b->shared, "to");
    b->barrier = shared_address(b, b->barrier, "with a barrier at");
    b->owner = b->shared >> PEER_SHIFT ? cluster_reach(b->v, b->u, &b->shared, b->lane, 0) : w;
    b->room = b->bytes;
    check_shared(b);
    if (from % CHUNK || b->bytes % CHUNK || from > w->shared_bytes ||
        b->bytes > w->shared_bytes - from)
        sim_fault(b->v, b->u, b->lane, FAULT(.kind = FOUND_COPY),
            "copies %llu bytes from byte %llu of shared memory; both need to be multiples of 16, and the "
            "block has %zu bytes",
            (unsigned long long)b->bytes, (unsigned long long)from, w->shared_bytes);
    memmove(b->owner->shared + b->shared, w->shared + from, b->bytes);
    w->steps[b->u->step].requests++;
    issue(b);
}

/* Handler of bulk copies. Operands: a address in shared memory; b address in global memory, or of a
 * tensor map; c number of bytes; e mbarrier; more: coordinates. */
void bulk_copy(struct batch *v, const struct uop *u)
{
    const struct ptx_step *s = &v->worker->kernel->program->steps[u->step];
    const int32_t *more = v->worker->kernel->more + u->more;
    const uint64_t *shared = reg_lanes(v, &v->regs[u->a]), *global = reg_lanes(v, &v->regs[u->b]);
    const uint32_t *bytes = reg_lanes(v, &v->regs[u->c]);
    const uint64_t *barrier = u->e >= 0 ? reg_lanes(v, &v->regs[u->e]) : NULL;
    for (int i = 0; i < s->more_count; i++) reg_lanes(v, &v->regs[more[i]]);
    trace_instant(v->worker->trace, v, u->step);
    for (int w = 0; w < v->warps; w++)
        for (uint32_t m = v->active[w]; m; m &= m - 1) {
            int i = w * 32 + __builtin_ctz(m);
            struct bulk b = {.v = v,
                .u = u,
                .lane = i,
                .store = s->detail2 == BULK_STORE,
                .rank = s->detail,
                .shared = shared[i],
                .global = global[i],
                .bytes = bytes[i],
                .barrier = barrier ? barrier[i] : 0};
            for (int k = 0; k < s->detail; k++)
                b.at[k] = (int32_t)((const uint32_t *)v->regs[more[k]].lanes)[i];
            if (s->detail2 == BULK_PEER)
                to_peer(&b);
            else if (s->detail2 == BULK_CAST)
                cast(&b, ((const uint32_t *)v->regs[more[s->detail]].lanes)[i] & 0xffff);
            else
                copy(&b);
        }
}

/* Handler of cp.async.bulk.commit_group and wait_group. */
void bulk_group(struct batch *v, const struct uop *u)
{
    const uint32_t *left = u->a >= 0 ? reg_lanes(v, &v->regs[u->a]) : NULL;
    for (int w = 0; w < v->warps; w++)
        for (uint32_t m = v->active[w]; m; m &= m - 1) {
            int i = w * 32 + __builtin_ctz(m);
            if (u->detail == BULKGROUP_COMMIT)
                bulk_commit(v, i);
            else
                bulk_wait(v, i, left[i]);
        }
}
