/* without.c - run a kernel without the effect of some of its instructions. If its outputs stay the
 * same, they do not depend on what was left out.
 *
 *     sim_kernel              a copy for one launch
 *     uops:  ld.shared  ──>   without: run the instruction, then hide what it loaded
 *            add.f32    ──>   without: the larger operand
 *            others     ──>   the same
 *
 * Hidden values are NaN as floats and doubles, and as pairs of halves. As an index or an address
 * they lead out of every buffer: the launch then fails, so its outputs do depend on them. With a
 * struct exchange, they are what an earlier launch loaded. */
#include "sim/check/check.h"
#include "sim/exec/access.h"
#include "sim/exec/mem.h"

#include <math.h>
#include <stdlib.h>

static const uint64_t HIDDEN = 0x7fff7fff7fff7fff;
/* Entries of worker.first_from: thread numbers from 1 on, then warps. */
enum { FIRST_WARP = 1025, FIRST_FROM = FIRST_WARP + 1024 / 32 };

void without_start_block(struct worker *w)
{
    if (!w->stored_by) return;
    memset(w->stored_by, 0, (w->shared_bytes / 4 + 1) * sizeof *w->stored_by);
    memset(w->first_from, 0, FIRST_FROM * sizeof *w->first_from);
}

/* Run the instruction with its effect, by the handler of the original kernel. */
static void whole(struct batch *v, const struct uop *u)
{
    v->worker->launch->whole->uops[u->step].masked(v, u);
}

static handler copy_own, store_matrices;

/* The address that a lane accesses, and its space. Copies and matrices have addresses of shared
 * memory only. */
static enum ptx_space place(const struct uop *u, uint64_t base, uint64_t *addr)
{
    int shared = u->space == SPACE_SHARED || u->masked == copy_own || u->masked == store_matrices;
    *addr = base + (uint64_t)u->offset;
    if (shared) *addr = (uint32_t)*addr;
    return shared                      ? SPACE_SHARED
           : u->space == SPACE_GENERIC ? access_space(addr)
                                       : (enum ptx_space)u->space;
}

/* The entries of w->stored_by for the words of the block's shared memory from addr on; *count:
 * number of words that the bytes reach, 0 for memory of another block. */
static uint32_t *stored_by(struct worker *w, uint64_t addr, unsigned bytes, unsigned *count)
{
    if (!w->stored_by) {
        w->stored_by = xcalloc(w->shared_bytes / 4 + 1, sizeof *w->stored_by);
        w->first_from = xcalloc(FIRST_FROM, sizeof *w->first_from);
    }
    *count = addr < w->shared_bytes ? (unsigned)((addr % 4 + bytes + 3) / 4) : 0;
    return &w->stored_by[*count ? addr / 4 : 0];
}

/* Must the value that the thread loads from addr be hidden? With WITHOUT_SHARED: yes, unless the
 * thread itself has stored all of its words last. */
static int is_hidden(
    struct worker *w, enum ptx_space space, uint64_t addr, unsigned bytes, uint32_t thread)
{
    unsigned words;
    int others = 0;
    if (w->launch->without == WITHOUT_CONSTANTS) {
        const struct region *r = space == SPACE_CONST ? sim_region(w->launch->memory, addr) : NULL;
        return r && r->readonly == SIM_READONLY;
    }
    if (w->launch->without == WITHOUT_STORES) {
        const struct region *r = space == SPACE_GLOBAL ? sim_region(w->launch->memory, addr) : NULL;
        return r && r->target;
    }
    if (space != SPACE_SHARED) return 0;
    const uint32_t *by = stored_by(w, addr, bytes, &words);
    for (unsigned i = 0; i < words; i++) others |= by[i] != thread;
    return others || !words;
}

/* Count the words that a thread loads from others in struct exchange. Words that no single thread
 * has stored, such as those of the copy engine, count as from others. */
static void count_sources(
    struct worker *w, struct exchange *x, uint64_t addr, unsigned bytes, uint32_t thread)
{
    unsigned words;
    const uint32_t *by = stored_by(w, addr, bytes, &words);
    for (unsigned i = 0; i < words; i++) {
        if (by[i] == thread) continue;
        uint32_t *lane = &w->first_from[thread],
                 *warp = &w->first_from[FIRST_WARP + (thread - 1) / 32];
        uint32_t from_warp = 1 + (by[i] - 1) / 32;
        if (!by[i]) {
            x->from_others++;
            continue;
        }
        if (!*lane) *lane = by[i];
        if (!*warp) *warp = from_warp;
        *(*lane == by[i] && *warp == from_warp ? &x->from_first : &x->from_others) += 1;
    }
}

