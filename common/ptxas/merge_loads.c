/* merge_loads.c - adjacent shared-memory loads that ptxas merges into a wider one.
 *
 *     ld.shared.f32 %f1, [%r1];          one 16-byte load in machine code:
 *     ld.shared.f32 %f2, [%r1+4];        LDS.128 R0, [R8]
 *     ld.shared.f32 %f3, [%r1+8];
 *     ld.shared.f32 %f4, [%r1+12];
 *
 * Scalar loads of 4 bytes count as one load of 16 or 8 bytes, and loads of 8 bytes as one of 16, if
 *
 * - they are in one basic block and use the same value as base address,
 * - they are adjacent, and the group is aligned to its own size,
 * - there is no store to shared memory between them, and no step that includes a branch, such as
 *   a division.
 *
 * The simulator still executes them one by one.
 *
 * The alignment of an address follows from the kernel's own arithmetic: for each register, the
 * analysis tracks how many of its low bits are known. If several steps write a register, as in a
 * loop, only its trailing zeros are known.
 *
 * Source: ptxas 13.0's machine code; an H200's count of shared load instructions. */
#include "ptxas/passes.h"

#include <stdlib.h>
#include <string.h>

/* MOST_BITS: how many low bits are tracked. KIT_ALIGNMENT: log2 of the alignment of allocations.
 * NOT_YET: value of bits for a register that no step has written yet. */
enum { MOST_BITS = 20, KIT_ALIGNMENT = 8, NOT_YET = -1 };

/* What is known about a value: its lowest `bits` bits have the value `low`. bits is NOT_YET until
 * the analysis has reached a step that writes the value. */
struct known {
    int bits;
    uint32_t low;
};

static struct known known(int bits, uint64_t low)
{
    bits = bits < MOST_BITS ? bits : MOST_BITS;
    return (struct known){bits, (uint32_t)(low & (((uint64_t)1 << bits) - 1))};
}

static int least(int a, int b) { return a < b ? a : b; }

/* How many of a value's lowest bits are known to be zero. */
static int zeros(struct known k) { return k.low ? __builtin_ctz(k.low) : k.bits; }

/* Known bits of a product. With a = 2^A x + r and b = 2^B y + s:
 * a b = (2^A x + r)(2^B y + s) = r s + 2^A x s + 2^B y r + 2^(A+B) x y */
static struct known product(struct known a, struct known b)
{
    return known(least(a.bits + zeros(b), b.bits + zeros(a)), (uint64_t)a.low * b.low);
}

static struct known sum(struct known a, struct known b)
{
    return known(least(a.bits, b.bits), (uint64_t)a.low + b.low);
}

/* A bit of a & b is known if both bits are known, or if one of them is known to be 0. */
static struct known both(struct known a, struct known b)
{
    int bits = 0;
    for (; bits < MOST_BITS; bits++) {
        int in_a = bits < a.bits, in_b = bits < b.bits;
        if (!(in_a && in_b) && !(in_a && !(a.low >> bits & 1)) && !(in_b && !(b.low >> bits & 1)))
            break;
    }
    return known(bits, a.low & b.low);
}

/* What is known about an operand. The addresses of objects in shared memory are known; for other
 * objects, only their alignment is. */
static struct known source(
    const struct ptx_program *p, const struct ptx_src *s, const struct known *vregs)
{
    switch (s->kind) {
    case SRC_REG: return vregs[s->reg];
    case SRC_IMM: return known(MOST_BITS, s->imm);
    case SRC_ADDRESS: {
        const struct ptx_object *o = &p->objects[s->reg];
        if (o->space == SPACE_SHARED) return known(MOST_BITS, o->offset + s->imm);
        return known(__builtin_ctz(o->var->align | 1u << MOST_BITS), s->imm);
    }
    default: return known(0, 0);
    }
}

/* What is known about the result of a step, given its sources. The cases are: copies and
 * conversions that keep the low bits; sums and bitwise operations; products; shifts by a constant;
 * 8-byte parameters, which are assumed to be pointers to allocations. Nothing is known about other
 * results. */
