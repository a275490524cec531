/* ptxas.c - what the assembler behind PTX changes, as far as it shapes what hardware counts. One rule so far.
 *
 * Merged shared loads:
 *
 *     ld.shared.f32 %f1, [%r1];          one 16-byte load in machine code:
 *     ld.shared.f32 %f2, [%r1+4];        LDS.128 R0, [R8]
 *     ld.shared.f32 %f3, [%r1+8];
 *     ld.shared.f32 %f4, [%r1+12];
 *
 * Scalar 4-byte loads of one block of code from one address register, adjacent, the group aligned to its own size, with
 * no store to shared memory between them, are counted as one load of 16 or 8 bytes. They still run one by one. Seen on
 * an H200: a row of a 32 x 32 tile takes 8 load instructions where the PTX has 32 (2^25 + 2^23 shared loads in the
 * product of 1024 x 1024 matrices). The alignment of an address is what the kernel's own arithmetic implies. */
#include "ptx/flatten.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ZEROS = 20, KIT_ALIGNMENT = 8 /* allocations start at multiples of 2^8 */ };

static int zeros_of(uint64_t v)
{
    int z = v ? __builtin_ctzll(v) : MOST_ZEROS;
    return z < MOST_ZEROS ? z : MOST_ZEROS;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int source_zeros(const struct ptx_program *p, const struct ptx_src *s, const int *zeros)
{
    switch (s->kind) {
    case SRC_REG: return zeros[s->reg];
    case SRC_IMM: return zeros_of(s->imm);
    case SRC_ADDRESS: {
        const struct ptx_object *o = &p->objects[s->reg];
        return o->space == SPACE_SHARED ? zeros_of(o->offset + s->imm) : zeros_of(o->var->align);
    }
    default: return 0;
    }
}

/* How many low bits of what a step computes are surely 0, from what is known of its sources. */
static int result_zeros(const struct ptx_program *p, const struct ptx_step *s, const int *zeros)
{
    int a = source_zeros(p, &s->src[0], zeros), b = source_zeros(p, &s->src[1], zeros), c = source_zeros(p, &s->src[2], zeros);
    switch (s->op) {
    case OP_mov_b32: case OP_mov_b64: case OP_cvt_b64_u32: case OP_cvt_b64_s32: case OP_cvt_b32_u64: case OP_low_b64:
    case OP_cvt_b32_u32: case OP_cvt_b32_s32:
        return a;
    case OP_add_b32: case OP_add_b64: case OP_sub_b32: case OP_sub_b64: case OP_or_b32: case OP_or_b64:
        return least(a, b);
    case OP_and_b32: case OP_and_b64:
        return a > b ? a : b;
    case OP_mul_lo_b32: case OP_mul_lo_b64: case OP_mul_wide_u32: case OP_mul_wide_s32:
        return least(a + b, MOST_ZEROS);
    case OP_mad_lo_b32: case OP_mad_lo_b64: case OP_mad_wide_u32: case OP_mad_wide_s32:
        return least(a + b, c);
    case OP_shl_b32: case OP_shl_b64:
        return s->src[1].kind == SRC_IMM ? least(a + (int)(s->src[1].imm & 63), MOST_ZEROS) : a;
    case OP_LD:
        return s->space == SPACE_PARAM && ptx_type_bytes(s->type) == 8 ? KIT_ALIGNMENT : 0;
    default:
        return 0;
    }
}

/* Of every slot, what holds whichever step wrote it last: start from everything, take away until nothing changes. */
static int *known_zeros(const struct ptx_program *p)
{
    int *zeros = xcalloc(p->slot_count, sizeof *zeros);
    for (size_t i = 0; i < p->slot_count; i++)
        zeros[i] = MOST_ZEROS;
    for (int changed = 1; changed;) {
        changed = 0;
        for (size_t i = 0; i < p->step_count; i++) {
            const struct ptx_step *s = &p->steps[i];
            int z = s->op == OP_ST ? MOST_ZEROS : result_zeros(p, s, zeros);
            for (int k = 0; k < s->dst_count; k++)
                if (s->dst[k] >= 0 && z < zeros[s->dst[k]]) {
                    zeros[s->dst[k]] = z;
                    changed = 1;
                }
        }
    }
    return zeros;
}

/* What a slot holds inside a block of code: version counts its writes, so equal bases are equal values. A 32-bit address
 * is widened for each access into a place of its own; such a place has the base of what it was widened from. */
struct base {
    int slot, version;
};

/* A shared load that may be part of a group. */
struct candidate {
    struct ptx_step *step;
    struct base base; /* what its address register holds */
    int epoch;        /* stores to shared memory before it */
    int taken;
};

static int same_base(const struct candidate *a, const struct candidate *b)
{
    const struct ptx_src *x = &a->step->src[0], *y = &b->step->src[0];
    int same = x->kind == SRC_REG ? a->base.slot == b->base.slot && a->base.version == b->base.version : x->reg == y->reg;
    return x->kind == y->kind && same && a->epoch == b->epoch;
}

/* Merge the loads whose offsets are at, at + 4, ... at + bytes - 4, if all are there. */
static int merge_group(const struct ptx_program *p, const int *zeros, struct candidate *c, int n, int first, unsigned bytes)
{
    int members[4], found = 0, leader = n;
    int64_t at = c[first].step->offset & ~(int64_t)(bytes - 1);
    if ((1u << source_zeros(p, &c[first].step->src[0], zeros)) < bytes)
        return 0;
    for (unsigned k = 0; k < bytes / 4; k++)
        for (int i = 0; i < n; i++)
            if (!c[i].taken && same_base(&c[first], &c[i]) && c[i].step->offset == at + 4 * (int64_t)k) {
                members[found++] = i;
                break;
            }
    if (found < (int)(bytes / 4))
        return 0;
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

static int is_candidate(const struct ptx_step *s)
{
    return s->op == OP_LD && s->space == SPACE_SHARED && ptx_type_bytes(s->type) == 4 && s->vector == 1 && s->guard < 0 &&
           !(s->flags & (FLAG_VOLATILE | FLAG_QUIET));
}

static void merge_block(struct ptx_program *p, const struct ptx_block *b, const int *zeros, struct base *bases,
                        struct candidate *c)
{
    int n = 0, epoch = 0;
    for (int i = b->first; i < b->first + b->count; i++) {
        struct ptx_step *s = &p->steps[i];
        struct base from = s->src[0].kind == SRC_REG ? bases[s->src[0].reg] : (struct base){0};
        if ((s->op == OP_ST || s->op == OP_ATOM) && (s->space == SPACE_SHARED || s->space == SPACE_GENERIC))
            epoch++;
        if (is_candidate(s))
            c[n++] = (struct candidate){s, from, epoch, 0};
        int widens = s->op == OP_cvt_b64_u32 && s->src[0].kind == SRC_REG && s->guard < 0;
        for (int k = 0; k < (s->op == OP_ST ? 0 : s->dst_count); k++)
            if (s->dst[k] >= 0)
                bases[s->dst[k]] = widens ? from : (struct base){s->dst[k], i + 1};
    }
    for (int i = 0; i < n; i++)
        if (!c[i].taken && !merge_group(p, zeros, c, n, i, 16))
            merge_group(p, zeros, c, n, i, 8);
}

void ptx_merge_shared_loads(struct ptx_program *p)
{
    int *zeros = known_zeros(p);
    struct base *bases = xcalloc(p->slot_count, sizeof *bases);
    struct candidate *c = xcalloc(p->step_count, sizeof *c);
    for (size_t b = 0; b < p->block_count; b++) {
        for (size_t i = 0; i < p->slot_count; i++)
            bases[i] = (struct base){(int)i, 0};
        merge_block(p, &p->blocks[b], zeros, bases, c);
    }
    free(zeros);
    free(bases);
    free(c);
}
