/* resolve.c - one PTX instruction to the steps that execute it: its opcode looked up in ops.h, its operands fitted to
 * the row's types. Steps that stand for no instruction of their own (.ftz, a widened result) are quiet: not counted. */
#include "ptx/flatten.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 16 };

/* An opcode in its parts: "ld.global.f32" is ld, global, f32. */
struct parts {
    char text[128];
    char *part[MAX_PARTS];
    int count;
};

static void split(struct flatten *f, struct frame *fr, const char *opcode, struct parts *s)
{
    s->count = 0;
    if (strlen(opcode) >= sizeof s->text)
        flatten_fail(f, fr, "is not supported");
    strcpy(s->text, opcode);
    for (char *p = s->text; p;) {
        if (s->count == MAX_PARTS)
            flatten_fail(f, fr, "is not supported");
        s->part[s->count++] = p;
        p = strchr(p, '.');
        if (p)
            *p++ = 0;
    }
}

/* Remove a part; tells whether it was there. */
static int take(struct parts *s, const char *name)
{
    for (int i = 1; i < s->count; i++)
        if (!strcmp(s->part[i], name)) {
            memmove(&s->part[i], &s->part[i + 1], sizeof s->part[0] * (size_t)(s->count - i - 1));
            s->count--;
            return 1;
        }
    return 0;
}

/* Remove the one part that is among names; returns its index there, or -1. */
static int take_one_of(struct parts *s, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (take(s, names[i]))
            return i;
    return -1;
}

static void take_all(struct parts *s, const char *const *names)
{
    while (take_one_of(s, names) >= 0)
        ;
}

static enum ptx_op find_op(const struct parts *s)
{
    char key[160] = "";
    for (int i = 0; i < s->count; i++) {
        if (i)
            strcat(key, ".");
        strcat(key, s->part[i]);
    }
    return ptx_op_find(key);
}

static enum ptx_type last_type(struct flatten *f, struct frame *fr, struct parts *s)
{
    enum ptx_type t = s->count > 1 ? ptx_type_find(s->part[s->count - 1], strlen(s->part[s->count - 1])) : PTX_NONE;
    if (t == PTX_NONE)
        flatten_fail(f, fr, "has a type that is not supported");
    s->count--;
    return t;
}

static void no_more(struct flatten *f, struct frame *fr, const struct parts *s)
{
    if (s->count > 1)
        flatten_fail(f, fr, "is not supported (.%s)", s->part[1]);
}

/* ---- operands ---- */

static enum ptx_type slot_type(const struct flatten *f, int slot)
{
    return f->p->slots[slot].type;
}

static int is_wide(enum ptx_type t)
{
    return ptx_type_bytes(t) == 8;
}

static struct ptx_src reg_src(int slot)
{
    return (struct ptx_src){.kind = SRC_REG, .reg = slot};
}

static struct ptx_src imm_src(uint64_t v)
{
    return (struct ptx_src){.kind = SRC_IMM, .imm = v};
}

