/* registers.c - an estimate of the registers that a thread takes, for occupancy.
 *
 *     least      registers live at once in the order of the PTX; sums with a constant are computed
 *                where they are used
 *     ahead      registers live at once if loads move ahead of steps that wait for them, also
 *                across short blocks that ptxas guards (schedule.c)
 *     estimate   ahead, but not above full (what a thread can have with all warps resident) and not
 *                below least; if least is above full, it is rounded up to the unit of allocation;
 *                never above what __launch_bounds__ leaves, nor above what the
 *                GPU and .maxnreg allow
 *
 * Values that take no register, or fewer:
 *
 * - predicates,
 * - parameters and constants, which are operands from the constant bank,
 * - values that are the same in all lanes of a warp, from 7.5 on, if they stay in a basic block and
 *   one step writes them; if registers are scarce, all such values (uniform.c),
 * - the upper half of a 64-bit value if nothing needs it, as in an address of shared or local
 *   memory.
 *
 * Some instructions take registers of their own while they run (own_registers).
 *
 * Source: ptxas 13.0's register counts for sm_90; the error on other kernels is in README.md. 2.x
 * to 7.0 use the same rule without uniform registers. */

#include "ptxas/passes.h"

#include <stdlib.h>
#include <string.h>

enum {
    /* RESERVED: the stack's address, two registers that no instruction uses, one idle register */
    RESERVED = 4,
    /* PAIRS: 64-bit values start at even registers, which leaves one register idle; fitted to
     * ptxas's counts */
    PAIRS = 1,
    /* PARAMETERS: outside loops, two registers for a parameter that is loaded early; fitted to
     * ptxas's counts */
    PARAMETERS = 2,
    CALLS = 24,      /* fewest registers that ptxas 13.0 gives a kernel that calls printf */
    EXTRA_ON_1X = 1, /* registers that 1.x takes in addition to the live values */
    /* MOST_IN_ORDER: most steps that are scheduled together, since the time grows with their
     * square */
    MOST_IN_ORDER = 512,
    MOST_HOPS = 64 /* longest chain of additions that first_base_of follows */
};

/* Registers that a step takes in addition to its operands, compared with an addition of the same
 * types: the number without which ptxas 13.0 spills. Integer division and remainder by a constant
 * become a multiplication, and take one register. */
static int own_registers(const struct ptx_step *s)
{
    static const struct {
        const char *opcode;
        int registers;
    } rows[] = {
        {"div.rn.f64", 5},
        {"rcp.rn.f64", 6},
        {"rsqrt.approx.f64", 6},
        {"sqrt.rn.f64", 12},
        {"div.rn.f32", 5},
        {"div.rm.f32", 6},
        {"div.rp.f32", 6},
        {"div.rz.f32", 6},
        {"rcp.rn.f32", 4},
        {"sqrt.rn.f32", 2},
        {"div.s32", 5},
        {"rem.s32", 5},
        {"div.u32", 4},
        {"rem.u32", 4},
        {"div.s64", 8},
        {"rem.s64", 8},
        {"div.u64", 6},
        {"rem.u64", 6},
        {"div.s16", 3},
        {"rem.s16", 3},
        {"div.u16", 1},
        {"rem.u16", 1},
        {"mul.lo.s64", 2},
        {"mul.lo.u64", 2},
        {"mul.hi.s64", 4},
        {"mul.hi.u64", 4},
        {"min.f64", 2},
        {"max.f64", 2},
    };
    for (size_t i = 0; s->text && i < sizeof rows / sizeof *rows; i++)
        if (!strncmp(s->text, rows[i].opcode, strlen(rows[i].opcode))) {
            int integers = !strstr(s->text, ".f"),
                by_constant = s->src_count > 1 && s->src[1].kind == SRC_IMM;
            return integers && by_constant ? 1 : rows[i].registers;
        }
    return 0;
}

/* For each virtual register: 1 if its value needs no register, since machine instructions read
 * parameters, constants and copies of them from the constant bank. Each value is assumed to need
 * none until a step shows otherwise. The caller frees the array. */
