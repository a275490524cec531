/* resolve.c - converts a PTX instruction to the steps that execute it: looks up its opcode in ops.h
 * and fits its operands to the types of the row.
 *
 *      mul.ftz.sat.f32 d, a, b     ftz t1, a; ftz t2, b; mul t3, t1, t2; ftz t4, t3, ...; sat d, t4
 *
 * Only one step represents the instruction (here mul). The others are quiet: they are not counted.
 * Source: PTX ISA, instruction set. */
#include "ptx/resolve.h"

#include <string.h>

/* ---- rows of ops.h with a meaning: arithmetic ---- */

/* The operation that applies .ftz to the result of op. For products and multiply-adds, it also
 * needs the sources of op. */
static enum ptx_op flushed(enum ptx_op op)
{
    return op == OP_mul_f32 ? OP_ftz_mul_f32 : op == OP_fma_f32 ? OP_ftz_fma_f32 : OP_ftz_f32;
}

/* Appends these steps, as far as needed: flush float sources to zero (ftz); the operation; flush
 * the result (ftz); clamp the result (sat); widen the result. The last step writes d, the others
 * temporaries. */
void resolve_alu_step(struct flatten *f, struct frame *fr, enum ptx_op op, int d,
    const struct ptx_src *src, int ftz, int sat)
{
    const struct ptx_op_info *info = &ptx_ops[op];
    struct ptx_src in[PTX_MAX_SRC] = {{0}};
    operand_check(f, fr, d, info->d);
    for (int i = 0; i < info->arity; i++) {
        in[i] = src[i];
        if (ftz && info->src[i] == PTX_F32)
            in[i] =
                operand_reg(operand_emit(f, fr, OP_ftz_f32, PTX_F32, src[i], (struct ptx_src){0}));
    }
    int out = operand_narrow(f, d, info->d), at = out;
    int flush = ftz && info->d == PTX_F32;
    if (flush || sat) at = flatten_vreg(f, info->d);
    struct ptx_step *s = flatten_step(f, fr, op);
    s->type = info->d;
    s->dst[0] = at;
    s->dst_count = 1;
    memcpy(s->src, in, sizeof s->src);
    s->src_count = info->arity;
    for (int pass = 0; pass < 2; pass++) {
        enum ptx_op after = pass ? (info->d == PTX_F64 ? OP_sat_f64 : OP_sat_f32) : flushed(op);
        if (pass ? !sat : !flush) continue;
        int to = pass == 0 && sat ? flatten_vreg(f, info->d) : out;
        struct ptx_step *t = flatten_step(f, fr, after);
        t->flags |= FLAG_QUIET;
        t->type = info->d;
        t->dst[0] = to;
        t->dst_count = 1;
        t->src[0] = operand_reg(at);
        t->src_count = ptx_ops[after].arity;
        memcpy(t->src + 1, in, sizeof *in * (size_t)(t->src_count - 1));
        at = to;
    }
    operand_widen(f, fr, out, d, info->d);
}

/* Handles instructions of the form op d, a, b, ...: each source is converted to the row's type. */
static void resolve_alu(struct flatten *f, struct frame *fr, const struct ptx_inst *in,
    enum ptx_op op, int ftz, int sat)
{
    const struct ptx_op_info *info = &ptx_ops[op];
    struct ptx_src src[PTX_MAX_SRC] = {{0}};
    if (sat && info->d != PTX_F32 && info->d != PTX_F64)
        flatten_fail(f, fr, "is not supported (.sat)");
    for (int i = 0; i < info->arity; i++)
        src[i] = operand_source(f, fr, operand_at(f, fr, in, 1 + i), info->src[i]);
    if (in->operand_count > info->arity + 1) flatten_fail(f, fr, "has too many operands");
    resolve_alu_step(f, fr, op, operand_dest(f, fr, operand_at(f, fr, in, 0)), src, ftz, sat);
}

/* Handles two forms of mov that have no row in ops.h: between a register and a pair {low, high},
 * and from a special register. Returns 0, with nothing appended, for any other mov. Splitting a
 * register takes a step for each half, of which only the first is counted. */
