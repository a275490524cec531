/* resolve_matrix.c - matrices held by the lanes of a warp: ldmatrix, stmatrix, movmatrix, mma.
 *
 *      mma  D, A, B, C      A: m x k    B: k x n    C and D: m x n      g = lane / 4, t = lane % 4
 *
 *      a register of A      row g + 8 i             columns E t ... E t + E - 1, and 4 E further, ...
 *      a register of B      rows E t ...            column g            E: elements in a register
 *      a register of C      row g + 8 i             column 2 t, or 2 t + 1
 *
 * The registers of A, B and C are in the step's "more". Source: PTX ISA, warp-level matrix
 * instructions. */
#include "ptx/resolve.h"

#include <stdlib.h>
#include <string.h>

const struct ptx_mma ptx_mma[] = {
    {"m16n8k16", 16, 8, 16, NUMBER_F16, NUMBER_F32, 4, 2, 4},
    {"m16n8k8", 16, 8, 8, NUMBER_F16, NUMBER_F32, 2, 1, 4},
    {"m16n8k16", 16, 8, 16, NUMBER_F16, NUMBER_F16, 4, 2, 2},
    {"m16n8k8", 16, 8, 8, NUMBER_F16, NUMBER_F16, 2, 1, 2},
    {"m16n8k16", 16, 8, 16, NUMBER_BF16, NUMBER_F32, 4, 2, 4},
    {"m16n8k8", 16, 8, 8, NUMBER_BF16, NUMBER_F32, 2, 1, 4},
    {"m16n8k8", 16, 8, 8, NUMBER_TF32, NUMBER_F32, 4, 2, 4},
    {"m16n8k4", 16, 8, 4, NUMBER_TF32, NUMBER_F32, 2, 1, 4},
    {"m8n8k4", 8, 8, 4, NUMBER_F64, NUMBER_F64, 1, 1, 2},
    {"m16n8k4", 16, 8, 4, NUMBER_F64, NUMBER_F64, 2, 1, 4},
    {"m16n8k8", 16, 8, 8, NUMBER_F64, NUMBER_F64, 4, 2, 4},
    {"m16n8k16", 16, 8, 16, NUMBER_F64, NUMBER_F64, 8, 4, 4},
    {"m16n8k32", 16, 8, 32, NUMBER_INT8, NUMBER_S32, 4, 2, 4},
    {"m16n8k16", 16, 8, 16, NUMBER_INT8, NUMBER_S32, 2, 1, 4},
    {"m8n8k16", 8, 8, 16, NUMBER_INT8, NUMBER_S32, 1, 1, 2},
};
enum { MMA_ROWS = sizeof ptx_mma / sizeof *ptx_mma };

/* Sets *first to the elements of an operand in braces or, for any other operand, to the operand
 * itself. Returns how many elements that is. */
static int elements(const struct ptx_operand *o, const struct ptx_operand **first)
{
    int braces = o->kind == OPERAND_VECTOR;
    *first = braces ? o->elements : o;
    return braces ? o->element_count : 1;
}

/* Add the registers of an operand to the step's further sources; an immediate is first moved to a
 * register. */
static void add_more(struct flatten *f, struct frame *fr, const struct ptx_operand *o, int count,
    enum ptx_type type, struct ptx_step *st)
{
    const struct ptx_operand *e;
    if (elements(o, &e) != count)
        flatten_fail(f, fr, "has an operand of the wrong number of registers");
    for (int i = 0; i < count; i++) {
        struct ptx_src a = operand_source(f, fr, &e[i], type);
        if (a.kind != SRC_REG)
            a = operand_reg(operand_emit(
                f, fr, is_wide(type) ? OP_mov_b64 : OP_mov_b32, type, a, (struct ptx_src){0}));
        st->more[st->more_count++] = a.reg;
    }
}

static void results(struct flatten *f, struct frame *fr, const struct ptx_operand *o, int count,
    enum ptx_type type, struct ptx_step *st)
{
    const struct ptx_operand *e;
    if (elements(o, &e) != count) flatten_fail(f, fr, "has the wrong number of results");
    for (int i = 0; i < count; i++) {
        int vreg = operand_dest_as(f, fr, &e[i], type);
        if (vreg >= 0 && is_wide(slot_type(f, vreg)) != is_wide(type))
            flatten_fail(f, fr, "has a result of the wrong type");
        st->dst[st->dst_count++] = vreg;
    }
}

/* Append a step whose further sources are in an array of the caller; the step gets a copy of that
 * array. */
static void finish(struct flatten *f, struct frame *fr, struct ptx_step *st)
{
    int *room = st->more;
    st->more = NULL;
    resolve_finish(f, fr, st);
    struct ptx_step *s = &f->p->steps[f->p->step_count - 1];
    s->more = xcalloc((size_t)st->more_count + 1, sizeof *room);
    memcpy(s->more, room, (size_t)st->more_count * sizeof *room);
}

/* The number of matrices that the opcode states: removes .x1, .x2 or .x4, and
 * .sync.aligned.m8n8. */