static uint32_t thread_number(const struct batch *v, int lane)
{
    return 1 + (uint32_t)(v->index * BATCH_LANES + lane);
}

/* The value that a lane gets in place of the one that it loaded: HIDDEN or, with an exchange, a
 * value that was loaded in this or an earlier launch. */
static uint64_t in_place_of(uint64_t loaded, struct exchange *x)
{
    if (!x || x->at == (x->again ? x->count : EXCHANGE_MOST)) return HIDDEN;
    if (x->again) return x->value[x->at++];
    if (!x->value) x->value = xcalloc(EXCHANGE_MOST, sizeof *x->value);
    x->count = x->at + 1;
    return x->value[x->at++] = loaded;
}

/* Replace the values of these lanes in the registers that u writes (in_place_of). */
static void hide(struct batch *v, const struct uop *u, const uint32_t lanes[BATCH_WARPS])
{
    const struct launch *l = v->worker->launch;
    struct exchange *x = l->without == WITHOUT_SHARED ? l->exchange : NULL;
    for (int e = 0; e < 4; e++) {
        if (u->r[e] < 0) continue;
        struct reg *d = &v->regs[u->r[e]];
        void *values = reg_blend(v, d);
        for (int w = 0; w < v->warps; w++)
            for (uint32_t m = lanes[w]; m; m &= m - 1) {
                int i = w * 32 + __builtin_ctz(m);
                put_lane(d, values, i, in_place_of(get_lane(d, values, i), x));
            }
    }
}

/* Has the warp multiplied so often that nothing more is left out? */
static int is_late(const struct batch *v, const struct uop *u, int w)
{
    const struct launch *l = v->worker->launch;
    int ends = l->exchange && (l->without == WITHOUT_EARLY || l->without == WITHOUT_SUMS);
    return ends && lead_moment(v, u, w).multiplied >= l->exchange->until;
}

static void load(struct batch *v, const struct uop *u)
{
    const uint64_t *base = reg_lanes(v, &v->regs[u->a]);
    uint32_t lanes[BATCH_WARPS] = {0};
    unsigned bytes = (unsigned)u->bytes * u->vector;
    struct exchange *x = v->worker->launch->exchange;
    for (int w = 0; w < v->warps; w++) {
        if (is_late(v, u, w)) continue;
        for (uint32_t m = v->active[w]; m; m &= m - 1) {
            int i = w * 32 + __builtin_ctz(m);
            uint64_t addr;
            enum ptx_space space = place(u, base[i], &addr);
            if (!is_hidden(v->worker, space, addr, bytes, thread_number(v, i))) continue;
            lanes[w] |= m & -m;
            if (x && !x->again && space == SPACE_SHARED)
                count_sources(v->worker, x, addr, bytes, thread_number(v, i));
        }
    }
    whole(v, u);
    hide(v, u, lanes);
}

static void load_matrices(struct batch *v, const struct uop *u)
{
    uint32_t lanes[BATCH_WARPS] = {0};
    struct exchange *x = v->worker->launch->exchange;
    for (int w = 0; w < v->warps; w++) {
        if (!is_late(v, u, w)) lanes[w] = v->active[w];
        if (x && !x->again) x->from_others += (uint64_t)__builtin_popcount(lanes[w]);
    }
    whole(v, u);
    hide(v, u, lanes);
}

/* Run an instruction that writes `bytes` at each lane's address. The words that it writes in shared
 * memory then count as stored by the lane's thread or, if `own` is 0, by no thread. */
static void write_words(struct batch *v, const struct uop *u, unsigned bytes, int own)
{
    const uint64_t *base = reg_lanes(v, &v->regs[u->a]);
    for (int w = 0; w < v->warps; w++)
        for (uint32_t m = v->active[w]; m; m &= m - 1) {
            int i = w * 32 + __builtin_ctz(m);
            uint64_t addr;
            unsigned words;
            if (place(u, base[i], &addr) != SPACE_SHARED) continue;
            uint32_t *by = stored_by(v->worker, addr, bytes, &words);
            if (addr + bytes > v->worker->shared_bytes) continue;
            for (unsigned k = 0; k < words; k++) by[k] = own ? thread_number(v, i) : 0;
        }
    whole(v, u);
}

