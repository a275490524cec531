/* operand.c - fits operands to the types of a row of ops.h: narrows or widens registers, converts
 * immediates, reads special registers, computes addresses.
 *
 *      source      a 64-bit register as a 32-bit operand: a step takes the low half
 *      result      a 32-bit result in a 64-bit register: goes to a temporary, then a step widens it
 *
 * Steps that only fit an operand are quiet: they correspond to no instruction of the program.
 * Source: PTX ISA, operand size exceeding instruction-type size; special registers. */
#include "ptx/resolve.h"

#include <stdlib.h>
#include <string.h>

struct ptx_src operand_reg(int vreg) { return (struct ptx_src){.kind = SRC_REG, .reg = vreg}; }

struct ptx_src operand_imm(uint64_t v) { return (struct ptx_src){.kind = SRC_IMM, .imm = v}; }

/* Append an uncounted step. Returns its result, a new vreg of this type. If b.kind is SRC_NONE, a
 * is the only source. */
int operand_emit(struct flatten *f, struct frame *fr, enum ptx_op op, enum ptx_type type,
    struct ptx_src a, struct ptx_src b)
{
    int d = flatten_vreg(f, type);
    struct ptx_step *s = flatten_step(f, fr, op);
    s->flags |= FLAG_QUIET;
    s->type = type;
    s->dst[0] = d;
    s->dst_count = 1;
    s->src[0] = a;
    s->src[1] = b;
    s->src_count = b.kind == SRC_NONE ? 1 : 2;
    return d;
}

/* The enum ptx_sreg of a name; -1: no special register has it. The array is in the order of the
 * enum. */
static int find_sreg(const char *name)
{
    static const char *const names[SREG_COUNT] = {
        "%tid.x",
        "%tid.y",
        "%tid.z",
        "%ntid.x",
        "%ntid.y",
        "%ntid.z",
        "%ctaid.x",
        "%ctaid.y",
        "%ctaid.z",
        "%nctaid.x",
        "%nctaid.y",
        "%nctaid.z",
        "%laneid",
        "%warpid",
        "%nwarpid",
        "WARP_SZ",
        "%smid",
        "%nsmid",
        "%gridid",
        "%clock",
        "%clock64",
        "%globaltimer",
        "%lanemask_eq",
        "%lanemask_le",
        "%lanemask_lt",
        "%lanemask_ge",
        "%lanemask_gt",
        "%dynamic_smem_size",
        "%total_smem_size",
        "%clusterid.x",
        "%clusterid.y",
        "%clusterid.z",
        "%nclusterid.x",
        "%nclusterid.y",
        "%nclusterid.z",
        "%cluster_ctaid.x",
        "%cluster_ctaid.y",
        "%cluster_ctaid.z",
        "%cluster_nctaid.x",
        "%cluster_nctaid.y",
        "%cluster_nctaid.z",
        "%cluster_ctarank",
        "%cluster_nctarank",
        "%is_explicit_cluster",
    };
    for (int i = 0; i < SREG_COUNT; i++)
        if (!strcmp(names[i], name)) return i;
    return -1;
}

/* Fails if a vreg cannot hold a result of type t. A wider vreg can, since operand_widen extends the
 * value; so can -1, which is an unused result. */
void operand_check(struct flatten *f, struct frame *fr, int vreg, enum ptx_type t)
{
    enum ptx_type have = vreg >= 0 ? slot_type(f, vreg) : t;
    if ((have == PTX_PRED) != (t == PTX_PRED) || (is_wide(t) && !is_wide(have)))
        flatten_fail(f, fr, "has a result of the wrong type");
}

/* Append a step that reads a special register. It is counted, since the hardware, too, executes an
 * instruction for it. */
int operand_sreg(
    struct flatten *f, struct frame *fr, const char *name, enum ptx_type type, int vreg)
{
    int which = find_sreg(name);
    if (which < 0) flatten_fail(f, fr, "reads %s, which is not supported", name);
    if (vreg < 0) vreg = flatten_vreg(f, type);
    operand_check(f, fr, vreg, type);
    struct ptx_step *s = flatten_step(f, fr, OP_SREG);
    s->type = type;
    s->detail = which;
    s->dst[0] = vreg;
    s->dst_count = 1;
    return vreg;
}

/* The bits of an immediate, truncated to the width of type want. A double is converted if a float
 * is wanted. */
static uint64_t immediate(const struct ptx_operand *o, enum ptx_type want)
{
    uint64_t v = (uint64_t)o->imm;
    if (o->is_float == 8 && want == PTX_F32) {
        double d;
        memcpy(&d, &v, 8);
        float s = (float)d;
        v = 0;
        memcpy(&v, &s, 4);
    }
    switch (ptx_type_bytes(want)) {
    case 1: return (uint8_t)v;
    case 2: return (uint16_t)v;
    case 4: return (uint32_t)v;
    default: return v;
    }
}