static int emit(struct flatten *f, struct frame *fr, enum ptx_op op, enum ptx_type type, struct ptx_src a,
                struct ptx_src b)
{
    int d = flatten_slot(f, type);
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

static int find_sreg(const char *name)
{
    static const char *const names[SREG_COUNT] = {
        "%tid.x", "%tid.y", "%tid.z", "%ntid.x", "%ntid.y", "%ntid.z", "%ctaid.x", "%ctaid.y", "%ctaid.z",
        "%nctaid.x", "%nctaid.y", "%nctaid.z", "%laneid", "%warpid", "%nwarpid", "WARP_SZ", "%smid", "%nsmid",
        "%gridid", "%clock", "%clock64", "%globaltimer", "%lanemask_eq", "%lanemask_le", "%lanemask_lt",
        "%lanemask_ge", "%lanemask_gt", "%dynamic_smem_size", "%total_smem_size",
    };
    for (int i = 0; i < SREG_COUNT; i++)
        if (!strcmp(names[i], name))
            return i;
    return -1;
}

/* Does a register hold a result of type t? A wider one does: widen() fills it. */
static void check_slot(struct flatten *f, struct frame *fr, int slot, enum ptx_type t)
{
    enum ptx_type have = slot >= 0 ? slot_type(f, slot) : t;
    if ((have == PTX_PRED) != (t == PTX_PRED) || (is_wide(t) && !is_wide(have)))
        flatten_fail(f, fr, "has a result of the wrong type");
}

/* A special register's value in a slot of its own. */
static int read_sreg(struct flatten *f, struct frame *fr, const char *name, enum ptx_type type, int slot)
{
    int which = find_sreg(name);
    if (which < 0)
        flatten_fail(f, fr, "reads %s, which is not supported", name);
    if (slot < 0)
        slot = flatten_slot(f, type);
    check_slot(f, fr, slot, type);
    struct ptx_step *s = flatten_step(f, fr, OP_SREG);
    s->type = type;
    s->detail = which;
    s->dst[0] = slot;
    s->dst_count = 1;
    return slot;
}

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

/* A source operand as a value of type want. */
static struct ptx_src source(struct flatten *f, struct frame *fr, const struct ptx_operand *o, enum ptx_type want)
{
    if (want == PTX_PRED && o->kind != OPERAND_REG && o->kind != OPERAND_IMM)
        flatten_fail(f, fr, "has an operand of the wrong type");
    switch (o->kind) {
    case OPERAND_REG: {
        int slot = fr->slot_base + o->reg;
        enum ptx_type have = slot_type(f, slot);
        if ((have == PTX_PRED) != (want == PTX_PRED) || (o->negated && want != PTX_PRED))
            flatten_fail(f, fr, "has an operand of the wrong type");
        if (o->negated)
            slot = emit(f, fr, OP_not_pred, PTX_PRED, reg_src(slot), (struct ptx_src){0});
        if (want != PTX_PRED && is_wide(have) && !is_wide(want))
            slot = emit(f, fr, OP_low_b64, PTX_B32, reg_src(slot), (struct ptx_src){0});
        else if (want != PTX_PRED && !is_wide(have) && is_wide(want))
            flatten_fail(f, fr, "reads a register that is too narrow");
        return reg_src(slot);
    }
    case OPERAND_IMM:
        return imm_src(want == PTX_PRED ? (o->imm ? ~(uint64_t)0 : 0) : immediate(o, want));
    case OPERAND_SREG:
        return reg_src(read_sreg(f, fr, o->symbol, want, -1));
    case OPERAND_SYMBOL: {
        if (!strcmp(o->symbol, "WARP_SZ"))
            return imm_src(32);
        int object = flatten_object(f, fr, o->symbol);
        if (object < 0)
            flatten_unknown(f, fr, o->symbol);
        return (struct ptx_src){.kind = SRC_ADDRESS, .reg = object, .imm = (uint64_t)o->imm};
    }
    default:
        flatten_fail(f, fr, "has an operand that does not belong there");
    }
}

static const struct ptx_operand *operand(struct flatten *f, struct frame *fr, const struct ptx_inst *in, int i)
{
    if (i >= in->operand_count)
        flatten_fail(f, fr, "has too few operands");
    return &in->operand[i];
}

static int dest(struct flatten *f, struct frame *fr, const struct ptx_operand *o)
{
    if (o->kind == OPERAND_SINK)
        return -1;
    if (o->kind != OPERAND_REG || o->negated)
        flatten_fail(f, fr, "needs a register for its result");
    return fr->slot_base + o->reg;
}

static int dest_as(struct flatten *f, struct frame *fr, const struct ptx_operand *o, enum ptx_type t)
{
    int slot = dest(f, fr, o);
    check_slot(f, fr, slot, t);
    return slot;
}

/* The predicate q of d|q, or -1. */
static int pair_of(struct flatten *f, struct frame *fr, const struct ptx_operand *d)
{
    int slot = d->kind == OPERAND_REG && d->pair >= 0 ? fr->slot_base + d->pair : -1;
    check_slot(f, fr, slot, PTX_PRED);
    return slot;
}

/* Where a result of type t goes when the register slot is wider: a temporary, widened afterwards by widen(). */
static int narrow_dest(struct flatten *f, int slot, enum ptx_type t)
{
    if (slot >= 0 && t != PTX_PRED && is_wide(slot_type(f, slot)) && !is_wide(t))
        return flatten_slot(f, PTX_B32);
    return slot;
}

static void guard(struct flatten *f, struct frame *fr, const struct ptx_inst *in, size_t first)
{
    if (in->guard < 0)
        return;
    for (size_t i = first; i < f->p->step_count; i++) {
        f->p->steps[i].guard = fr->slot_base + in->guard;
        f->p->steps[i].guard_negated = in->guard_negated;
    }
}

static void widen(struct flatten *f, struct frame *fr, int from, int to, enum ptx_type t)
{
    if (from == to || to < 0)
        return;
    int is_signed = t == PTX_S8 || t == PTX_S16 || t == PTX_S32;
    struct ptx_step *s = flatten_step(f, fr, is_signed ? OP_cvt_b64_s32 : OP_cvt_b64_u32);
    s->flags |= FLAG_QUIET;
    s->type = PTX_B64;
    s->dst[0] = to;
    s->dst_count = 1;
    s->src[0] = reg_src(from);
    s->src_count = 1;
}

/* ---- rows with a meaning ---- */

/* d = op(sources), with .ftz and .sat around it. */
static void alu(struct flatten *f, struct frame *fr, enum ptx_op op, int d, const struct ptx_src *src, int ftz, int sat)
{
    const struct ptx_op_info *info = &ptx_ops[op];
    struct ptx_src in[PTX_MAX_SRC] = {{0}};
    check_slot(f, fr, d, info->d);
    for (int i = 0; i < info->arity; i++) {
        in[i] = src[i];
        if (ftz && info->src[i] == PTX_F32)
            in[i] = reg_src(emit(f, fr, OP_ftz_f32, PTX_F32, src[i], (struct ptx_src){0}));
    }
    int out = narrow_dest(f, d, info->d), at = out;
    int flush = ftz && info->d == PTX_F32;
    if (flush || sat)
        at = flatten_slot(f, info->d);
    struct ptx_step *s = flatten_step(f, fr, op);
    s->type = info->d;
    s->dst[0] = at;
    s->dst_count = 1;
    memcpy(s->src, in, sizeof s->src);
    s->src_count = info->arity;
    for (int pass = 0; pass < 2; pass++) {
        enum ptx_op after = pass ? (info->d == PTX_F64 ? OP_sat_f64 : OP_sat_f32) : OP_ftz_f32;
        if (pass ? !sat : !flush)
            continue;
        int to = pass == 0 && sat ? flatten_slot(f, info->d) : out;
        struct ptx_step *t = flatten_step(f, fr, after);
        t->flags |= FLAG_QUIET;
        t->type = info->d;
        t->dst[0] = to;
        t->dst_count = 1;
        t->src[0] = reg_src(at);
        t->src_count = 1;
        at = to;
    }
    widen(f, fr, out, d, info->d);
}

static void resolve_alu(struct flatten *f, struct frame *fr, const struct ptx_inst *in, enum ptx_op op, int ftz, int sat)
{
    const struct ptx_op_info *info = &ptx_ops[op];
    struct ptx_src src[PTX_MAX_SRC] = {{0}};
    if (sat && info->d != PTX_F32 && info->d != PTX_F64)
        flatten_fail(f, fr, "is not supported (.sat)");
    for (int i = 0; i < info->arity; i++)
        src[i] = source(f, fr, operand(f, fr, in, 1 + i), info->src[i]);
    if (in->operand_count > info->arity + 1)
        flatten_fail(f, fr, "has too many operands");
    alu(f, fr, op, dest(f, fr, operand(f, fr, in, 0)), src, ftz, sat);
}

/* mov between a register and {low, high}, from special registers, of addresses. Returns 0 when it is a plain row. */
static int resolve_mov(struct flatten *f, struct frame *fr, const struct ptx_inst *in, enum ptx_type t)
{
    const struct ptx_operand *d = operand(f, fr, in, 0), *a = operand(f, fr, in, 1);
    if (d->kind == OPERAND_VECTOR || a->kind == OPERAND_VECTOR) {
        const struct ptx_operand *v = d->kind == OPERAND_VECTOR ? d : a;
        int wide = is_wide(t);
        if (v->element_count != 2 || ptx_type_bytes(t) < 4)
            flatten_fail(f, fr, "is not supported for this shape");
        enum ptx_type half = wide ? PTX_B32 : PTX_B16;
        if (v == a) {
            struct ptx_src src[PTX_MAX_SRC] = {source(f, fr, &v->elements[0], half), source(f, fr, &v->elements[1], half)};
            alu(f, fr, wide ? OP_pack_b64 : OP_pack_b32, dest(f, fr, d), src, 0, 0);
            return 1;
        }
        struct ptx_src src[PTX_MAX_SRC] = {source(f, fr, a, t)};
        for (int i = 0, n = 0; i < 2; i++) {
            int to = dest(f, fr, &v->elements[i]);
            enum ptx_op op = wide ? (i ? OP_high_b64 : OP_low_b64) : (i ? OP_high_b32 : OP_low_b32);
            if (to < 0)
                continue;
            size_t first = f->p->step_count;
            alu(f, fr, op, to, src, 0, 0);
            if (n++)
                f->p->steps[first].flags |= FLAG_QUIET;
        }
        return 1;
    }
    if (a->kind == OPERAND_SREG) {
        read_sreg(f, fr, a->symbol, t, dest(f, fr, d));
        return 1;
    }
    return 0;
}

/* setp.cmp{.and|.or|.xor}.type p{|q}, a, b{, c};   set.cmp.dtype.type d, a, b */
static void resolve_setp(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s, int ftz)
{
    static const char *const bools[] = {"and", "or", "xor", NULL};
    static const enum ptx_op bool_op[] = {OP_and_pred, OP_or_pred, OP_xor_pred};
    int combine = take_one_of(s, bools), is_set = !strcmp(s->part[0], "set");
    enum ptx_type result = PTX_PRED;
    if (is_set) {
        if (s->count != 4 || combine >= 0)
            flatten_fail(f, fr, "is not supported");
        result = ptx_type_find(s->part[2], strlen(s->part[2]));
        take(s, s->part[2]);
        s->part[0] = (char *)"setp";
    }
    enum ptx_op op = find_op(s);
    if (op == OP_NONE || (is_set && result != PTX_U32 && result != PTX_S32 && result != PTX_F32))
        flatten_fail(f, fr, "is not supported");
    const struct ptx_operand *d = operand(f, fr, in, 0);
    struct ptx_src src[PTX_MAX_SRC] = {source(f, fr, operand(f, fr, in, 1), ptx_ops[op].src[0]),
                                       source(f, fr, operand(f, fr, in, 2), ptx_ops[op].src[1])};
    int to = dest(f, fr, d), plain = combine < 0 && d->pair < 0 && !is_set;
    int cmp = plain ? to : flatten_slot(f, PTX_PRED);
    alu(f, fr, op, cmp, src, ftz, 0);
    if (plain)
        return;
    size_t first = f->p->step_count;
    if (is_set) {
        struct ptx_src pick[PTX_MAX_SRC] = {imm_src(result == PTX_F32 ? 0x3f800000u : 0xffffffffu), imm_src(0), reg_src(cmp)};
        alu(f, fr, OP_selp_b32, to, pick, 0, 0);
    } else {
        struct ptx_src c = combine >= 0 ? source(f, fr, operand(f, fr, in, 3), PTX_PRED) : (struct ptx_src){0};
        int pair = pair_of(f, fr, d), other = pair >= 0 ? emit(f, fr, OP_not_pred, PTX_PRED, reg_src(cmp), (struct ptx_src){0}) : -1;
        for (int i = 0; i < (pair >= 0 ? 2 : 1); i++) {
            struct ptx_src both[PTX_MAX_SRC] = {reg_src(i ? other : cmp), c};
            alu(f, fr, combine >= 0 ? bool_op[combine] : OP_mov_pred, i ? pair : to, both, 0, 0);
        }
    }
    for (size_t i = first; i < f->p->step_count; i++)
        f->p->steps[i].flags |= FLAG_QUIET;
}

/* add.cc, addc, sub.cc, subc, mad.lo.cc, madc: through a carry kept in a predicate. */
static void resolve_carry(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    int sets = take(s, "cc"), uses = 0;
    char *name = s->part[0];
    size_t len = strlen(name);
    if (len == 4 && name[3] == 'c') {
        uses = 1;
        name[3] = 0;
    }
    enum ptx_op op = find_op(s);
    if (op == OP_NONE || is_wide(ptx_ops[op].d))
        flatten_fail(f, fr, "is not supported");
    int mad = !strcmp(name, "mad"), sub = !strcmp(name, "sub");
    if (f->carry < 0)
        f->carry = flatten_slot(f, PTX_PRED);
    struct ptx_src a = source(f, fr, operand(f, fr, in, 1), PTX_U32), b = source(f, fr, operand(f, fr, in, 2), PTX_U32);
    if (mad) {
        struct ptx_src zero = imm_src(0), c = source(f, fr, operand(f, fr, in, 3), PTX_U32);
        int t = flatten_slot(f, PTX_U32);
        struct ptx_src m[PTX_MAX_SRC] = {a, b, zero};
        alu(f, fr, op, t, m, 0, 0);
        a = c;
        b = reg_src(t);
    }
    enum ptx_op do_it = sub ? OP_sub_b32 : OP_add_b32;
    int t = emit(f, fr, do_it, PTX_U32, a, b), c1 = -1, c2 = -1;
    if (!mad)
        f->p->steps[f->p->step_count - 1].flags &= ~(unsigned)FLAG_QUIET;
    if (sets) /* a borrow when a < b, a carry when the sum is below a */
        c1 = emit(f, fr, OP_setp_lt_u32, PTX_PRED, sub ? a : reg_src(t), sub ? b : a);
    if (uses) {
        struct ptx_src one[PTX_MAX_SRC] = {imm_src(1), imm_src(0), reg_src(f->carry)};
        int k = flatten_slot(f, PTX_U32);
        alu(f, fr, OP_selp_b32, k, one, 0, 0);
        f->p->steps[f->p->step_count - 1].flags |= FLAG_QUIET;
        int u = emit(f, fr, do_it, PTX_U32, reg_src(t), reg_src(k));
        if (sets)
            c2 = emit(f, fr, OP_setp_lt_u32, PTX_PRED, sub ? reg_src(t) : reg_src(u), sub ? reg_src(k) : reg_src(t));
        t = u;
    }
    size_t first = f->p->step_count;
    struct ptx_src out[PTX_MAX_SRC] = {reg_src(t)};
    alu(f, fr, OP_mov_b32, dest(f, fr, operand(f, fr, in, 0)), out, 0, 0);
    if (sets) {
        struct ptx_src both[PTX_MAX_SRC] = {reg_src(c1), reg_src(c2 >= 0 ? c2 : c1)};
        alu(f, fr, OP_or_pred, f->carry, both, 0, 0);
    }
    for (size_t i = first; i < f->p->step_count; i++)
        f->p->steps[i].flags |= FLAG_QUIET;
}

/* ---- memory ---- */

static enum ptx_space take_space(struct parts *s)
{
    static const char *const names[] = {"global", "shared", "shared::cta", "const", "local", "param",
                                        "param::entry", "param::func", NULL};
    static const enum ptx_space spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_SHARED, SPACE_CONST, SPACE_LOCAL,
                                            SPACE_PARAM, SPACE_PARAM, SPACE_PARAM};
    int i = take_one_of(s, names);
    return i < 0 ? SPACE_GENERIC : spaces[i];
}

