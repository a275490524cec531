/* fuse.c - steps that become part of another machine instruction, so they take no time of their
 * own.
 *
 *     shl b, a, 2;  add d, b, c        LEA         mul.wide b, a, 4;  add.s64 d, b, p    IMAD.WIDE
 *     add d, a, b;  add e, d, c        IADD3       mul.lo d, a, b;  add e, d, c          IMAD
 *     and d, a, b;  or e, d, c         LOP3        setp p, a, b;  and.pred q, p, r       ISETP.AND
 *     add p, a, 8;  ld d, [p]          an offset   abs d, a;  add e, d, b                a modifier
 *     ld.const d, [x];  mul e, d, a    c[3][x]     mov, cvta, cvt.u32.u64                   nothing
 *
 * The first step of each pair becomes part of the second if only the second reads its result. An
 * instruction includes at most one such step. Source: nvcc 13's machine code for 9.0; assumed for
 * 8.x, and for no older GPU. */
#include "ptxas/passes.h"

#include <stdlib.h>

enum kind { OTHER, ADD, LOGIC, TEST, REAL };

static enum kind kind_of(enum ptx_op op)
{
    switch (op) {
    case OP_add_b32:
    case OP_sub_b32:
    case OP_add_b64: return ADD;
    case OP_and_b32:
    case OP_or_b32:
    case OP_xor_b32:
    case OP_not_b32: return LOGIC;
    case OP_and_pred:
    case OP_or_pred:
    case OP_xor_pred:
    case OP_not_pred: return TEST;
    default: return ptx_ops[op].class == CLASS_FP32 ? REAL : OTHER;
    }
}

/* Does the step only give a register another name, or load a constant from a known address? Then it
 * can be part of any step that reads it. */
static int is_name(const struct ptx_step *s)
{
    if (s->op == OP_LD && s->space == SPACE_CONST) return s->src[0].kind != SRC_REG;
    return ptx_ops[s->op].class == CLASS_MOVE || s->op == OP_CVTA || s->op == OP_cvt_b32_u64 ||
           s->op == OP_cvt_b64_u32;
}

/* Can step s be part of the step that reads its result? */
static int fits(const struct ptx_step *s, const struct ptx_step *reader)
{
    enum kind to = kind_of(reader->op);
    int constant = s->src_count > 1 && s->src[1].kind == SRC_IMM;
    switch (s->op) {
    case OP_shl_b32: return reader->op == OP_add_b32 && constant;
    case OP_mul_lo_b32: return to == ADD;
    case OP_mul_wide_u32:
    case OP_mul_wide_s32: return reader->op == OP_add_b64;
    case OP_neg_f32:
    case OP_abs_f32: return to == REAL;
    default: break;
    }
    if (kind_of(s->op) == ADD && constant && (reader->op == OP_LD || reader->op == OP_ST)) return 1;
    if (ptx_ops[s->op].d == PTX_PRED && ptx_ops[s->op].class == CLASS_INT) return to == TEST;
    return (kind_of(s->op) == LOGIC || (kind_of(s->op) == ADD && s->op != OP_add_b64)) &&
           to == kind_of(s->op);
}

/* Is the step a 64-bit sum, bitwise operation, shift, selection or comparison? Such a step takes
 * two instructions, since registers and units have 32 bits. */
static int is_wide(const struct ptx_step *s)
{
    const struct ptx_op_info *op = &ptx_ops[s->op];
    if (op->class != CLASS_INT || (s->op >= OP_mul_lo_b16 && s->op <= OP_mad_wide_s32)) return 0;
    return ptx_type_bytes(op->src[0]) == 8 && (ptx_type_bytes(op->d) == 8 || op->d == PTX_PRED);
}

/* If one of the step's sources is computed by a step that can be fused with this one, flag both
 * steps. */
static void take_part(
    struct ptx_program *p, struct ptx_step *s, const int *readers, const int *writer, int first)
{
    for (int k = 0; k < s->src_count; k++) {
        if (s->src[k].kind != SRC_REG || readers[s->src[k].reg] != 1) continue;
        int w = writer[s->src[k].reg];
        if (w < first || p->steps[w].flags & (FLAG_FUSED | FLAG_TOOK) || !fits(&p->steps[w], s))
            continue;
        p->steps[w].flags |= FLAG_FUSED;
        s->flags |= FLAG_TOOK;
        return;
    }
}

void ptxas_fuse(struct ptx_program *p, const struct ptxas_target *t)
{
    if (!ptxas_has(t, FEATURE_FUSED_STEPS)) return;
    int *readers = ptxas_readers(p);
    /* for each virtual register, the last step so far that wrote it; -1: none */
    int *writer = xcalloc(p->vreg_count + 1, sizeof *writer);
    for (size_t r = 0; r < p->vreg_count; r++) writer[r] = -1;
    for (size_t b = 0; b < p->block_count; b++)
        for (int i = p->blocks[b].first; i < p->blocks[b].first + p->blocks[b].count; i++) {
            struct ptx_step *s = &p->steps[i];
            int from = i;
            if (s->flags & (FLAG_MERGED | FLAG_UNUSED)) continue;
            if (is_wide(s)) s->flags |= FLAG_TWICE;
            if (is_name(s)) {
                s->flags |= FLAG_FUSED;
                if (s->src[0].kind == SRC_REG && readers[s->src[0].reg] == 1)
                    from = writer[s->src[0].reg];
            } else {
                take_part(p, s, readers, writer, p->blocks[b].first);
            }
            for (int k = 0; s->op != OP_ST && k < s->dst_count; k++)
                if (s->dst[k] >= 0) writer[s->dst[k]] = from;
        }
    free(readers), free(writer);
}