static char *without_register(const struct ptx_program *p, int on_1x)
{
    char *is = xcalloc(p->vreg_count, 1);
    memset(is, 1, p->vreg_count);
    for (int changed = 1; changed;) {
        changed = 0;
        for (size_t i = 0; i < p->step_count; i++) {
            const struct ptx_step *s = &p->steps[i];
            const struct ptx_src *a = &s->src[0];
            int copy = s->op == OP_mov_b32 || s->op == OP_mov_b64 || (s->op == OP_CVTA && !on_1x);
            int constant = s->space == SPACE_PARAM || s->space == SPACE_CONST;
            int stays = (s->op == OP_LD && constant && a->kind != SRC_REG) ||
                        (copy && (a->kind != SRC_REG || is[a->reg]));
            for (int k = 0; !stays && s->op != OP_ST && k < s->dst_count; k++)
                if (s->dst[k] >= 0 && is[s->dst[k]]) changed = 1, is[s->dst[k]] = 0;
            for (int k = 0; k < ptx_updates(s); k++)
                if (is[s->more[k]]) changed = 1, is[s->more[k]] = 0;
        }
    }
    return is;
}

/* Does a step need the upper 32 bits of its 64-bit source k? upper: for each register, whether its
 * upper bits are needed. The low bits of sums, products and bitwise results depend on low bits
 * only, so such a step needs the upper bits only if those of its result are needed. Narrowing
 * conversions never need upper bits. An address needs them unless its space has 32-bit
 * addresses. */
static int needs_upper(const struct ptx_step *s, int k, const char *upper)
{
    int result = s->dst_count && s->dst[0] >= 0 && upper[s->dst[0]];
    switch (s->op) {
    case OP_add_b64:
    case OP_sub_b64:
    case OP_mul_lo_b64:
    case OP_mad_lo_b64:
    case OP_and_b64:
    case OP_or_b64:
    case OP_xor_b64:
    case OP_not_b64:
    case OP_mov_b64:
    case OP_selp_b64:
    case OP_shl_b64:
    case OP_mad_wide_u32:
    case OP_mad_wide_s32: return result;
    case OP_cvt_b32_u64:
    case OP_cvt_b16_u64:
    case OP_low_b64:
    case OP_cvt_u8_64:
    case OP_cvt_s8_64: return 0;
    case OP_LD:
    case OP_ST:
    case OP_ATOM: return k > 0 || s->space == SPACE_GENERIC || s->space == SPACE_GLOBAL;
    case OP_CVTA: return result && (s->space == SPACE_GENERIC || s->space == SPACE_GLOBAL);
    default: return 1;
    }
}

/* For each virtual register: 1 if any step needs its upper 32 bits. The caller frees the array. */
static char *find_upper(const struct ptx_program *p)
{
    char *upper = xcalloc(p->vreg_count, 1);
    for (int changed = 1; changed;) {
        changed = 0;
        for (size_t i = p->step_count; i-- > 0;) {
            const struct ptx_step *s = &p->steps[i];
            if (s->flags & FLAG_UNUSED) continue;
            for (int k = 0; s->op == OP_ST && k < s->dst_count; k++)
                if (s->dst[k] >= 0 && !upper[s->dst[k]]) upper[s->dst[k]] = 1, changed = 1;
            for (int k = 0; k < s->src_count; k++)
                if (s->src[k].kind == SRC_REG && !upper[s->src[k].reg] && needs_upper(s, k, upper))
                    upper[s->src[k].reg] = 1, changed = 1;
        }
    }
    return upper;
}

/* If vreg is the sum of a register and a constant, returns that register, else -1. ptxas keeps only
 * one of the two live: it repeats the addition, or puts the constant into an address. writers,
 * writer: for each register, how many steps write it, and the last of these steps. Both registers
 * must have a single writer, so that the relation holds everywhere. */