/* Orderings, scopes and cache hints: lanes run in order and the caches are the device's, so they change nothing. */
static void take_hints(struct parts *s)
{
    static const char *const hints[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc", "cta", "gpu", "sys",
        "cluster", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "noftz", "L1::evict_normal", "L1::evict_unchanged",
        "L1::evict_first", "L1::evict_last", "L1::no_allocate", "L2::64B", "L2::128B", "L2::256B", NULL};
    take_all(s, hints);
}

/* The address of [..] becomes src[0] and offset. */
static void address(struct flatten *f, struct frame *fr, const struct ptx_operand *o, struct ptx_step *to)
{
    if (o->kind != OPERAND_MEM)
        flatten_fail(f, fr, "needs an address in brackets");
    to->offset = o->imm;
    if (o->reg >= 0) {
        int slot = fr->slot_base + o->reg;
        enum ptx_type have = slot_type(f, slot);
        if (ptx_type_bytes(have) < 4)
            flatten_fail(f, fr, "has an address of the wrong type");
        if (!is_wide(have))
            slot = emit(f, fr, OP_cvt_b64_u32, PTX_U64, reg_src(slot), (struct ptx_src){0});
        to->src[0] = reg_src(slot);
    } else if (o->symbol) {
        int object = flatten_object(f, fr, o->symbol);
        if (object < 0)
            flatten_unknown(f, fr, o->symbol);
        to->src[0] = (struct ptx_src){.kind = SRC_ADDRESS, .reg = object};
        /* parameters of an inlined function live in local memory */
        if (to->space == SPACE_PARAM && f->p->objects[object].space == SPACE_LOCAL) {
            to->space = SPACE_LOCAL;
            to->flags |= FLAG_QUIET;
        }
    } else {
        to->src[0] = imm_src(0);
    }
    to->src_count = 1;
}

