/* resolve_wgmma.c - matrix products of a warpgroup, four warps (wgmma), and the related setmaxnreg
 * and elect.sync.
 *
 *      wgmma.mma_async  D, A, B, ...       D (64 x n) = A (64 x k) B (k x n) + D
 *
 *      D    n / 2 floats of a lane, or n / 4 pairs of halves
 *      A    4 registers of a lane, or in shared memory
 *      B    in shared memory, described by a 64-bit descriptor
 *      Warp w of the four has rows 16 w .. 16 w + 15 of D and A, in lanes as mma.sync has them.
 *
 * "more" of the step: the registers of D, which it reads and writes, then those of A. Sources: the
 * descriptor of A, that of B, and the predicate "add to D". Source: PTX ISA, asynchronous warpgroup
 * level matrix instructions; setmaxnreg; elect.sync. */
#include "ptx/resolve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct ptx_wgmma ptx_wgmma[] = {
    {8, NUMBER_TF32, NUMBER_F32},
    {16, NUMBER_F16, NUMBER_F32},
    {16, NUMBER_F16, NUMBER_F16},
    {16, NUMBER_BF16, NUMBER_F32},
};
enum { ROWS = sizeof ptx_wgmma / sizeof *ptx_wgmma };

/* Returns the row of ptx_wgmma for an opcode with the parts wgmma, m64nNkK, and the types of D, A
 * and B. *n is set to its N. */
static int take_shape(struct flatten *f, struct frame *fr, const struct parts *s, int *n)
{
    /* format names in opcodes, in the order of enum ptx_number */
    static const char *const names[] = {"f16", "bf16", "tf32", "f32"};
    int type[3] = {-1, -1, -1}, k = 0, row = 0;
    for (int i = 0; i < 3 && s->count == 5; i++)
        for (int t = 0; t < 4; t++)
            if (!strcmp(s->part[2 + i], names[t])) type[i] = t;
    while (row < ROWS && ((int)ptx_wgmma[row].cd != type[0] || (int)ptx_wgmma[row].ab != type[1]))
        row++;
    if (row == ROWS || type[1] != type[2])
        flatten_fail(f, fr,
            "is not supported: products of tf32, f16 or bf16 to f32, and of f16 to f16, are");
    if (sscanf(s->part[1], "m64n%dk%d", n, &k) != 2 || k != ptx_wgmma[row].k || *n < 8 ||
        *n > 256 || *n % 8)
        flatten_fail(f, fr, "is not supported: shapes m64nNk%d with N = 8, 16, ... 256 are",
            ptx_wgmma[row].k);
    return row;
}

/* Append the registers of D or A to the step's further sources. */
static void add_registers(struct flatten *f, struct frame *fr, const struct ptx_operand *o,
    int count, struct ptx_step *st)
{
    if (o->kind != OPERAND_VECTOR || o->element_count != count)
        flatten_fail(f, fr, "needs %d registers in braces where it has %d", count,
            o->kind == OPERAND_VECTOR ? o->element_count : 1);
    for (int i = 0; i < count; i++) {
        int vreg = operand_dest_as(f, fr, &o->elements[i], PTX_B32);
        if (vreg < 0 || is_wide(slot_type(f, vreg)))
            flatten_fail(f, fr, "needs registers of 32 bits");
        st->more[st->more_count++] = vreg;
    }
}

/* Reads an immediate operand that must be one of two values. Returns whether the operand is the
 * second value. */
static int number_at(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, int i, int first, int second)
{
    const struct ptx_operand *o = operand_at(f, fr, in, i);
    if (o->kind != OPERAND_IMM || (o->imm != first && o->imm != second))
        flatten_fail(f, fr, "needs %d or %d as its operand %d", first, second, i + 1);
    return o->imm == second;
}

/* Handles wgmma.mma_async d, a, b, scale-d, scale-a, scale-b{, trans-a}{, trans-b}. 16-bit types
 * have trans-b, and trans-a if A is in shared memory. */