static int resolve_mov(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, enum ptx_type t)
{
    const struct ptx_operand *d = operand_at(f, fr, in, 0), *a = operand_at(f, fr, in, 1);
    if (d->kind == OPERAND_VECTOR || a->kind == OPERAND_VECTOR) {
        const struct ptx_operand *v = d->kind == OPERAND_VECTOR ? d : a;
        int wide = is_wide(t);
        if (v->element_count != 2 || ptx_type_bytes(t) < 4)
            flatten_fail(f, fr, "is not supported for this shape");
        enum ptx_type half = wide ? PTX_B32 : PTX_B16;
        if (v == a) {
            struct ptx_src src[PTX_MAX_SRC] = {operand_source(f, fr, &v->elements[0], half),
                operand_source(f, fr, &v->elements[1], half)};
            resolve_alu_step(
                f, fr, wide ? OP_pack_b64 : OP_pack_b32, operand_dest(f, fr, d), src, 0, 0);
            return 1;
        }
        struct ptx_src src[PTX_MAX_SRC] = {operand_source(f, fr, a, t)};
        for (int i = 0, n = 0; i < 2; i++) {
            int to = operand_dest(f, fr, &v->elements[i]);
            enum ptx_op op = wide ? (i ? OP_high_b64 : OP_low_b64) : (i ? OP_high_b32 : OP_low_b32);
            if (to < 0) continue;
            size_t first = f->p->step_count;
            resolve_alu_step(f, fr, op, to, src, 0, 0);
            if (n++) f->p->steps[first].flags |= FLAG_QUIET;
        }
        return 1;
    }
    if (a->kind == OPERAND_SREG) {
        operand_sreg(f, fr, a->symbol, t, operand_dest(f, fr, d));
        return 1;
    }
    return 0;
}

/* The result of the instruction set if its comparison is true: 1.0 in a floating-point format, else
 * all ones. */
static uint64_t number_of_true(enum ptx_type t)
{
    return t == PTX_F32 ? 0x3f800000 : t == PTX_F16 ? 0x3c00 : t == PTX_BF16 ? 0x3f80 : 0xffffffff;
}

/* setp.cmp{.and|.or|.xor}.type p{|q}, a, b{, c};   set.cmp.dtype.type d, a, b
 *
 * The comparison is the counted step. Uncounted steps combine it with c, compute q from its
 * negation, or convert it to the result of set: all ones, or 1.0 for a float. */
static void resolve_setp(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s, int ftz)
{
    static const char *const bools[] = {"and", "or", "xor", NULL};
    static const enum ptx_op bool_op[] = {OP_and_pred, OP_or_pred, OP_xor_pred};
    int combine = opcode_take_one_of(s, bools), is_set = !strcmp(s->part[0], "set");
    enum ptx_type result = PTX_PRED;
    if (is_set) {
        if (s->count != 4 || combine >= 0) flatten_fail(f, fr, "is not supported");
        result = ptx_type_find(s->part[2], strlen(s->part[2]));
        opcode_take(s, s->part[2]);
        s->part[0] = (char *)"setp";
    }
    enum ptx_op op = opcode_find(s);
    int narrow = ptx_type_bytes(result) == 2 && result != PTX_B16;
    if (op == OP_NONE ||
        (is_set && !narrow && result != PTX_U32 && result != PTX_S32 && result != PTX_F32))
        flatten_fail(f, fr, "is not supported");
    const struct ptx_operand *d = operand_at(f, fr, in, 0);
    struct ptx_src src[PTX_MAX_SRC] = {
        operand_source(f, fr, operand_at(f, fr, in, 1), ptx_ops[op].src[0]),
        operand_source(f, fr, operand_at(f, fr, in, 2), ptx_ops[op].src[1])};
    int to = operand_dest(f, fr, d), plain = combine < 0 && d->pair < 0 && !is_set;
    int cmp = plain ? to : flatten_vreg(f, PTX_PRED);
    resolve_alu_step(f, fr, op, cmp, src, ftz, 0);
    if (plain) return;
    size_t first = f->p->step_count;
    if (is_set) {
        struct ptx_src pick[PTX_MAX_SRC] = {
            operand_imm(number_of_true(result)), operand_imm(0), operand_reg(cmp)};
        resolve_alu_step(f, fr, narrow ? OP_selp_b16 : OP_selp_b32, to, pick, 0, 0);
    } else {
        struct ptx_src c = combine >= 0 ? operand_source(f, fr, operand_at(f, fr, in, 3), PTX_PRED)
                                        : (struct ptx_src){0};
        int pair = operand_pair(f, fr, d), other = -1;
        if (pair >= 0)
            other =
                operand_emit(f, fr, OP_not_pred, PTX_PRED, operand_reg(cmp), (struct ptx_src){0});
        for (int i = 0; i < (pair >= 0 ? 2 : 1); i++) {
            struct ptx_src both[PTX_MAX_SRC] = {operand_reg(i ? other : cmp), c};
            resolve_alu_step(
                f, fr, combine >= 0 ? bool_op[combine] : OP_mov_pred, i ? pair : to, both, 0, 0);
        }
    }
    for (size_t i = first; i < f->p->step_count; i++) f->p->steps[i].flags |= FLAG_QUIET;
}