static void finish_step(struct flatten *f, struct frame *fr, const struct ptx_step *made)
{
    struct ptx_step *s = flatten_step(f, fr, made->op), keep = *s;
    *s = *made;
    s->loc = keep.loc;
    s->text = keep.text;
    s->guard = -1;
    s->target = -1;
}

static int take_vector(struct parts *s)
{
    return take(s, "v2") ? 2 : take(s, "v4") ? 4 : 1;
}

static void resolve_ld(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    struct ptx_step st = {.op = OP_LD, .dst_pair = -1};
    if (take(s, "volatile"))
        st.flags |= FLAG_VOLATILE;
    st.space = take_space(s);
    take_hints(s);
    if (take(s, "nc") || !strcmp(s->part[0], "ldu"))
        st.flags |= FLAG_READONLY;
    st.vector = take_vector(s);
    st.type = last_type(f, fr, s);
    no_more(f, fr, s);
    const struct ptx_operand *d = operand(f, fr, in, 0);
    address(f, fr, operand(f, fr, in, 1), &st);
    if (d->kind == OPERAND_VECTOR ? d->element_count != st.vector : st.vector != 1)
        flatten_fail(f, fr, "has the wrong number of results");
    for (int i = 0; i < st.vector; i++) {
        int slot = dest(f, fr, d->kind == OPERAND_VECTOR ? &d->elements[i] : d);
        if (slot >= 0 && (slot_type(f, slot) == PTX_PRED || (ptx_type_bytes(st.type) == 8 && !is_wide(slot_type(f, slot)))))
            flatten_fail(f, fr, "loads into a register of the wrong type");
        st.dst[st.dst_count++] = slot;
    }
    finish_step(f, fr, &st);
}