static void resolve_product(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    int room[PTX_WGMMA_REGISTERS], n;
    struct ptx_step st = {.op = OP_WGMMA, .dst_pair = -1, .type = PTX_B32, .more = room};
    st.detail = take_shape(f, fr, s, &n);
    const struct ptx_wgmma *m = &ptx_wgmma[st.detail];
    const struct ptx_operand *a = operand_at(f, fr, in, 1);
    int shared = a->kind != OPERAND_VECTOR, turns = m->ab == NUMBER_TF32 ? 0 : shared ? 2 : 1;
    st.detail2 = n | (shared ? WGMMA_A_SHARED : 0);
    if (in->operand_count != 6 + turns) flatten_fail(f, fr, "needs %d operands", 6 + turns);
    add_registers(f, fr, operand_at(f, fr, in, 0), m->cd == NUMBER_F16 ? n / 4 : n / 2, &st);
    if (!shared) add_registers(f, fr, a, 4, &st);
    st.src[0] = shared ? operand_source(f, fr, a, PTX_U64) : operand_imm(0);
    st.src[1] = operand_source(f, fr, operand_at(f, fr, in, 2), PTX_U64);
    st.src[2] = operand_source(f, fr, operand_at(f, fr, in, 3), PTX_PRED);
    st.src_count = 3;
    if (number_at(f, fr, in, 4, 1, -1)) st.detail2 |= WGMMA_NEGATE_A;
    if (number_at(f, fr, in, 5, 1, -1)) st.detail2 |= WGMMA_NEGATE_B;
    if (turns == 2 && number_at(f, fr, in, 6, 0, 1)) st.detail2 |= WGMMA_TURN_A;
    if (turns && number_at(f, fr, in, 5 + turns, 0, 1)) st.detail2 |= WGMMA_TURN_B;
    resolve_finish(f, fr, &st);
    struct ptx_step *done = &f->p->steps[f->p->step_count - 1];
    done->more = xcalloc((size_t)st.more_count, sizeof *room);
    memcpy(done->more, room, (size_t)st.more_count * sizeof *room);
}

/* Handles all wgmma instructions: products, wgmma.fence, wgmma.commit_group and wgmma.wait_group
 * N. */
void resolve_wgmma(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const names[] = {"fence", "commit_group", "wait_group", NULL};
    struct ptx_step st = {.op = OP_WGSYNC, .dst_pair = -1};
    if (!opcode_take(s, "sync") || !opcode_take(s, "aligned"))
        flatten_fail(f, fr, "needs .sync.aligned");
    if (opcode_take(s, "mma_async")) {
        resolve_product(f, fr, in, s);
        return;
    }
    st.detail = opcode_take_one_of(s, names);
    if (st.detail < 0) flatten_fail(f, fr, "is not supported");
    opcode_no_more(f, fr, s);
    if (st.detail == WGSYNC_WAIT) {
        const struct ptx_operand *o = operand_at(f, fr, in, 0);
        if (o->kind != OPERAND_IMM || o->imm < 0 || o->imm > 7)
            flatten_fail(
                f, fr, "waits for all but 0 to 7 groups: a number that the compiler knows");
        st.detail2 = (int)o->imm;
    }
    resolve_finish(f, fr, &st);
}

/* Handles setmaxnreg.{inc,dec}.sync.aligned.u32 n: from here on each thread of the warp has n
 * registers. */
void resolve_setmaxnreg(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const ways[] = {"inc", "dec", NULL}, *const all[] = {
                                                                "sync", "aligned", "u32", NULL};
    const struct ptx_operand *o = operand_at(f, fr, in, 0);
    struct ptx_step st = {.op = OP_SETMAXNREG, .dst_pair = -1};
    int way = opcode_take_one_of(s, ways);
    opcode_take_all(s, all);
    opcode_no_more(f, fr, s);
    if (way < 0) flatten_fail(f, fr, "is not supported: .inc and .dec are");
    if (o->kind != OPERAND_IMM || o->imm < 24 || o->imm > 256 || o->imm % 8)
        flatten_fail(f, fr, "sets %lld registers; 24, 32, ... 256 are possible", (long long)o->imm);
    st.detail = (int)o->imm;
    st.detail2 = way;
    resolve_finish(f, fr, &st);
}

/* Handles elect.sync d|p, mask: d is the lowest lane of the mask; p: this lane is that one. */
void resolve_elect(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    const struct ptx_operand *d = operand_at(f, fr, in, 0);
    opcode_take(s, "sync");
    opcode_no_more(f, fr, s);
    struct ptx_src none = {0}, mask = operand_source(f, fr, operand_at(f, fr, in, 1), PTX_U32);
    int turned = operand_emit(f, fr, OP_brev_b32, PTX_U32, mask, none);
    int lowest = operand_emit(f, fr, OP_clz_b32, PTX_U32, operand_reg(turned), none);
    int lane = operand_sreg(f, fr, "%laneid", PTX_U32, -1), to = operand_dest_as(f, fr, d, PTX_U32);
    struct ptx_src first[PTX_MAX_SRC] = {operand_reg(lowest)};
    if (to >= 0) {
        resolve_alu_step(f, fr, OP_mov_b32, to, first, 0, 0);
        f->p->steps[f->p->step_count - 1].flags |= FLAG_QUIET;
    }
    first[1] = operand_reg(lane);
    if (operand_pair(f, fr, d) >= 0)
        resolve_alu_step(f, fr, OP_setp_eq_u32, operand_pair(f, fr, d), first, 0, 0);
}