static void store(struct batch *v, const struct uop *u)
{
    write_words(v, u, (unsigned)u->bytes * u->vector, 1);
}

static void copy_own(struct batch *v, const struct uop *u) { store(v, u); }

static void store_matrices(struct batch *v, const struct uop *u) { write_words(v, u, 16, 0); }

static void update(struct batch *v, const struct uop *u) { write_words(v, u, u->bytes, 0); }

/* The copy engine may write any word, so afterwards no word counts as stored by a thread. */
static void copy_bulk(struct batch *v, const struct uop *u)
{
    struct worker *w = v->worker;
    whole(v, u);
    if (w->stored_by) memset(w->stored_by, 0, (w->shared_bytes / 4 + 1) * sizeof *w->stored_by);
}

static void copy_nothing(struct batch *v, const struct uop *u)
{
    const uint64_t *to = reg_lanes(v, &v->regs[u->a]);
    whole(v, u);
    for (int w = 0; w < v->warps; w++)
        for (uint32_t m = v->active[w]; m; m &= m - 1) {
            uint64_t addr = (uint32_t)(to[w * 32 + __builtin_ctz(m)] + (uint64_t)u->offset);
            memset(v->worker->shared + addr, (int)(HIDDEN >> 56), (size_t)u->bytes * u->vector);
        }
}

static void update_nothing(struct batch *v, const struct uop *u)
{
    const uint64_t *base = reg_lanes(v, &v->regs[u->a]);
    int shared = 0;
    for (int w = 0; w < v->warps; w++)
        for (uint32_t m = v->active[w]; m; m &= m - 1) {
            uint64_t addr;
            shared |= place(u, base[w * 32 + __builtin_ctz(m)], &addr) == SPACE_SHARED;
        }
    if (!shared) whole(v, u);
}

static void larger(struct batch *v, const struct uop *u)
{
    const float *a = reg_lanes(v, &v->regs[u->a]), *b = reg_lanes(v, &v->regs[u->b]);
    float *d = reg_blend(v, &v->regs[u->d]);
    for (int w = 0; w < v->warps; w++) {
        int late = is_late(v, u, w);
        for (uint32_t m = v->active[w]; m; m &= m - 1) {
            int i = w * 32 + __builtin_ctz(m);
            d[i] = late ? a[i] + b[i] : fabsf(a[i]) < fabsf(b[i]) ? b[i] : a[i];
        }
    }
}

/* A number that looks random and depends on nothing but its argument. */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15;
    return x ^ x >> 29;
}

/* Which products are left out by this instruction, as a number to draw from. */
static uint64_t draw_of(const struct batch *v, const struct uop *u)
{
    return mixed(v->worker->block) + v->executed * 0x10001 + (uint64_t)u->step;
}

/* Is the thread one of the eighth that are drawn? */
static int is_drawn(uint64_t draw, uint32_t thread)
{
    return mixed(draw * BATCH_LANES * 32 + thread) >> 61 == 0;
}

/* fma without the product in an eighth of the threads, others each time: D = C. */
static void multiply_less(struct batch *v, const struct uop *u)
{
    const float *c = reg_lanes(v, &v->regs[u->c]);
    float kept[BATCH_LANES];
    memcpy(kept, c, (size_t)v->warps * 32 * sizeof *kept);
    whole(v, u);
    float *d = reg_blend(v, &v->regs[u->d]);
    uint64_t draw = draw_of(v, u);
    for (int w = 0; w < v->warps; w++)
        for (uint32_t m = v->active[w]; m; m &= m - 1) {
            int i = w * 32 + __builtin_ctz(m);
            if (is_drawn(draw, thread_number(v, i))) d[i] = kept[i];
        }
}

