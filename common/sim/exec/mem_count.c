/* mem_count.c - what one warp's access costs and how it is counted: transactions, wavefronts, bytes
 * moved. */
#include "sim/exec/mem.h"

/* ---- what an access costs ---- */

/* The number of different addresses of the lanes in mask. known: that number, or 0. Most often no
 * lane's address is below that of the lane before: then it is the number of changes. */
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

/* Ask the model for the cost of one warp's access of "bytes" a lane. Constant memory takes a pass
 * for each different address. */
struct cost mem_cost(struct batch *v, enum ptx_space space, const uint64_t addr[32], uint32_t mask,
    unsigned bytes, enum touch_kind kind)
{
    const struct model_profile *p = v->worker->launch->profile;
    if (space == SPACE_SHARED) {
        uint32_t offset[32];
        for (int l = 0; l < 32; l++) offset[l] = (uint32_t)addr[l];
        struct model_shared s =
            (kind == TOUCH_READ ? model_banks : model_banks_store)(p, offset, mask, bytes);
        return (struct cost){distinct(s.words, addr, mask), s.wavefronts, s.conflicts, 0, 0, 0};
    }
    unsigned words = space == SPACE_CONST || space == SPACE_LOCAL ? distinct(0, addr, mask) : 0;
    if (space == SPACE_CONST) return (struct cost){words, words, 0, 0, 0, 0};
    /* Local memory is interleaved: word k of lane l lies at 128 k + 4 l. So an access of 8 or 16
     * bytes a lane costs as much as 2 or 4 accesses of one word. Source: CUDA C++ Programming
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

/* Of each line that an atomic operation asks, the only word that its lanes name there, or
 * SEVERAL. */
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

/* What the lines of an atomic operation are asked for. It is known where the lanes lie to each
 * other, and in their lines, as they did before: *moved is how many bytes further on they lie
 * now. */
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

/* The same for an atomic operation on global memory, whose turns also count for the slices of the
 * L2. */
static struct cost atomic_cost(
    struct batch *v, const struct uop *u, const uint64_t addr[32], uint32_t mask)
{
    uint64_t moved;
    struct atomic_known *k = atomic_lines(v, addr, mask, u->bytes, &moved);
    const struct model_global *g = &k->cost;
    unsigned slices = model_slices(v->worker->launch->profile);
    int floats = u->type == PTX_F32 || u->type == PTX_F64;
    struct slice *of = v->worker->slices;
    if (floats && !k->worded) words_of_lines(k), k->worded = 1;
    for (unsigned i = 0; i < k->turns.count; i++) {
        uint64_t word = floats && k->word[i] != SEVERAL ? k->word[i] + moved : SEVERAL;
        slice_add(&of[model_slice(k->turns.line[i].addr + moved, slices)],
            &(struct slice){k->turns.line[i].turns, word});
    }
    return (struct cost){g->words, g->sectors, g->tags, g->wavefronts, g->bytes, g->turns};
}

/* Add a cost to the step's counters, by the meaning of count and extra in this space. */
void mem_charge(struct sim_step_counts *s, enum ptx_space space, uint64_t count, uint64_t extra,
    uint64_t passes, uint64_t moved)
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

/* Keep the addresses for sim_result. Generic accesses are kept as global ones. */
void mem_record(struct batch *v, const struct uop *u, enum ptx_space space, const uint64_t addr[32],
    uint32_t mask, unsigned bytes, int write)
{
    if (space != SPACE_GLOBAL && space != SPACE_SHARED && space != SPACE_GENERIC) return;
    struct sim_access *a = &v->worker->accesses[u->step];
    *a = (struct sim_access){
        v->worker->block, space == SPACE_SHARED ? space : SPACE_GLOBAL, write, bytes, mask, {0}};
    memcpy(a->addr, addr, sizeof a->addr);
}

/* A texture's elements: each request of the texture unit is an access of its own. */
static void count_texels(
    struct batch *v, const struct uop *u, const uint64_t addr[32], uint32_t mask, unsigned bytes)
{
    struct sim_step_counts *s = &v->worker->steps[u->step];
    for (uint32_t rest = mask, some; rest; rest &= ~some) {
        some = model_texel_lanes(rest, bytes);
        struct model_global g = model_texels(v->worker->launch->profile, addr, some, bytes);
        s->requests++;
        mem_charge(s, SPACE_GLOBAL, g.sectors, g.tags, g.wavefronts, g.bytes);
    }
    s->accesses += (uint64_t)__builtin_popcount(mask);
}

/* Count one warp's access to one space. space is never SPACE_GENERIC here. If the instruction is
 * generic, shared and local accesses are also counted apart, so that counters can tell them from
 * global ones. */
void mem_count_warp(struct batch *v, const struct uop *u, enum ptx_space space,
    const uint64_t addr[32], uint32_t mask, unsigned bytes, enum touch_kind kind)
{
    struct sim_step_counts *s = &v->worker->steps[u->step];
    if (u->texel) {
        count_texels(v, u, addr, mask, bytes);
        return;
    }
    struct cost c = kind == TOUCH_UPDATE && space == SPACE_GLOBAL
                        ? atomic_cost(v, u, addr, mask)
                        : mem_cost(v, space, addr, mask, bytes, kind);
    if (mem_to_record(v, u)) mem_record(v, u, space, addr, mask, bytes, kind != TOUCH_READ);
    struct sim_elsewhere *other = space == SPACE_SHARED ? &s->shared : &s->local;
    s->requests++;
    s->accesses += (uint64_t)__builtin_popcount(mask);
    s->words += c.words;
    s->turns += c.turns;
    if (u->space == SPACE_GENERIC && space != SPACE_GLOBAL) {
        other->requests++;
        other->accesses += (uint64_t)__builtin_popcount(mask);
        other->words += c.words;
        if (space == SPACE_LOCAL) /* its sectors must not count as global ones */
            c.count = c.moved = 0;
    }
    mem_charge(s, space, c.count, c.extra, c.passes, c.moved);
}