static int base_of(const struct ptx_program *p, const int *writers, const int *writer, int vreg)
{
    const struct ptx_step *s = writers[vreg] == 1 ? &p->steps[writer[vreg]] : NULL;
    if (!s || (s->op != OP_add_b32 && s->op != OP_add_b64) || s->guard >= 0 ||
        s->src[0].kind != SRC_REG || s->src[1].kind != SRC_IMM)
        return -1;
    return writers[s->src[0].reg] == 1 ? s->src[0].reg : -1;
}

/* If vreg is a sum of a register and constants, added one after another, returns that register,
 * else vreg itself. */
static int first_base_of(
    const struct ptx_program *p, const int *writers, const int *writer, int vreg)
{
    for (int hops = 0, base; hops < MOST_HOPS && (base = base_of(p, writers, writer, vreg)) >= 0;
         hops++)
        vreg = base;
    return vreg;
}

/* A copy of the steps, in which each source is replaced by the register that first_base_of returns.
 * The caller frees the copy. */
static struct ptx_step *read_bases(const struct ptx_program *p)
{
    struct ptx_step *steps = xcalloc(p->step_count, sizeof *steps);
    int *writers = xcalloc(p->vreg_count, sizeof *writers),
        *writer = xcalloc(p->vreg_count, sizeof *writer);
    memcpy(steps, p->steps, p->step_count * sizeof *steps);
    for (size_t i = 0; i < p->step_count; i++)
        for (int k = 0; p->steps[i].op != OP_ST && k < p->steps[i].dst_count; k++)
            if (p->steps[i].dst[k] >= 0) {
                writers[p->steps[i].dst[k]]++;
                writer[p->steps[i].dst[k]] = (int)i;
            }
    for (size_t i = 0; i < p->step_count; i++)
        for (int k = 0; k < steps[i].src_count; k++)
            if (steps[i].src[k].kind == SRC_REG)
                steps[i].src[k].reg = first_base_of(p, writers, writer, steps[i].src[k].reg);
    free(writers);
    free(writer);
    return steps;
}

/* The register demand of a program. cost: for each virtual register, how many 32-bit registers it
 * takes (0, 1 or 2). on_1x: compute capability 1.x. */
struct demand {
    const struct ptx_program *p;
    struct live live;
    char *cost;
    int on_1x;
};

/* Fills in d->cost. uniform: from ptxas_uniform, or NULL if the GPU has no uniform registers. */
static void set_costs(struct demand *d, const char *uniform)
{
    const struct ptx_program *p = d->p;
    char *free_of_charge = without_register(p, d->on_1x), *upper = find_upper(p);
    for (size_t i = 0; i < p->vreg_count; i++) {
        enum ptx_type t = p->vregs[i].type;
        int wide = ptx_type_bytes(t) == 8 && (t == PTX_F64 || (!d->on_1x && upper[i]));
        d->cost[i] =
            (char)(t == PTX_PRED || free_of_charge[i] || (uniform && uniform[i]) ? 0 : 1 + wide);
    }
    free(free_of_charge);
    free(upper);
}

/* Steps that are scheduled together: a basic block, or several if ptxas guards the short ones
 * instead of jumping over them (guard.c). last: the last of these blocks. */
struct region {
    struct ptx_step *steps;
    int count, last;
};

/* Append the steps of block b to the region. A guarded step keeps the old value in some lanes, so
 * if its result is needed after the block, the old value counts as read. */
static void append_block(const struct demand *d, size_t b, struct region *r)
{
    const struct ptx_block *x = &d->p->blocks[b];
    const uint64_t *out = d->live.out + b * d->live.words;
    for (int i = 0; i < x->count; i++) {
        struct ptx_step *s = &r->steps[r->count], *from = &d->p->steps[x->first + i];
        if (from->op == OP_BRA && from->flags & FLAG_FUSED) continue;
        *s = *from;
        r->count++;
        if (x->guarded_by < 0 || s->op == OP_ST || s->guard >= 0) continue;
        if (s->dst_count < 1 || s->dst[0] < 0) continue;
        const struct ptx_block *by = &d->p->blocks[x->guarded_by];
        if (live_has(out, s->dst[0])) s->guard = d->p->steps[by->first + by->count - 1].guard;
    }
    r->last = (int)b;
}