static struct known result(
    const struct ptx_program *p, const struct ptx_step *s, const struct known *vregs)
{
    struct known a = source(p, &s->src[0], vregs), b = source(p, &s->src[1], vregs),
                 c = source(p, &s->src[2], vregs);
    int pending = a.bits == NOT_YET || b.bits == NOT_YET || c.bits == NOT_YET;
    switch (s->op) {
    case OP_mov_b32:
    case OP_mov_b64:
    case OP_cvt_b64_u32:
    case OP_cvt_b64_s32:
    case OP_cvt_b32_u64:
    case OP_low_b64:
    case OP_cvt_b32_u32:
    case OP_cvt_b32_s32: return a;
    case OP_add_b32:
    case OP_add_b64: return pending ? (struct known){NOT_YET} : sum(a, b);
    case OP_sub_b32:
    case OP_sub_b64:
        return pending ? (struct known){NOT_YET}
                       : known(least(a.bits, b.bits), (uint64_t)a.low - b.low);
    case OP_or_b32:
    case OP_or_b64:
        return pending ? (struct known){NOT_YET} : known(least(a.bits, b.bits), a.low | b.low);
    case OP_and_b32:
    case OP_and_b64: return pending ? (struct known){NOT_YET} : both(a, b);
    case OP_mul_lo_b32:
    case OP_mul_lo_b64:
    case OP_mul_wide_u32:
    case OP_mul_wide_s32: return pending ? (struct known){NOT_YET} : product(a, b);
    case OP_mad_lo_b32:
    case OP_mad_lo_b64:
    case OP_mad_wide_u32:
    case OP_mad_wide_s32: return pending ? (struct known){NOT_YET} : sum(product(a, b), c);
    case OP_shl_b32:
    case OP_shl_b64:
        if (s->src[1].kind != SRC_IMM) return known(0, 0);
        return a.bits == NOT_YET ? a
                                 : known(a.bits + (int)(s->src[1].imm & 63),
                                       (uint64_t)a.low << (s->src[1].imm & 63));
    case OP_LD:
        return known(
            s->space == SPACE_PARAM && ptx_type_bytes(s->type) == 8 ? KIT_ALIGNMENT : 0, 0);
    default: return known(0, 0);
    }
}

/* What is known about a register that several steps write: only the trailing zeros common to all
 * values. */
static struct known either(struct known a, struct known b)
{
    if (a.bits == NOT_YET || b.bits == NOT_YET) return a.bits == NOT_YET ? b : a;
    return known(least(zeros(a), zeros(b)), 0);
}

/* Record k as known for the results of a step. writers: for each register, how many steps write it.
 * Returns whether anything changed. */
static int learn(const struct ptx_step *s, struct known k, const int *writers, struct known *vregs)
{
    int changed = 0;
    for (int d = 0; d < s->dst_count; d++) {
        if (s->dst[d] < 0) continue;
        struct known *vreg = &vregs[s->dst[d]], now = k;
        if (writers[s->dst[d]] > 1 && k.bits != NOT_YET)
            now = either(*vreg, known(zeros(k), 0));
        else if (k.bits == NOT_YET)
            now = *vreg;
        changed |= now.bits != vreg->bits || now.low != vreg->low;
        *vreg = now;
    }
    return changed;
}

/* For each virtual register, what is known wherever it is read: visits all steps until nothing
 * changes. The caller frees the array. */
static struct known *known_vregs(const struct ptx_program *p)
{
    struct known *vregs = xcalloc(p->vreg_count, sizeof *vregs);
    int *writers = xcalloc(p->vreg_count, sizeof *writers);
    for (size_t i = 0; i < p->vreg_count; i++) vregs[i].bits = NOT_YET;
    for (size_t i = 0; i < p->step_count; i++)
        for (int d = 0; d < (p->steps[i].op == OP_ST ? 0 : p->steps[i].dst_count); d++)
            if (p->steps[i].dst[d] >= 0) writers[p->steps[i].dst[d]]++;
    for (int changed = 1; changed;) {
        changed = 0;
        for (size_t i = 0; i < p->step_count; i++)
            if (p->steps[i].op != OP_ST)
                changed |= learn(&p->steps[i], result(p, &p->steps[i], vregs), writers, vregs);
    }
    free(writers);
    return vregs;
}

/* Identifies the value of a register within a basic block. version: the step that wrote the
 * register, plus 1; 0: it was written before the block. Equal bases mean equal values. A 32-bit
 * address is widened to 64 bits for each access; the wide register has the base of the narrow
 * one. */
struct base {
    int vreg, version;
};

/* A shared load that may be part of a group. */
struct candidate {
    struct ptx_step *step;
    struct base base; /* value of the load's address register */
    /* how many stores to shared memory, and steps with branches, precede the load in its basic
     * block */
    int epoch;
    int taken; /* the load already belongs to a group */
};

