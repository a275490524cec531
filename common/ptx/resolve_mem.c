/* resolve_mem.c - loads, stores, atomics, and conversions of addresses between spaces.
 *
 *      generic address     0 ........... 2^40 ........... 2^41 ........... 3 x 2^40 .....
 *      space                             shared           local            global, constant
 *
 * Source: PTX ISA, data movement instructions, atom, red, cvta, isspacep; state spaces. */
#include "ptx/resolve.h"

#include <string.h>

/* Remove the state space from the opcode and return it. If the opcode has none, the address is
 * generic. */
enum ptx_space resolve_take_space(struct parts *s)
{
    static const char *const names[] = {"global", "shared", "shared::cta", "shared::cluster",
        "const", "local", "param", "param::entry", "param::func", NULL};
    static const enum ptx_space spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_SHARED, SPACE_SHARED,
        SPACE_CONST, SPACE_LOCAL, SPACE_PARAM, SPACE_PARAM, SPACE_PARAM};
    int i = opcode_take_one_of(s, names);
    return i < 0 ? SPACE_GENERIC : spaces[i];
}

/* Remove memory orderings, scopes and cache hints. The simulator runs lanes in order, so these
 * change no result. */
void resolve_take_hints(struct parts *s)
{
    static const char *const hints[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc",
        "cta", "gpu", "sys", "cluster", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "noftz",
        "L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last",
        "L1::no_allocate", "L2::64B", "L2::128B", "L2::256B", NULL};
    opcode_take_all(s, hints);
}

/* Converts the operand [..] to src[0] and offset of the step. A 32-bit address register is
 * widened. */
void resolve_address(
    struct flatten *f, struct frame *fr, const struct ptx_operand *o, struct ptx_step *to)
{
    if (o->kind != OPERAND_MEM) flatten_fail(f, fr, "needs an address in brackets");
    to->offset = o->imm;
    if (o->reg >= 0) {
        int vreg = fr->vreg_base + o->reg;
        enum ptx_type have = slot_type(f, vreg);
        if (ptx_type_bytes(have) < 4) flatten_fail(f, fr, "has an address of the wrong type");
        if (!is_wide(have))
            vreg = operand_emit(
                f, fr, OP_cvt_b64_u32, PTX_U64, operand_reg(vreg), (struct ptx_src){0});
        to->src[0] = operand_reg(vreg);
    } else if (o->symbol) {
        int object = flatten_object(f, fr, o->symbol);
        if (object < 0) flatten_unknown(f, fr, o->symbol);
        to->src[0] = flatten_address(f, fr, object, 0);
        /* Parameters of an inlined function are in local memory, and accesses to them are not
         * counted. */
        if (to->space == SPACE_PARAM && f->p->objects[object].space == SPACE_LOCAL) {
            to->space = SPACE_LOCAL;
            to->flags |= FLAG_QUIET;
        }
    } else {
        to->src[0] = operand_imm(0);
    }
    to->src_count = 1;
}

/* The caller must fill in *made, except the fields that flatten_step and operand_guard set. */
void resolve_finish(struct flatten *f, struct frame *fr, const struct ptx_step *made)
{
    struct ptx_step *s = flatten_step(f, fr, made->op), keep = *s;
    *s = *made;
    s->loc = keep.loc;
    s->text = keep.text;
    s->guard = -1;
    s->target = -1;
}

/* Remove .v2 or .v4; returns the number of elements of the access. */
static int take_vector(struct parts *s)
{
    return opcode_take(s, "v2") ? 2 : opcode_take(s, "v4") ? 4 : 1;
}

/* Handles ld{.volatile}{.space}{hints}{.nc}{.vec}.type d, [a]. Two modifiers exist only in the
 * kit's own texture functions: .texel for an element of a texture, and .descriptor for its
 * description, whose load is not counted since a GPU needs none. */