/* Collects the region that starts with block b; b lies in no other region. r->steps has room for
 * all steps of the program. */
static void take_region(const struct demand *d, size_t b, struct region *r)
{
    const struct ptx_block *blocks = d->p->blocks;
    r->count = 0;
    append_block(d, b, r);
    for (int over; (over = blocks[b].next) >= 0 && blocks[over].guarded_by == (int)b;
         b = (size_t)r->last) {
        append_block(d, (size_t)over, r);
        append_block(d, (size_t)blocks[b].target, r);
    }
}

/* The most registers live before any step of a region, including those that the step takes itself.
 * order: the order in which the steps are assumed to run. set: scratch for one live set. */
static int most_in_region(
    const struct demand *d, const struct region *r, const int *order, uint64_t *set)
{
    int most = 0;
    memcpy(set, d->live.out + (size_t)r->last * d->live.words, d->live.words * sizeof *set);
    for (int i = r->count; i-- > 0;) {
        const struct ptx_step *s = &r->steps[order[i]];
        if (s->flags & FLAG_UNUSED) continue;
        live_back_over(set, s);
        int now = d->on_1x ? 0 : own_registers(s), wide = 0;
        for (size_t w = 0; w < d->live.words; w++)
            for (uint64_t bits = set[w]; bits; bits &= bits - 1) {
                int cost = d->cost[w * 64 + (size_t)__builtin_ctzll(bits)];
                now += cost;
                wide |= cost > 1;
            }
        if (!d->on_1x && wide) now += PAIRS;
        most = now > most ? now : most;
    }
    return most;
}

/* For each basic block: 1 if it belongs to the region of an earlier block. The caller frees the
 * array. */
static char *inside_regions(const struct ptx_program *p)
{
    char *inside = xcalloc(p->block_count, 1);
    for (size_t b = 0; b < p->block_count; b++)
        if (p->blocks[b].guarded_by >= 0)
            inside[b] = inside[p->blocks[p->blocks[b].guarded_by].target] = 1;
    return inside;
}

/* For each basic block: 1 if it is in a loop. The caller frees the array. */
static char *find_loops(const struct ptx_program *p)
{
    char *loops = xcalloc(p->block_count, 1);
    int to[2];
    for (size_t from = 0; from < p->block_count; from++)
        for (int k = ptx_successors(p, (int)from, to); k-- > 0;) {
            if (to[k] >= (int)p->block_count || p->blocks[to[k]].order > p->blocks[from].order)
                continue;
            for (size_t b = 0; b < p->block_count; b++)
                loops[b] |= ptx_between(p, to[k], (int)b, (int)from);
        }
    return loops;
}

/* The most registers live at once in any region. ahead = 1: with the steps in the order of
 * ptxas_schedule; 0: in PTX order. */
static int most_at_once(const struct demand *d, int ahead)
{
    const struct ptx_program *p = d->p;
    uint64_t *set = xcalloc(d->live.words, sizeof *set);
    int *order = xcalloc(p->step_count, sizeof *order),
        *scratch = xcalloc(2 * p->vreg_count, sizeof *scratch), most = 0;
    char *inside = inside_regions(p), *loops = find_loops(p);
    struct region r = {.steps = xcalloc(p->step_count, sizeof *r.steps)};
    for (size_t b = 0; b < p->block_count; b++) {
        if (inside[b]) continue;
        take_region(d, b, &r);
        for (int i = 0; i < r.count; i++) order[i] = i;
        for (int at = 0; ahead && at < r.count; at += MOST_IN_ORDER) {
            int count = r.count - at < MOST_IN_ORDER ? r.count - at : MOST_IN_ORDER;
            ptxas_schedule(r.steps + at, count, scratch, (int)p->vreg_count, order + at);
            for (int i = 0; i < count; i++) order[at + i] += at;
        }
        int now = most_in_region(d, &r, order, set);
        if (ahead && now && !loops[b]) now += PARAMETERS;
        most = now > most ? now : most;
    }
    free(set), free(order), free(scratch), free(inside), free(loops), free(r.steps);
    return most;
}