/* Do both loads use the same base address, with no store (or branch) between them? */
static int same_base(const struct candidate *a, const struct candidate *b)
{
    const struct ptx_src *x = &a->step->src[0], *y = &b->step->src[0];
    int same = x->kind == SRC_REG
                   ? a->base.vreg == b->base.vreg && a->base.version == b->base.version
                   : x->reg == y->reg;
    return x->kind == y->kind && same && a->epoch == b->epoch;
}

/* Try to merge the aligned group of this many bytes that contains load "first". All loads of the
 * group must be present. The earliest is counted with the whole width, the others are not counted.
 * Returns whether they were merged. */
static int merge_group(const struct ptx_program *p, const struct known *vregs, struct candidate *c,
    int n, int first, unsigned bytes)
{
    int members[4], found = 0, leader = n;
    struct known base = source(p, &c[first].step->src[0], vregs);
    int64_t at = c[first].step->offset - ((c[first].step->offset + base.low) & (bytes - 1));
    if (base.bits == NOT_YET || (1u << base.bits) < bytes) return 0;
    unsigned each = ptx_type_bytes(c[first].step->type);
    if (each == bytes) return 0;
    for (unsigned k = 0; k < bytes; k += each)
        for (int i = 0; i < n; i++)
            if (!c[i].taken && same_base(&c[first], &c[i]) &&
                c[i].step->offset == at + (int64_t)k && ptx_type_bytes(c[i].step->type) == each) {
                members[found++] = i;
                break;
            }
    if (found < (int)(bytes / each)) return 0;
    for (int i = 0; i < found; i++) {
        leader = least(leader, members[i]);
        c[members[i]].taken = 1;
        c[members[i]].step->flags |= FLAG_MERGED;
    }
    c[leader].step->flags &= ~(unsigned)FLAG_MERGED;
    c[leader].step->merged_bytes = bytes;
    c[leader].step->merged_offset = at;
    return 1;
}

/* Is the step a scalar load of 4 or 8 bytes from shared memory that always executes? */
static int is_candidate(const struct ptx_step *s)
{
    unsigned bytes = ptx_type_bytes(s->type);
    return s->op == OP_LD && s->space == SPACE_SHARED && (bytes == 4 || bytes == 8) &&
           s->vector == 1 && s->guard < 0 &&
           !(s->flags & (FLAG_VOLATILE | FLAG_QUIET | FLAG_UNUSED));
}

/* Collect the loads of the basic block, and follow the versions of their base registers. Then try a
 * group of 16 bytes around each load, and after that a group of 8. */
static void merge_block(struct ptx_program *p, const struct ptx_block *b, const struct known *vregs,
    struct base *bases, struct candidate *c)
{
    int n = 0, epoch = 0;
    for (int i = b->first; i < b->first + b->count; i++) {
        struct ptx_step *s = &p->steps[i];
        struct base from = s->src[0].kind == SRC_REG ? bases[s->src[0].reg] : (struct base){0};
        if ((s->op == OP_ST || s->op == OP_ATOM) &&
            (s->space == SPACE_SHARED || s->space == SPACE_GENERIC))
            epoch++;
        epoch += ptxas_instructions(s).branches;
        if (is_candidate(s)) c[n++] = (struct candidate){s, from, epoch, 0};
        int widens = s->op == OP_cvt_b64_u32 && s->src[0].kind == SRC_REG && s->guard < 0;
        for (int k = 0; k < (s->op == OP_ST ? 0 : s->dst_count); k++)
            if (s->dst[k] >= 0) bases[s->dst[k]] = widens ? from : (struct base){s->dst[k], i + 1};
    }
    for (int i = 0; i < n; i++)
        if (!c[i].taken && !merge_group(p, vregs, c, n, i, 16)) merge_group(p, vregs, c, n, i, 8);
}

/* GPUs of 1.x have no merged loads: their banks deliver 32 bits, and wider requests are split (CUDA
 * C Programming Guide 4.2, F.3.3.3). */
void ptxas_merge_loads(struct ptx_program *p, const struct ptxas_target *t)
{
    if (!ptxas_has(t, FEATURE_WIDE_ACCESS)) return;
    struct known *vregs = known_vregs(p);
    struct base *bases = xcalloc(p->vreg_count, sizeof *bases);
    struct candidate *c = xcalloc(p->step_count, sizeof *c);
    for (size_t b = 0; b < p->block_count; b++) {
        for (size_t i = 0; i < p->vreg_count; i++) bases[i] = (struct base){(int)i, 0};
        merge_block(p, &p->blocks[b], vregs, bases, c);
    }
    free(vregs);
    free(bases);
    free(c);
}