static void resolve_st(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    struct ptx_step st = {.op = OP_ST, .dst_pair = -1};
    if (take(s, "volatile"))
        st.flags |= FLAG_VOLATILE;
    st.space = take_space(s);
    take_hints(s);
    st.vector = take_vector(s);
    st.type = last_type(f, fr, s);
    no_more(f, fr, s);
    const struct ptx_operand *v = operand(f, fr, in, 1);
    address(f, fr, operand(f, fr, in, 0), &st);
    if (st.space == SPACE_PARAM)
        flatten_fail(f, fr, "stores to a parameter of the kernel");
    if (v->kind == OPERAND_VECTOR ? v->element_count != st.vector : st.vector != 1)
        flatten_fail(f, fr, "has the wrong number of values");
    /* the values follow the address: vector ones in dst's places, as there may be four */
    for (int i = 0; i < st.vector; i++) {
        struct ptx_src a = source(f, fr, v->kind == OPERAND_VECTOR ? &v->elements[i] : v, st.type);
        if (a.kind != SRC_REG) {
            enum ptx_op mov = is_wide(st.type) ? OP_mov_b64 : OP_mov_b32;
            a = reg_src(emit(f, fr, mov, is_wide(st.type) ? PTX_B64 : PTX_B32, a, (struct ptx_src){0}));
        }
        st.dst[st.dst_count++] = a.reg;
    }
    finish_step(f, fr, &st);
}

