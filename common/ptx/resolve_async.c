/* resolve_async.c - asynchronous copies from global to shared memory (cp.async), and barriers in
 * shared memory that count arrivals (mbarrier).
 *
 *      cp.async [s], [g], 16, n;      one step: both addresses; n bytes are read, the rest is 0
 *      cp.async.commit_group;         ends a group of the thread's copies
 *      cp.async.wait_group 1;         all groups but the last one are complete
 *
 * Source: PTX ISA, asynchronous copy, mbarrier. */
#include "ptx/resolve.h"

#include <string.h>

/* Converts an address operand to one source: a step adds a constant offset to the register. */
struct ptx_src resolve_whole_address(
    struct flatten *f, struct frame *fr, const struct ptx_operand *o, enum ptx_space space)
{
    struct ptx_step at = {.space = space};
    resolve_address(f, fr, o, &at);
    if (at.src[0].kind != SRC_REG)
        at.src[0].imm += (uint64_t)at.offset;
    else if (at.offset)
        return operand_reg(
            operand_emit(f, fr, OP_add_b64, PTX_U64, at.src[0], operand_imm((uint64_t)at.offset)));
    return at.src[0];
}

/* cp.async.mbarrier.arrive{.noinc}.b64 [a]: arrive at the mbarrier once the thread's copies so far
 * are complete. Without .noinc the mbarrier first expects one more arrival, so that this
 * expectation and the arrival cancel out. */
static void arrive_after(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    struct ptx_step group = {
        .op = OP_CPGROUP, .dst_pair = -1, .detail = CPGROUP_ARRIVE, .flags = FLAG_QUIET};
    struct ptx_step st = {
        .op = OP_MBARRIER, .dst_pair = -1, .detail = MBARRIER_ARRIVE, .type = PTX_B64};
    int counts = opcode_take(s, "noinc");
    opcode_take(s, "arrive");
    st.space = resolve_take_space(s);
    opcode_take(s, "b64");
    opcode_no_more(f, fr, s);
    resolve_finish(f, fr, &group);
    resolve_address(f, fr, operand_at(f, fr, in, 0), &st);
    st.vector = 1;
    st.src[st.src_count++] = operand_imm((uint64_t)counts);
    st.dst[st.dst_count++] = -1;
    resolve_finish(f, fr, &st);
}

/* Handles commit_group, wait_group N and wait_all of cp.async. */
static void resolve_group(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const names[] = {"commit_group", "wait_group", "wait_all", NULL};
    struct ptx_step st = {.op = OP_CPGROUP, .dst_pair = -1};
    st.detail = opcode_take_one_of(s, names);
    if (st.detail < 0) flatten_fail(f, fr, "is not supported");
    opcode_no_more(f, fr, s);
    if (st.detail == CPGROUP_WAIT)
        st.src[st.src_count++] = operand_source(f, fr, operand_at(f, fr, in, 0), PTX_U32);
    resolve_finish(f, fr, &st);
}

/* The number of bytes that are read: all bytes of the copy, the operand src-size, or 0 if the
 * predicate ignore-src is true. */
static struct ptx_src bytes_read(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, int bytes)
{
    const struct ptx_operand *o = in->operand_count > 3 ? &in->operand[3] : NULL;
    if (!o || (o->kind == OPERAND_REG && is_wide(slot_type(f, fr->vreg_base + o->reg))))
        /* a 64-bit operand is a policy for the second-level cache, so all bytes are read */
        return operand_imm((uint64_t)bytes);
    if (o->kind != OPERAND_REG || slot_type(f, fr->vreg_base + o->reg) != PTX_PRED)
        return operand_source(f, fr, o, PTX_U32);
    struct ptx_src pick[PTX_MAX_SRC] = {
        operand_imm(0), operand_imm((uint64_t)bytes), operand_source(f, fr, o, PTX_PRED)};
    int vreg = flatten_vreg(f, PTX_U32);
    resolve_alu_step(f, fr, OP_selp_b32, vreg, pick, 0, 0);
    f->p->steps[f->p->step_count - 1].flags |= FLAG_QUIET;
    return operand_reg(vreg);
}