/* least: fewest registers with which the kernel works. ahead: registers if they are plentiful, so
 * that loads move ahead. */
struct need {
    int least, ahead;
};

/* Computes `least` and `ahead` of a program. The array d.cost is shared by the two calls of
 * most_at_once. */
static struct need needs(const struct ptx_program *p, const struct ptxas_target *t)
{
    struct demand d = {.p = p,
        .live = live_new(p, 0),
        .cost = xcalloc(p->vreg_count, 1),
        .on_1x = !ptxas_has(t, FEATURE_WIDE_ACCESS)};
    int uniforms = ptxas_has(t, FEATURE_UNIFORM_REGISTERS);
    char *uniform = uniforms ? ptxas_uniform(p, 1) : NULL;
    struct need n;
    set_costs(&d, uniform);
    if (d.on_1x) {
        n.least = n.ahead = most_at_once(&d, 0) + EXTRA_ON_1X;
    } else {
        struct ptx_program based = *p;
        based.steps = read_bases(p);
        struct demand r = {.p = &based, .live = live_new(&based, 0), .cost = d.cost};
        n.least = most_at_once(&r, 0) + RESERVED;
        free(uniform);
        uniform = uniforms ? ptxas_uniform(p, 0) : NULL;
        set_costs(&d, uniform);
        n.ahead = most_at_once(&d, 1) + RESERVED;
        live_free(&r.live);
        free(based.steps);
    }
    free(uniform);
    free(d.cost);
    live_free(&d.live);
    return n;
}

/* The registers with which a thread starts, in a kernel whose warps use setmaxnreg (9.0): as many
 * as a thread of a block of the largest size gets if that block has a multiprocessor to itself. 0:
 * the kernel does not use setmaxnreg. */
static int exchanged(const struct ptx_program *p)
{
    enum { OF_MULTIPROCESSOR = 65536, UNIT = 8 };
    int any = 0, warps = ((int)p->kernel->max_threads + 31) / 32;
    for (size_t i = 0; i < p->step_count; i++) any |= p->steps[i].op == OP_SETMAXNREG;
    return any && warps ? OF_MULTIPROCESSOR / 32 / warps / UNIT * UNIT : 0;
}

static int calls(const struct ptx_program *p)
{
    for (size_t i = 0; i < p->step_count; i++)
        if (p->steps[i].op == OP_PRINT || p->steps[i].op == OP_ASSERT) return 1;
    return 0;
}

/* The most registers of a thread: as many as the GPU and .maxnreg allow, and as leave room on a
 * multiprocessor for the blocks of __launch_bounds__(threads, blocks), at least for one. 0: no
 * limit. */
static int bounded(const struct ptx_func *f, const struct ptxas_target *t)
{
    unsigned threads = (f->max_threads + 31) / 32 * 32 * (f->min_blocks ? f->min_blocks : 1);
    int most = threads ? (int)((unsigned)t->all / threads) / t->unit * t->unit : 0;
    const int limits[] = {t->most, (int)f->max_registers};
    for (int i = 0; i < 2; i++)
        if (limits[i] && (!most || most > limits[i])) most = limits[i];
    return most;
}

/* Sets p->registers by the rule at the top of this file. GPUs of 1.x allocate exactly what is
 * needed. */
void ptxas_registers(struct ptx_program *p, const struct ptxas_target *t)
{
    struct need n = needs(p, t);
    int ahead = n.ahead < t->full ? n.ahead : t->full;
    if (exchanged(p))
        p->registers = exchanged(p) < 255 ? exchanged(p) : 255;
    else if (!ptxas_has(t, FEATURE_WIDE_ACCESS))
        p->registers = n.least;
    else if (n.least > t->full)
        p->registers = (n.least + t->unit - 1) / t->unit * t->unit;
    else
        p->registers = ahead > n.least ? ahead : n.least;
    if (calls(p) && ptxas_has(t, FEATURE_CALL_REGISTERS) && p->registers < CALLS)
        p->registers = CALLS;
    int most = bounded(p->kernel, t);
    if (most && p->registers > most) p->registers = most;
}