/* atom{.space}.op.type d, [a], b{, c};   red{.space}.op.type [a], b */
static void resolve_atom(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const names[] = {"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec", NULL};
    int red = !strcmp(s->part[0], "red");
    struct ptx_step st = {.op = OP_ATOM, .dst_pair = -1, .vector = 1};
    st.space = take_space(s);
    take_hints(s);
    st.type = last_type(f, fr, s);
    st.detail = take_one_of(s, names);
    no_more(f, fr, s);
    unsigned bytes = ptx_type_bytes(st.type);
    if (st.detail < 0 || (bytes != 4 && bytes != 8) || (red && st.detail >= ATOM_EXCH && st.detail <= ATOM_CAS))
        flatten_fail(f, fr, "is not supported");
    if ((st.type == PTX_F32 || st.type == PTX_F64) && st.detail != ATOM_ADD)
        flatten_fail(f, fr, "is not supported");
    address(f, fr, operand(f, fr, in, !red), &st);
    if (st.space == SPACE_CONST || st.space == SPACE_PARAM || st.space == SPACE_LOCAL)
        flatten_fail(f, fr, "works on global or shared memory only");
    int values = st.detail == ATOM_CAS ? 2 : 1;
    for (int i = 0; i < values; i++)
        st.src[st.src_count++] = source(f, fr, operand(f, fr, in, !red + 1 + i), st.type);
    st.dst[0] = red ? -1 : dest_as(f, fr, operand(f, fr, in, 0), st.type);
    st.dst_count = 1;
    finish_step(f, fr, &st);
}