/* Handles cp.async.{ca,cg}.shared.global [s], [g], bytes{, src-size or ignore-src}{, policy} */
void resolve_cp(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    struct ptx_step st = {
        .op = OP_CPASYNC, .dst_pair = -1, .type = PTX_B32, .space = SPACE_GENERIC};
    if (!opcode_take(s, "async") || opcode_take(s, "reduce"))
        flatten_fail(f, fr, "is not supported");
    if (opcode_take(s, "bulk")) {
        resolve_bulk(f, fr, in, s);
        return;
    }
    if (opcode_take(s, "mbarrier")) {
        arrive_after(f, fr, in, s);
        return;
    }
    st.detail2 = opcode_take(s, "cg") ? CP_BYPASS : CP_ACCESS;
    if (!opcode_take(s, "global")) {
        resolve_group(f, fr, in, s);
        return;
    }
    if (resolve_take_space(s) != SPACE_SHARED) flatten_fail(f, fr, "is not supported");
    resolve_take_hints(s);
    opcode_take(s, "L2::cache_hint");
    opcode_no_more(f, fr, s);
    const struct ptx_operand *n = operand_at(f, fr, in, 2);
    int bytes = n->kind == OPERAND_IMM ? (int)n->imm : 0;
    if (bytes != 16 && (st.detail2 == CP_BYPASS || (bytes != 4 && bytes != 8)))
        flatten_fail(f, fr, "copies 4, 8 or 16 bytes, or 16 with .cg");
    st.vector = bytes / 4;
    st.src[0] = resolve_whole_address(f, fr, operand_at(f, fr, in, 0), SPACE_SHARED);
    st.src[1] = resolve_whole_address(f, fr, operand_at(f, fr, in, 1), SPACE_GLOBAL);
    st.src[2] = bytes_read(f, fr, in, bytes);
    st.src_count = 3;
    resolve_finish(f, fr, &st);
}

/* The mbarrier instruction, as an enum ptx_mbarrier, or -1 if there is none. test_wait and try_wait
 * differ in timing only. */
static int kind_of(struct parts *s)
{
    static const char *const names[] = {"init", "inval", "arrive", "arrive_drop", "test_wait",
        "try_wait", "pending_count", "expect_tx", NULL};
    static const int kinds[] = {MBARRIER_INIT, MBARRIER_INVAL, MBARRIER_ARRIVE, MBARRIER_DROP,
        MBARRIER_WAIT, MBARRIER_WAIT, MBARRIER_PENDING, MBARRIER_EXPECT};
    int i = opcode_take_one_of(s, names);
    return i < 0 ? -1 : opcode_take(s, "parity") ? MBARRIER_PARITY : kinds[i];
}

/* mbarrier.init [a], n;   mbarrier.arrive{_drop} state, [a]{, n};
 * mbarrier.{test,try}_wait{.parity} p, [a], state;   mbarrier.pending_count n, state;
 * mbarrier.expect_tx [a], bytes;   mbarrier.arrive.expect_tx state, [a], bytes
 * src[1] of the step is the count, state, parity or bytes; src[2]: bytes that an arrival
 * announces. */
void resolve_mbarrier(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    struct ptx_step st = {.op = OP_MBARRIER, .dst_pair = -1, .type = PTX_B64, .vector = 1};
    st.detail = kind_of(s);
    int expects = opcode_take(s, "expect_tx");
    st.space = resolve_take_space(s);
    resolve_take_hints(s);
    opcode_take(s, "noComplete");
    if (st.detail < 0 || !opcode_take(s, "b64")) flatten_fail(f, fr, "is not supported");
    opcode_no_more(f, fr, s);
    int result = st.detail >= MBARRIER_ARRIVE, arrives = st.detail <= MBARRIER_DROP;
    int announces = arrives && result && expects;
    if (st.detail == MBARRIER_PENDING) {
        struct ptx_src both[PTX_MAX_SRC] = {
            operand_source(f, fr, operand_at(f, fr, in, 1), PTX_U64), operand_imm(0xfffff)};
        int vreg = operand_emit(f, fr, OP_and_b64, PTX_U64, both[0], both[1]);
        struct ptx_src low[PTX_MAX_SRC] = {operand_reg(vreg)};
        resolve_alu_step(
            f, fr, OP_low_b64, operand_dest(f, fr, operand_at(f, fr, in, 0)), low, 0, 0);
        return;
    }
    resolve_address(f, fr, operand_at(f, fr, in, result), &st);
    int last = result + 1 < in->operand_count;
    if (announces) {
        st.src[1] = operand_imm(1);
        st.src[2] = operand_source(f, fr, operand_at(f, fr, in, 2), PTX_U32);
    } else if (last)
        st.src[1] = operand_source(
            f, fr, &in->operand[result + 1], st.detail == MBARRIER_WAIT ? PTX_U64 : PTX_U32);
    else if (arrives)
        st.src[1] = operand_imm(1);
    else
        flatten_fail(f, fr, "has too few operands");
    st.src_count = announces ? 3 : 2;
    if (result) {
        st.dst[0] = operand_dest_as(f, fr, operand_at(f, fr, in, 0), arrives ? PTX_U64 : PTX_PRED);
        st.dst_count = 1;
    }
    resolve_finish(f, fr, &st);
}