static int take_matrices(struct flatten *f, struct frame *fr, struct parts *s)
{
    static const char *const names[] = {"x1", "x2", "x4", NULL};
    opcode_take(s, "sync");
    opcode_take(s, "aligned");
    int i = opcode_take_one_of(s, names);
    if (i < 0 || !opcode_take(s, "m8n8"))
        flatten_fail(f, fr, "is not supported: 1, 2 or 4 of .m8n8 are");
    return 1 << i;
}

/* Handles ldmatrix.sync.aligned.m8n8.x4{.trans}.shared.b16 {d...}, [a]: each lane's address is that
 * of a row of 16 bytes */
void resolve_ldmatrix(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    struct ptx_step st = {.op = OP_LDMATRIX, .dst_pair = -1, .type = PTX_B32, .vector = 4};
    st.detail = take_matrices(f, fr, s);
    st.detail2 = opcode_take(s, "trans");
    resolve_take_space(s); /* a generic address must be in shared memory */
    st.space = SPACE_SHARED;
    if (!opcode_take(s, "b16")) flatten_fail(f, fr, "is not supported: elements of .b16 are");
    opcode_no_more(f, fr, s);
    resolve_address(f, fr, operand_at(f, fr, in, 1), &st);
    results(f, fr, operand_at(f, fr, in, 0), st.detail, PTX_B32, &st);
    resolve_finish(f, fr, &st);
}

/* Handles stmatrix.sync.aligned.m8n8.x4{.trans}.shared.b16 [a], {b...} */
void resolve_stmatrix(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    int room[4];
    struct ptx_step st = {
        .op = OP_STMATRIX, .dst_pair = -1, .type = PTX_B32, .vector = 4, .more = room};
    st.detail = take_matrices(f, fr, s);
    st.detail2 = opcode_take(s, "trans");
    resolve_take_space(s); /* a generic address must be in shared memory */
    st.space = SPACE_SHARED;
    if (!opcode_take(s, "b16")) flatten_fail(f, fr, "is not supported: elements of .b16 are");
    opcode_no_more(f, fr, s);
    resolve_address(f, fr, operand_at(f, fr, in, 0), &st);
    add_more(f, fr, operand_at(f, fr, in, 1), st.detail, PTX_B32, &st);
    finish(f, fr, &st);
}

/* Handles movmatrix.sync.aligned.m8n8.trans.b16 d, a */
void resolve_movmatrix(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const all[] = {"sync", "aligned", "m8n8", "trans", "b16", NULL};
    struct ptx_step st = {.op = OP_MOVMATRIX, .dst_pair = -1, .type = PTX_B32};
    opcode_take_all(s, all);
    opcode_no_more(f, fr, s);
    st.src[st.src_count++] = operand_source(f, fr, operand_at(f, fr, in, 1), PTX_U32);
    results(f, fr, operand_at(f, fr, in, 0), 1, PTX_B32, &st);
    resolve_finish(f, fr, &st);
}

/* ---- products ---- */

/* The format with this name in opcodes, as enum ptx_number; -1: none. */
static int number_of(const char *name)
{
    static const char *const names[] = {"f16", "bf16", "tf32", "f32", "f64", "s8", "s32", "u8"};
    for (int i = 0; i < 8; i++)
        if (!strcmp(name, names[i])) return i < 7 ? i : NUMBER_INT8;
    return -1;
}

/* Handles mma.sync.aligned.SHAPE.row.col{.satfinite}.D.A.B.C d, a, b, c */
void resolve_mma(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const ordinary[] = {"sync", "aligned", "row", "col", NULL};
    int room[16], row = 0;
    struct ptx_step st = {.op = OP_MMA, .dst_pair = -1, .more = room};
    opcode_take_all(s, ordinary);
    st.detail2 = opcode_take(s, "satfinite") ? MMA_CLAMP : 0;
    if (s->count != 6) flatten_fail(f, fr, "is not supported");
    int d = number_of(s->part[2]), a = number_of(s->part[3]), b = number_of(s->part[4]),
        c = number_of(s->part[5]);
    while (row < MMA_ROWS && (strcmp(ptx_mma[row].shape, s->part[1]) || (int)ptx_mma[row].ab != a ||
                                 (int)ptx_mma[row].cd != c))
        row++;
    if (row == MMA_ROWS || a != b || c != d) flatten_fail(f, fr, "is not supported");
    if (*s->part[3] == 'u') st.detail2 |= MMA_A_UNSIGNED;
    if (*s->part[4] == 'u') st.detail2 |= MMA_B_UNSIGNED;
    const struct ptx_mma *m = &ptx_mma[row];
    enum ptx_type ab = m->ab == NUMBER_F64 ? PTX_F64 : PTX_B32,
                  cd = m->cd == NUMBER_F64 ? PTX_F64 : PTX_B32;
    st.detail = row;
    st.type = cd;
    results(f, fr, operand_at(f, fr, in, 0), m->c, cd, &st);
    add_more(f, fr, operand_at(f, fr, in, 1), m->a, ab, &st);
    add_more(f, fr, operand_at(f, fr, in, 2), m->b, ab, &st);
    add_more(f, fr, operand_at(f, fr, in, 3), m->c, cd, &st);
    finish(f, fr, &st);
}