/* cvta moves an address between a space's window and the generic space; global and constant addresses are generic. */
static void resolve_cvta(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    int to = take(s, "to");
    enum ptx_space space = take_space(s);
    enum ptx_type t = last_type(f, fr, s);
    no_more(f, fr, s);
    if (!is_wide(t))
        flatten_fail(f, fr, "is not supported for 32-bit addresses");
    uint64_t window = space == SPACE_SHARED ? SHARED_WINDOW : space == SPACE_LOCAL ? LOCAL_WINDOW : 0;
    struct ptx_src src[PTX_MAX_SRC] = {source(f, fr, operand(f, fr, in, 1), PTX_U64), imm_src(to ? 0 - window : window)};
    alu(f, fr, window ? OP_add_b64 : OP_mov_b64, dest(f, fr, operand(f, fr, in, 0)), src, 0, 0);
}

static void resolve_isspacep(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    enum ptx_space space = take_space(s);
    no_more(f, fr, s);
    if (space != SPACE_GLOBAL && space != SPACE_SHARED && space != SPACE_LOCAL)
        flatten_fail(f, fr, "is not supported");
    struct ptx_src a = source(f, fr, operand(f, fr, in, 1), PTX_U64);
    int window = emit(f, fr, OP_shr_u64, PTX_U64, a, imm_src(40));
    struct ptx_src src[PTX_MAX_SRC] = {reg_src(window), imm_src(space == SPACE_SHARED ? 1 : 2)};
    alu(f, fr, space == SPACE_GLOBAL ? OP_setp_gt_u64 : OP_setp_eq_u64, dest(f, fr, operand(f, fr, in, 0)), src, 0, 0);
}

/* ---- lanes together ---- */

static void resolve_shfl(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx", NULL};
    struct ptx_step st = {.op = OP_SHFL, .dst_pair = -1, .type = PTX_B32};
    if (!take(s, "sync"))
        flatten_fail(f, fr, "is not supported: use the _sync form");
    st.detail = take_one_of(s, modes);
    if (st.detail < 0 || !take(s, "b32"))
        flatten_fail(f, fr, "is not supported");
    no_more(f, fr, s);
    const struct ptx_operand *d = operand(f, fr, in, 0);
    st.dst[0] = dest_as(f, fr, d, PTX_U32);
    st.dst_count = 1;
    st.dst_pair = pair_of(f, fr, d);
    for (int i = 0; i < 4; i++)
        st.src[st.src_count++] = source(f, fr, operand(f, fr, in, 1 + i), PTX_U32);
    finish_step(f, fr, &st);
}

static void resolve_vote(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const modes[] = {"all", "any", "uni", "ballot", NULL};
    struct ptx_step st = {.op = OP_VOTE, .dst_pair = -1};
    if (!take(s, "sync"))
        flatten_fail(f, fr, "is not supported: use the _sync form");
    st.detail = take_one_of(s, modes);
    st.type = last_type(f, fr, s);
    no_more(f, fr, s);
    if (st.detail < 0)
        flatten_fail(f, fr, "is not supported");
    st.dst[0] = dest_as(f, fr, operand(f, fr, in, 0), st.detail == VOTE_BALLOT ? PTX_U32 : PTX_PRED);
    if (st.dst[0] < 0)
        flatten_fail(f, fr, "needs a register for its result");
    st.dst_count = 1;
    st.src[0] = source(f, fr, operand(f, fr, in, 1), PTX_PRED);
    st.src[1] = source(f, fr, operand(f, fr, in, 2), PTX_U32);
    st.src_count = 2;
    finish_step(f, fr, &st);
}

