/* resolve_half.c - instructions whose result is a 16-bit number or a pair of them, with their
 * modifiers; and comparisons of pairs.
 *
 *      fma.rn.ftz.relu.f16x2 d, a, b, c      ftz a, b, c; fma t; ftz t; relu d
 *      setp.lt.f16x2 p|q, a, b               set t, a, b;  p = low half of t, q = high half of t
 *
 * As in resolve.c, one step represents the instruction, and the others are not counted. Source: PTX
 * ISA, Half Precision Floating-Point Instructions, Half Precision Comparison, cvt. */
#include "ptx/resolve.h"

#include <string.h>

/* A 16-bit format or a pair of it: name, type of the register that holds it, the bits of 1.0 (in
 * both halves of a pair), and the operations that carry out the modifiers .ftz, .sat and .relu in
 * this format. */
static const struct format {
    const char *name;
    enum ptx_type type;
    uint32_t one;
    enum ptx_op ftz, sat, relu;
} formats[] = {
    {"f16", PTX_U16, 0x3c00, OP_ftz_f16, OP_sat_f16, OP_relu_f16},
    {"f16x2", PTX_U32, 0x3c003c00, OP_ftz_f16x2, OP_sat_f16x2, OP_relu_f16x2},
    {"bf16", PTX_U16, 0x3f80, OP_ftz_bf16, OP_sat_bf16, OP_relu_bf16},
    {"bf16x2", PTX_U32, 0x3f803f80, OP_ftz_bf16x2, OP_sat_bf16x2, OP_relu_bf16x2},
};

/* The format whose name is part number "at" of the opcode; NULL: none. */
static const struct format *format_at(const struct parts *s, int at)
{
    for (size_t i = 0; at > 0 && at < s->count && i < sizeof formats / sizeof *formats; i++)
        if (!strcmp(s->part[at], formats[i].name)) return &formats[i];
    return NULL;
}

/* Append an uncounted step d = op(from) for one of the modifiers. */
static void quiet(struct flatten *f, struct frame *fr, enum ptx_op op, int d, int from)
{
    struct ptx_src src[PTX_MAX_SRC] = {operand_reg(from)};
    resolve_alu_step(f, fr, op, d, src, 0, 0);
    f->p->steps[f->p->step_count - 1].flags |= FLAG_QUIET;
}

/* Handles set.cmp.dtype.x2 d, a, b and setp.cmp.x2 p|q, a, b. The row of ops.h computes a mask of
 * both halves. */
static void resolve_pair_compare(struct flatten *f, struct frame *fr, const struct ptx_inst *in,
    struct parts *s, const struct format *result)
{
    int is_setp = !strcmp(s->part[0], "setp");
    if (is_setp) s->part[0] = (char *)"set";
    enum ptx_op op = opcode_find(s);
    if (op == OP_NONE) flatten_fail(f, fr, "is not supported");
    const struct ptx_operand *d = operand_at(f, fr, in, 0);
    struct ptx_src src[PTX_MAX_SRC] = {operand_source(f, fr, operand_at(f, fr, in, 1), PTX_U32),
        operand_source(f, fr, operand_at(f, fr, in, 2), PTX_U32)};
    int to = operand_dest(f, fr, d), mask = is_setp || result ? flatten_vreg(f, PTX_U32) : to;
    resolve_alu_step(f, fr, op, mask, src, 0, 0);
    size_t first = f->p->step_count;
    if (is_setp) {
        int low = operand_emit(f, fr, OP_and_b32, PTX_U32, operand_reg(mask), operand_imm(0xffff));
        struct ptx_src p[PTX_MAX_SRC] = {operand_reg(low), operand_imm(0)};
        struct ptx_src q[PTX_MAX_SRC] = {operand_reg(mask), operand_imm(0xffff)};
        int pair = operand_pair(f, fr, d);
        resolve_alu_step(f, fr, OP_setp_ne_u32, to, p, 0, 0);
        if (pair >= 0) resolve_alu_step(f, fr, OP_setp_gt_u32, pair, q, 0, 0);
    } else if (result) {
        struct ptx_src ones[PTX_MAX_SRC] = {operand_reg(mask), operand_imm(result->one)};
        resolve_alu_step(f, fr, OP_and_b32, to, ones, 0, 0);
    }
    for (size_t i = first; i < f->p->step_count; i++) f->p->steps[i].flags |= FLAG_QUIET;
}

/* Handles set and setp if their sources are pairs. Returns 0 if they are not. */
static int compares_pairs(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    const struct format *source = format_at(s, s->count - 1), *result = NULL;
    if (!source || source->type != PTX_U32) return 0;
    if (!strcmp(s->part[0], "set") && s->count == 4) {
        result = format_at(s, 2);
        if (!result && strcmp(s->part[2], "u32") && strcmp(s->part[2], "s32"))
            flatten_fail(f, fr, "is not supported");
        opcode_take(s, s->part[2]);
    }
    resolve_pair_compare(f, fr, in, s, result);
    return 1;
}

/* The result is rounded once, then flushed to zero (.ftz), then clamped (.sat, .relu). The float
 * source of cvt.ftz is flushed by resolve_alu_step. */
int resolve_half(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    if (!strcmp(s->part[0], "mov") || !strcmp(s->part[0], "selp")) return 0;
    if (!strcmp(s->part[0], "set") || !strcmp(s->part[0], "setp"))
        return compares_pairs(f, fr, in, s);
    int is_cvt = !strcmp(s->part[0], "cvt");
    const struct format *h = format_at(s, s->count - 1 - is_cvt);
    if (!h) return 0;
    int ftz = opcode_take(s, "ftz"), sat = opcode_take(s, "sat"), relu = opcode_take(s, "relu");
    opcode_take(s, "rn");
    opcode_take(s, "approx");
    enum ptx_op op = opcode_find(s);
    if (op == OP_NONE || (sat && relu)) flatten_fail(f, fr, "is not supported");
    const struct ptx_op_info *info = &ptx_ops[op];
    struct ptx_src src[PTX_MAX_SRC] = {{0}};
    for (int i = 0; i < info->arity; i++) {
        src[i] = operand_source(f, fr, operand_at(f, fr, in, 1 + i), info->src[i]);
        if (ftz && !is_cvt)
            src[i] = operand_reg(operand_emit(f, fr, h->ftz, h->type, src[i], (struct ptx_src){0}));
    }
    if (in->operand_count > info->arity + 1) flatten_fail(f, fr, "has too many operands");
    int flush = ftz && !is_cvt, d = operand_dest(f, fr, operand_at(f, fr, in, 0));
    int at = flush || sat || relu ? flatten_vreg(f, h->type) : d;
    resolve_alu_step(f, fr, op, at, src, ftz, 0);
    if (flush) {
        int to = sat || relu ? flatten_vreg(f, h->type) : d;
        quiet(f, fr, h->ftz, to, at);
        at = to;
    }
    if (sat || relu) quiet(f, fr, sat ? h->sat : h->relu, d, at);
    return 1;
}