void resolve_ld(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    struct ptx_step st = {.op = OP_LD, .dst_pair = -1};
    if (opcode_take(s, "volatile")) st.flags |= FLAG_VOLATILE;
    st.space = resolve_take_space(s);
    resolve_take_hints(s);
    if (opcode_take(s, "nc") || !strcmp(s->part[0], "ldu")) st.flags |= FLAG_READONLY;
    if (opcode_take(s, "texel")) st.flags |= FLAG_TEXEL;
    if (opcode_take(s, "descriptor")) st.flags |= FLAG_QUIET;
    st.vector = take_vector(s);
    st.type = opcode_last_type(f, fr, s);
    opcode_no_more(f, fr, s);
    const struct ptx_operand *d = operand_at(f, fr, in, 0);
    resolve_address(f, fr, operand_at(f, fr, in, 1), &st);
    if (d->kind == OPERAND_VECTOR ? d->element_count != st.vector : st.vector != 1)
        flatten_fail(f, fr, "has the wrong number of results");
    for (int i = 0; i < st.vector; i++) {
        int vreg = operand_dest(f, fr, d->kind == OPERAND_VECTOR ? &d->elements[i] : d);
        if (vreg >= 0 && (slot_type(f, vreg) == PTX_PRED ||
                             (ptx_type_bytes(st.type) == 8 && !is_wide(slot_type(f, vreg)))))
            flatten_fail(f, fr, "loads into a register of the wrong type");
        st.dst[st.dst_count++] = vreg;
    }
    resolve_finish(f, fr, &st);
}

/* Handles st{.volatile}{.space}{hints}{.vec}.type [a], b. Values must be in vregs, so an immediate
 * is first moved to one. */
void resolve_st(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    struct ptx_step st = {.op = OP_ST, .dst_pair = -1};
    if (opcode_take(s, "volatile")) st.flags |= FLAG_VOLATILE;
    st.space = resolve_take_space(s);
    resolve_take_hints(s);
    st.vector = take_vector(s);
    st.type = opcode_last_type(f, fr, s);
    opcode_no_more(f, fr, s);
    const struct ptx_operand *v = operand_at(f, fr, in, 1);
    resolve_address(f, fr, operand_at(f, fr, in, 0), &st);
    if (st.space == SPACE_PARAM) flatten_fail(f, fr, "stores to a parameter of the kernel");
    if (v->kind == OPERAND_VECTOR ? v->element_count != st.vector : st.vector != 1)
        flatten_fail(f, fr, "has the wrong number of values");
    /* The values of a store are in dst, although a store reads them, since the address and up to 4
     * values do not fit into src. */
    for (int i = 0; i < st.vector; i++) {
        struct ptx_src a =
            operand_source(f, fr, v->kind == OPERAND_VECTOR ? &v->elements[i] : v, st.type);
        if (a.kind != SRC_REG) {
            enum ptx_op mov = is_wide(st.type) ? OP_mov_b64 : OP_mov_b32;
            a = operand_reg(operand_emit(
                f, fr, mov, is_wide(st.type) ? PTX_B64 : PTX_B32, a, (struct ptx_src){0}));
        }
        st.dst[st.dst_count++] = a.reg;
    }
    resolve_finish(f, fr, &st);
}

/* atom{.space}.op.type d, [a], b{, c};   red{.space}.op.type [a], b
 *
 * A red is an atom whose result is unused. The array names is in the order of enum ptx_atom. */
void resolve_atom(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const names[] = {
        "add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec", NULL};
    int red = !strcmp(s->part[0], "red");
    struct ptx_step st = {.op = OP_ATOM, .dst_pair = -1, .vector = 1};
    st.space = resolve_take_space(s);
    resolve_take_hints(s);
    st.type = opcode_last_type(f, fr, s);
    st.detail = opcode_take_one_of(s, names);
    opcode_no_more(f, fr, s);
    unsigned bytes = ptx_type_bytes(st.type);
    /* The only 16-bit atomics are additions of halves, and compare-and-swap. */
    int sums = st.type == PTX_F32 || st.type == PTX_F64 || ptx_is_half(st.type);
    int narrow = sums || (st.type == PTX_B16 && st.detail == ATOM_CAS);
    if (st.detail < 0 || (bytes != 4 && bytes != 8 && !(bytes == 2 && narrow)) ||
        (red && st.detail >= ATOM_EXCH && st.detail <= ATOM_CAS) || (sums && st.detail != ATOM_ADD))
        flatten_fail(f, fr, "is not supported");
    resolve_address(f, fr, operand_at(f, fr, in, !red), &st);
    if (st.space == SPACE_CONST || st.space == SPACE_PARAM || st.space == SPACE_LOCAL)
        flatten_fail(f, fr, "works on global or shared memory only");
    int values = st.detail == ATOM_CAS ? 2 : 1;
    for (int i = 0; i < values; i++)
        st.src[st.src_count++] =
            operand_source(f, fr, operand_at(f, fr, in, !red + 1 + i), st.type);
    st.dst[0] = red ? -1 : operand_dest_as(f, fr, operand_at(f, fr, in, 0), st.type);
    st.dst_count = 1;
    resolve_finish(f, fr, &st);
}