static void resolve_match(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const modes[] = {"any", "all", NULL};
    struct ptx_step st = {.op = OP_MATCH, .dst_pair = -1};
    take(s, "sync");
    st.detail = take_one_of(s, modes);
    st.type = last_type(f, fr, s);
    no_more(f, fr, s);
    if (st.detail < 0 || ptx_type_bytes(st.type) < 4)
        flatten_fail(f, fr, "is not supported");
    const struct ptx_operand *d = operand(f, fr, in, 0);
    st.dst[0] = dest_as(f, fr, d, PTX_U32);
    st.dst_count = 1;
    st.dst_pair = pair_of(f, fr, d);
    st.src[0] = source(f, fr, operand(f, fr, in, 1), st.type);
    st.src[1] = source(f, fr, operand(f, fr, in, 2), PTX_U32);
    st.src_count = 2;
    finish_step(f, fr, &st);
}

static void resolve_bar(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    struct ptx_step st = {.op = OP_BAR, .dst_pair = -1};
    if (take(s, "warp")) {
        flatten_step(f, fr, OP_BARWARP);
        return;
    }
    take(s, "cta");
    take(s, "aligned");
    if (!take(s, "sync"))
        flatten_fail(f, fr, "is not supported: only barriers that all threads of the block wait at are");
    no_more(f, fr, s);
    if (in->operand_count > 1)
        flatten_fail(f, fr, "with a thread count is not supported: only barriers of the whole block are");
    const struct ptx_operand *id = operand(f, fr, in, 0);
    if (id->kind != OPERAND_IMM)
        flatten_fail(f, fr, "is not supported with a barrier number that is not constant");
    st.detail = (int)id->imm;
    finish_step(f, fr, &st);
}

/* ---- the way in ---- */

static enum ptx_op family(const struct parts *s)
{
    enum ptx_op op = ptx_op_find(s->part[0]);
    if (op != OP_NONE)
        return op;
    if (!strcmp(s->part[0], "shfl"))
        return OP_SHFL;
    if (!strcmp(s->part[0], "vote"))
        return OP_VOTE;
    return !strcmp(s->part[0], "activemask") ? OP_ACTIVEMASK : OP_NONE;
}

static void resolve_row(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    int ftz = take(s, "ftz"), sat = take(s, "sat");
    int is_cvt = !strcmp(s->part[0], "cvt"), rounds = take(s, "rn");
    take(s, "approx");
    take(s, "full");
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
        if (t != PTX_NONE && resolve_mov(f, fr, in, t))
            return;
    }
    if (!strcmp(s->part[0], "prmt") && s->count > 2)
        flatten_fail(f, fr, "is not supported (.%s)", s->part[2]);
    enum ptx_op op = find_op(s);
    if (op == OP_NONE || (rounds && !is_cvt && ptx_ops[op].src[0] != PTX_F32 && ptx_ops[op].src[0] != PTX_F64))
        flatten_fail(f, fr, "is not supported");
    resolve_alu(f, fr, in, op, ftz, sat);
}

void resolve_inst(struct flatten *f, struct frame *fr, const struct ptx_inst *in)
{
    struct parts s;
    size_t first = f->p->step_count;
    split(f, fr, in->opcode, &s);
    switch (family(&s)) {
    case OP_LD: resolve_ld(f, fr, in, &s); break;
    case OP_ST: resolve_st(f, fr, in, &s); break;
    case OP_ATOM: resolve_atom(f, fr, in, &s); break;
    case OP_CVTA: resolve_cvta(f, fr, in, &s); break;
    case OP_ISSPACEP: resolve_isspacep(f, fr, in, &s); break;
    case OP_SHFL: resolve_shfl(f, fr, in, &s); break;
    case OP_VOTE: resolve_vote(f, fr, in, &s); break;
    case OP_MATCH: resolve_match(f, fr, in, &s); break;
    case OP_BAR: resolve_bar(f, fr, in, &s); break;
    case OP_FENCE:
    case OP_PREFETCH: flatten_step(f, fr, ptx_op_find(s.part[0])); break;
    case OP_TRAP: flatten_step(f, fr, OP_TRAP); break;
    case OP_NOP: flatten_step(f, fr, OP_NOP); break;
    case OP_ACTIVEMASK: {
        int d = dest_as(f, fr, operand(f, fr, in, 0), PTX_U32);
        if (d < 0)
            flatten_fail(f, fr, "needs a register for its result");
        struct ptx_step *st = flatten_step(f, fr, OP_ACTIVEMASK);
        st->type = PTX_B32;
        st->dst[0] = d;
        st->dst_count = 1;
        break;
    }
    default: resolve_row(f, fr, in, &s); break;
    }
    guard(f, fr, in, first);
}