/* A register is narrowed or negated by an uncounted step; a register that is too narrow is refused.
 * A name becomes the address of its object. An immediate predicate becomes 0 or all ones. */
struct ptx_src operand_source(
    struct flatten *f, struct frame *fr, const struct ptx_operand *o, enum ptx_type want)
{
    if (want == PTX_PRED && o->kind != OPERAND_REG && o->kind != OPERAND_IMM)
        flatten_fail(f, fr, "has an operand of the wrong type");
    switch (o->kind) {
    case OPERAND_REG: {
        int vreg = fr->vreg_base + o->reg;
        enum ptx_type have = slot_type(f, vreg);
        if ((have == PTX_PRED) != (want == PTX_PRED) || (o->negated && want != PTX_PRED))
            flatten_fail(f, fr, "has an operand of the wrong type");
        if (o->negated)
            vreg =
                operand_emit(f, fr, OP_not_pred, PTX_PRED, operand_reg(vreg), (struct ptx_src){0});
        if (want != PTX_PRED && is_wide(have) && !is_wide(want))
            vreg = operand_emit(f, fr, OP_low_b64, PTX_B32, operand_reg(vreg), (struct ptx_src){0});
        else if (want != PTX_PRED && !is_wide(have) && is_wide(want))
            flatten_fail(f, fr, "reads a register that is too narrow");
        return operand_reg(vreg);
    }
    case OPERAND_IMM:
        return operand_imm(want == PTX_PRED ? (o->imm ? ~(uint64_t)0 : 0) : immediate(o, want));
    case OPERAND_SREG: return operand_reg(operand_sreg(f, fr, o->symbol, want, -1));
    case OPERAND_SYMBOL: {
        if (!strcmp(o->symbol, "WARP_SZ")) return operand_imm(32);
        int object = flatten_object(f, fr, o->symbol);
        uint64_t function = object < 0 ? ptx_function_address(f->m, o->symbol) : 0;
        if (function) return operand_imm(function);
        if (object < 0) flatten_unknown(f, fr, o->symbol);
        return flatten_address(f, fr, object, (uint64_t)o->imm);
    }
    default: flatten_fail(f, fr, "has an operand that does not belong there");
    }
}

const struct ptx_operand *operand_at(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, int i)
{
    if (i >= in->operand_count) flatten_fail(f, fr, "has too few operands");
    return &in->operand[i];
}

/* The vreg of a result. -1: the operand is _, so the result is unused. */
int operand_dest(struct flatten *f, struct frame *fr, const struct ptx_operand *o)
{
    if (o->kind == OPERAND_SINK) return -1;
    if (o->kind != OPERAND_REG || o->negated)
        flatten_fail(f, fr, "needs a register for its result");
    return fr->vreg_base + o->reg;
}

int operand_dest_as(
    struct flatten *f, struct frame *fr, const struct ptx_operand *o, enum ptx_type t)
{
    int vreg = operand_dest(f, fr, o);
    operand_check(f, fr, vreg, t);
    return vreg;
}

/* The vreg of the predicate q in a result operand d|q; -1: there is none. */
int operand_pair(struct flatten *f, struct frame *fr, const struct ptx_operand *d)
{
    int vreg = d->pair >= 0 ? fr->vreg_base + d->pair : -1;
    operand_check(f, fr, vreg, PTX_PRED);
    return vreg;
}

/* The vreg to which a step writes a result of type t: a temporary if vreg is wider, else vreg. */
int operand_narrow(struct flatten *f, int vreg, enum ptx_type t)
{
    if (vreg >= 0 && t != PTX_PRED && is_wide(slot_type(f, vreg)) && !is_wide(t))
        return flatten_vreg(f, PTX_B32);
    return vreg;
}

/* Give the instruction's guard to all its steps, including uncounted ones, so that the instruction
 * changes nothing if the guard is false. */
void operand_guard(struct flatten *f, struct frame *fr, const struct ptx_inst *in, size_t first)
{
    if (in->guard < 0) return;
    for (size_t i = first; i < f->p->step_count; i++) {
        f->p->steps[i].guard = fr->vreg_base + in->guard;
        f->p->steps[i].guard_negated = in->guard_negated;
    }
}

/* Append an uncounted step that extends the temporary to the wider vreg, with its sign or with
 * zeros according to type t. Does nothing if operand_narrow returned the vreg itself. */
void operand_widen(struct flatten *f, struct frame *fr, int from, int to, enum ptx_type t)
{
    if (from == to || to < 0) return;
    int is_signed = t == PTX_S8 || t == PTX_S16 || t == PTX_S32;
    struct ptx_step *s = flatten_step(f, fr, is_signed ? OP_cvt_b64_s32 : OP_cvt_b64_u32);
    s->flags |= FLAG_QUIET;
    s->type = PTX_B64;
    s->dst[0] = to;
    s->dst_count = 1;
    s->src[0] = operand_reg(from);
    s->src_count = 1;
}