/* Handles cvta{.to}.space.u64 d, a: add the start of the space's window, or subtract it for .to.
 * Global and constant addresses are generic already, so for them the step is a mov. */
void resolve_cvta(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    int to = opcode_take(s, "to");
    enum ptx_space space = resolve_take_space(s);
    enum ptx_type t = opcode_last_type(f, fr, s);
    opcode_no_more(f, fr, s);
    if (!is_wide(t)) flatten_fail(f, fr, "is not supported for 32-bit addresses");
    uint64_t window = space == SPACE_SHARED  ? SHARED_WINDOW
                      : space == SPACE_LOCAL ? LOCAL_WINDOW
                                             : 0;
    struct ptx_src src[PTX_MAX_SRC] = {operand_source(f, fr, operand_at(f, fr, in, 1), PTX_U64),
        operand_imm(to ? 0 - window : window)};
    resolve_alu_step(f, fr, window ? OP_add_b64 : OP_mov_b64,
        operand_dest(f, fr, operand_at(f, fr, in, 0)), src, 0, 0);
}

/* Handles mapa{.shared::cluster}.type d, a, rank: put rank + 1 into bits that are 0 in the block's
 * own shared-memory addresses. */
void resolve_mapa(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    resolve_take_space(s);
    enum ptx_type t = opcode_last_type(f, fr, s);
    opcode_no_more(f, fr, s);
    if (!f->p->peers) f->p->peers_line = fr->line;
    f->p->peers = 1;
    struct ptx_src rank = operand_source(f, fr, operand_at(f, fr, in, 2), PTX_U32);
    int bits = operand_emit(f, fr, OP_add_b32, PTX_U32, rank, operand_imm(1));
    bits = operand_emit(f, fr, OP_shl_b32, PTX_U32, operand_reg(bits), operand_imm(PEER_SHIFT));
    if (is_wide(t))
        bits = operand_emit(f, fr, OP_cvt_b64_u32, PTX_U64, operand_reg(bits), (struct ptx_src){0});
    struct ptx_src src[PTX_MAX_SRC] = {
        operand_source(f, fr, operand_at(f, fr, in, 1), t), operand_reg(bits)};
    int d = operand_dest(f, fr, operand_at(f, fr, in, 0));
    resolve_alu_step(f, fr, is_wide(t) ? OP_or_b64 : OP_or_b32, d, src, 0, 0);
}

/* Handles isspacep.space p, a: a >> 40 is 1 for shared, 2 for local, and above 2 for global
 * memory. */
void resolve_isspacep(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    enum ptx_space space = resolve_take_space(s);
    opcode_no_more(f, fr, s);
    if (space != SPACE_GLOBAL && space != SPACE_SHARED && space != SPACE_LOCAL)
        flatten_fail(f, fr, "is not supported");
    struct ptx_src a = operand_source(f, fr, operand_at(f, fr, in, 1), PTX_U64);
    int window = operand_emit(f, fr, OP_shr_u64, PTX_U64, a, operand_imm(40));
    struct ptx_src src[PTX_MAX_SRC] = {
        operand_reg(window), operand_imm(space == SPACE_SHARED ? 1 : 2)};
    enum ptx_op compare = space == SPACE_GLOBAL ? OP_setp_gt_u64 : OP_setp_eq_u64;
    resolve_alu_step(f, fr, compare, operand_dest(f, fr, operand_at(f, fr, in, 0)), src, 0, 0);
}