/* The same for a product that is a part of a multiply-add (FLAG_CONTRACTED): D = 0. */
static void multiply_less_apart(struct batch *v, const struct uop *u)
{
    whole(v, u);
    float *d = reg_blend(v, &v->regs[u->d]);
    uint64_t draw = draw_of(v, u);
    for (int w = 0; w < v->warps; w++)
        for (uint32_t m = v->active[w]; m; m &= m - 1) {
            int i = w * 32 + __builtin_ctz(m);
            if (is_drawn(draw, thread_number(v, i))) d[i] = 0;
        }
}

/* mma without the product: D = C. */
static void multiply_nothing(struct batch *v, const struct uop *u)
{
    const struct ptx_step *s = &v->worker->kernel->program->steps[u->step];
    const struct ptx_mma *m = &ptx_mma[s->detail];
    const int32_t *sums = v->worker->kernel->more + u->more + m->a + m->b;
    for (int r = 0; r < m->c; r++) {
        if (u->r[r] < 0) continue;
        const struct reg *from = &v->regs[sums[r]];
        const void *values = reg_lanes(v, &v->regs[sums[r]]);
        void *d = reg_blend(v, &v->regs[u->r[r]]);
        for (int w = 0; w < v->warps; w++)
            for (uint32_t k = v->active[w]; k; k &= k - 1) {
                int i = w * 32 + __builtin_ctz(k);
                put_lane(&v->regs[u->r[r]], d, i, get_lane(from, values, i));
            }
    }
}

/* wgmma without the product: D stays as it is, or becomes 0 if the product is not added to it. */
static void wgmma_nothing(struct batch *v, const struct uop *u)
{
    const struct ptx_step *s = &v->worker->kernel->program->steps[u->step];
    const int32_t *sums = v->worker->kernel->more + u->more;
    int per = ptx_wgmma[s->detail].cd == NUMBER_F16 ? 4 : 2;
    for (int r = 0; r < (s->detail2 & WGMMA_N) / per; r++) {
        uint32_t *d = reg_blend(v, &v->regs[sums[r]]);
        for (int w = 0; w < v->warps; w++)
            if (v->active[w] && !(v->pred[u->c][w] & 1)) memset(d + w * 32, 0, 32 * sizeof *d);
    }
}

/* The handler that runs an operation without the effect; NULL: the operation keeps its own
 * handler. */
static handler *of(enum without what, const struct ptx_step *s)
{
    enum ptx_op op = s->op;
    int contracted = op == OP_mul_f32 && s->flags & FLAG_CONTRACTED;
    switch (what) {
    case WITHOUT_SHARED:
    case WITHOUT_EARLY:
        return op == OP_LD         ? load
               : op == OP_LDMATRIX ? load_matrices
               : op == OP_ST       ? store
               : op == OP_CPASYNC  ? copy_own
               : op == OP_STMATRIX ? store_matrices
               : op == OP_ATOM     ? update
               : op == OP_BULK     ? copy_bulk
               : op == OP_WGMMA    ? sim_nothing
                                   : NULL;
    case WITHOUT_CONSTANTS:
    case WITHOUT_STORES: return op == OP_LD ? load : NULL;
    case WITHOUT_COPIES: return op == OP_CPASYNC ? copy_nothing : NULL;
    case WITHOUT_ATOMICS: return op == OP_ATOM ? update_nothing : NULL;
    case WITHOUT_MULTIPLY_ADDS:
        return op == OP_fma_f32 ? multiply_less : contracted ? multiply_less_apart : NULL;
    case WITHOUT_SUMS: return op == OP_add_f32 ? larger : NULL;
    case WITHOUT_PRODUCTS:
        return op == OP_MMA ? multiply_nothing : op == OP_WGMMA ? wgmma_nothing : NULL;
    default: return NULL;
    }
}

struct sim_kernel *without_new(const struct sim_kernel *k, enum without what)
{
    struct sim_kernel *copy = xcalloc(1, sizeof *copy);
    size_t steps = k->program->step_count;
    *copy = *k;
    copy->uops = xcalloc(steps, sizeof *copy->uops);
    memcpy(copy->uops, k->uops, steps * sizeof *copy->uops);
    for (size_t i = 0; i < steps; i++) {
        handler *h = of(what, &k->program->steps[i]);
        if (h && copy->uops[i].masked != sim_nothing) copy->uops[i].run = copy->uops[i].masked = h;
    }
    return copy;
}

void without_free(struct sim_kernel *copy)
{
    if (!copy) return;
    free(copy->uops);
    free(copy);
}