/* add.cc, addc, sub.cc, subc, mad.lo.cc, madc: 32-bit arithmetic with a carry. One predicate vreg
 * holds the carry in the whole kernel. .cc sets it; the names that end in c use it.
 *
 *      t = a + b                        c1 = t < a          for sub:  t = a - b     c1 = a < b
 *      k = carry ? 1 : 0
 *      u = t + k                        c2 = u < t                    u = t - k     c2 = t < k
 *      d = u                            carry = c1 or c2
 *
 * For mad, a is the addend and b the product, which is the counted step. For the others, the step
 * that computes t is counted. */
static void resolve_carry(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    int sets = opcode_take(s, "cc"), uses = 0;
    char *name = s->part[0];
    size_t len = strlen(name);
    if (len == 4 && name[3] == 'c') {
        uses = 1;
        name[3] = 0;
    }
    enum ptx_op op = opcode_find(s);
    if (op == OP_NONE || is_wide(ptx_ops[op].d)) flatten_fail(f, fr, "is not supported");
    int mad = !strcmp(name, "mad"), sub = !strcmp(name, "sub");
    if (f->carry < 0) f->carry = flatten_vreg(f, PTX_PRED);
    struct ptx_src a = operand_source(f, fr, operand_at(f, fr, in, 1), PTX_U32);
    struct ptx_src b = operand_source(f, fr, operand_at(f, fr, in, 2), PTX_U32);
    if (mad) {
        struct ptx_src zero = operand_imm(0),
                       c = operand_source(f, fr, operand_at(f, fr, in, 3), PTX_U32);
        int t = flatten_vreg(f, PTX_U32);
        struct ptx_src m[PTX_MAX_SRC] = {a, b, zero};
        resolve_alu_step(f, fr, op, t, m, 0, 0);
        a = c;
        b = operand_reg(t);
    }
    enum ptx_op do_it = sub ? OP_sub_b32 : OP_add_b32;
    int t = operand_emit(f, fr, do_it, PTX_U32, a, b), c1 = -1, c2 = -1;
    if (!mad) f->p->steps[f->p->step_count - 1].flags &= ~(unsigned)FLAG_QUIET;
    if (sets) /* sub: borrow if a < b; add: carry if the sum is below a */
        c1 = operand_emit(f, fr, OP_setp_lt_u32, PTX_PRED, sub ? a : operand_reg(t), sub ? b : a);
    if (uses) {
        struct ptx_src one[PTX_MAX_SRC] = {operand_imm(1), operand_imm(0), operand_reg(f->carry)};
        int k = flatten_vreg(f, PTX_U32);
        resolve_alu_step(f, fr, OP_selp_b32, k, one, 0, 0);
        f->p->steps[f->p->step_count - 1].flags |= FLAG_QUIET;
        int u = operand_emit(f, fr, do_it, PTX_U32, operand_reg(t), operand_reg(k));
        if (sets)
            c2 = operand_emit(f, fr, OP_setp_lt_u32, PTX_PRED, operand_reg(sub ? t : u),
                operand_reg(sub ? k : t));
        t = u;
    }
    size_t first = f->p->step_count;
    struct ptx_src out[PTX_MAX_SRC] = {operand_reg(t)};
    resolve_alu_step(f, fr, OP_mov_b32, operand_dest(f, fr, operand_at(f, fr, in, 0)), out, 0, 0);
    if (sets) {
        struct ptx_src both[PTX_MAX_SRC] = {operand_reg(c1), operand_reg(c2 >= 0 ? c2 : c1)};
        resolve_alu_step(f, fr, OP_or_pred, f->carry, both, 0, 0);
    }
    for (size_t i = first; i < f->p->step_count; i++) f->p->steps[i].flags |= FLAG_QUIET;
}

/* ---- selecting the family of an instruction ---- */

/* Handles arithmetic and moves: removes the modifiers that ops.h lists, then tries the special
 * cases, then the table. */
static void resolve_row(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    if (resolve_half(f, fr, in, s)) return;
    int ftz = opcode_take(s, "ftz"), sat = opcode_take(s, "sat");
    int is_cvt = !strcmp(s->part[0], "cvt"), rounds = opcode_take(s, "rn");
    opcode_take(s, "approx");
    opcode_take(s, "full");
    if (!strcmp(s->part[0], "setp") || !strcmp(s->part[0], "set")) {
        resolve_setp(f, fr, in, s, ftz);
        return;
    }
    if (!strcmp(s->part[0], "addc") || !strcmp(s->part[0], "subc") || !strcmp(s->part[0], "madc")) {
        resolve_carry(f, fr, in, s);
        return;
    }
    for (int i = 1; i < s->count; i++)
        if (!strcmp(s->part[i], "cc")) {
            resolve_carry(f, fr, in, s);
            return;
        }
    if (!strcmp(s->part[0], "mov") && s->count == 2) {
        enum ptx_type t = ptx_type_find(s->part[1], strlen(s->part[1]));
        if (t != PTX_NONE && resolve_mov(f, fr, in, t)) return;
    }
    if (!strcmp(s->part[0], "prmt") && s->count > 2)
        flatten_fail(f, fr, "is not supported (.%s)", s->part[2]);
    enum ptx_op op = opcode_find(s);
    if (op == OP_NONE ||
        (rounds && !is_cvt && ptx_ops[op].src[0] != PTX_F32 && ptx_ops[op].src[0] != PTX_F64))
        flatten_fail(f, fr, "is not supported");
    resolve_alu(f, fr, in, op, ftz, sat);
}

/* Appends the steps of an instruction, according to its family, and gives its guard to all of them.
 * The family is the OPX row of the opcode's name; arithmetic has none and is handled by
 * resolve_row. */
void resolve_inst(struct flatten *f, struct frame *fr, const struct ptx_inst *in)
{
    struct parts s;
    size_t first = f->p->step_count;
    opcode_split(f, fr, in->opcode, &s);
    enum ptx_op family = ptx_op_find(s.part[0]);
    switch (family) {
    case OP_LD: resolve_ld(f, fr, in, &s); break;
    case OP_ST: resolve_st(f, fr, in, &s); break;
    case OP_ATOM: resolve_atom(f, fr, in, &s); break;
    case OP_CVTA: resolve_cvta(f, fr, in, &s); break;
    case OP_MAPA: resolve_mapa(f, fr, in, &s); break;
    case OP_ISSPACEP: resolve_isspacep(f, fr, in, &s); break;
    case OP_BAR: resolve_bar(f, fr, in, &s); break;
    case OP_CPASYNC: resolve_cp(f, fr, in, &s); break;
    case OP_MBARRIER: resolve_mbarrier(f, fr, in, &s); break;
    case OP_LDMATRIX: resolve_ldmatrix(f, fr, in, &s); break;
    case OP_STMATRIX: resolve_stmatrix(f, fr, in, &s); break;
    case OP_MOVMATRIX: resolve_movmatrix(f, fr, in, &s); break;
    case OP_MMA: resolve_mma(f, fr, in, &s); break;
    case OP_WGMMA: resolve_wgmma(f, fr, in, &s); break;
    case OP_SETMAXNREG: resolve_setmaxnreg(f, fr, in, &s); break;
    case OP_ELECT: resolve_elect(f, fr, in, &s); break;
    case OP_FENCE:
        flatten_step(f, fr, OP_FENCE)->detail =
            opcode_take(&s, "proxy") && opcode_take(&s, "async");
        break;
    case OP_PREFETCH: flatten_step(f, fr, OP_PREFETCH); break;
    case OP_TRAP: flatten_step(f, fr, OP_TRAP); break;
    case OP_NOP: flatten_step(f, fr, OP_NOP); break;
    case OP_ACTIVEMASK: {
        int d = operand_dest_as(f, fr, operand_at(f, fr, in, 0), PTX_U32);
        if (d < 0) flatten_fail(f, fr, "needs a register for its result");
        struct ptx_step *st = flatten_step(f, fr, OP_ACTIVEMASK);
        st->type = PTX_B32;
        st->dst[0] = d;
        st->dst_count = 1;
        break;
    }
    default:
        if (ptx_ops[family].traits & PTX_WARP)
            resolve_warp(f, fr, in, family, &s);
        else
            resolve_row(f, fr, in, &s);
        break;
    }
    operand_guard(f, fr, in, first);
}
