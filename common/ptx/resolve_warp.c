/* resolve_warp.c - instructions that several threads execute together: shuffles, votes, matches,
 * barriers.
 *
 * The field detail of a shuffle, vote or match is its mode: the index of its name in the array
 * modes, which is in the order of an enum of ptx.h. For barriers of the block the field detail is
 * the number of the barrier. Only the .sync forms of shuffles and votes are supported. Source: PTX
 * ISA, shfl.sync, vote.sync, match.sync, bar, bar.warp.sync. */
#include "ptx/resolve.h"

#include <string.h>

/* Handles shfl.sync.mode.b32 d|p, a, b, c, mask: sources 0 to 3 are a, b, c and the mask. */
static void resolve_shfl(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx", NULL};
    struct ptx_step st = {.op = OP_SHFL, .dst_pair = -1, .type = PTX_B32};
    if (!opcode_take(s, "sync")) flatten_fail(f, fr, "is not supported: use the _sync form");
    st.detail = opcode_take_one_of(s, modes);
    if (st.detail < 0 || !opcode_take(s, "b32")) flatten_fail(f, fr, "is not supported");
    opcode_no_more(f, fr, s);
    const struct ptx_operand *d = operand_at(f, fr, in, 0);
    st.dst[0] = operand_dest_as(f, fr, d, PTX_U32);
    st.dst_count = 1;
    st.dst_pair = operand_pair(f, fr, d);
    for (int i = 0; i < 4; i++)
        st.src[st.src_count++] = operand_source(f, fr, operand_at(f, fr, in, 1 + i), PTX_U32);
    resolve_finish(f, fr, &st);
}

/* Handles vote.sync.mode.pred d, p, mask;   vote.sync.ballot.b32 d, p, mask */
static void resolve_vote(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const modes[] = {"all", "any", "uni", "ballot", NULL};
    struct ptx_step st = {.op = OP_VOTE, .dst_pair = -1};
    if (!opcode_take(s, "sync")) flatten_fail(f, fr, "is not supported: use the _sync form");
    st.detail = opcode_take_one_of(s, modes);
    st.type = opcode_last_type(f, fr, s);
    opcode_no_more(f, fr, s);
    if (st.detail < 0) flatten_fail(f, fr, "is not supported");
    st.dst[0] = operand_dest_as(
        f, fr, operand_at(f, fr, in, 0), st.detail == VOTE_BALLOT ? PTX_U32 : PTX_PRED);
    if (st.dst[0] < 0) flatten_fail(f, fr, "needs a register for its result");
    st.dst_count = 1;
    st.src[0] = operand_source(f, fr, operand_at(f, fr, in, 1), PTX_PRED);
    st.src[1] = operand_source(f, fr, operand_at(f, fr, in, 2), PTX_U32);
    st.src_count = 2;
    resolve_finish(f, fr, &st);
}

/* Handles match.any.sync.type d, a, mask;   match.all.sync.type d|p, a, mask */
static void resolve_match(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const modes[] = {"any", "all", NULL};
    struct ptx_step st = {.op = OP_MATCH, .dst_pair = -1};
    opcode_take(s, "sync");
    st.detail = opcode_take_one_of(s, modes);
    st.type = opcode_last_type(f, fr, s);
    opcode_no_more(f, fr, s);
    if (st.detail < 0 || ptx_type_bytes(st.type) < 4) flatten_fail(f, fr, "is not supported");
    const struct ptx_operand *d = operand_at(f, fr, in, 0);
    st.dst[0] = operand_dest_as(f, fr, d, PTX_U32);
    st.dst_count = 1;
    st.dst_pair = operand_pair(f, fr, d);
    st.src[0] = operand_source(f, fr, operand_at(f, fr, in, 1), st.type);
    st.src[1] = operand_source(f, fr, operand_at(f, fr, in, 2), PTX_U32);
    st.src_count = 2;
    resolve_finish(f, fr, &st);
}

/* Handles redux.sync.op.type d, a, mask */
static void resolve_redux(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const modes[] = {"add", "min", "max", "and", "or", "xor", NULL};
    struct ptx_step st = {.op = OP_REDUX, .dst_pair = -1};
    opcode_take(s, "sync");
    st.detail = opcode_take_one_of(s, modes);
    st.type = opcode_last_type(f, fr, s);
    opcode_no_more(f, fr, s);
    if (st.detail < 0 || ptx_type_bytes(st.type) != 4 || st.type == PTX_F32)
        flatten_fail(f, fr, "is not supported");
    st.dst[0] = operand_dest_as(f, fr, operand_at(f, fr, in, 0), st.type);
    st.dst_count = 1;
    st.src[0] = operand_source(f, fr, operand_at(f, fr, in, 1), st.type);
    st.src[1] = operand_source(f, fr, operand_at(f, fr, in, 2), PTX_U32);
    st.src_count = 2;
    resolve_finish(f, fr, &st);
}

/* The membermask, the lanes that execute the instruction together, is the last source of each of
 * these steps. */
void resolve_warp(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, enum ptx_op op, struct parts *s)
{
    switch (op) {
    case OP_SHFL: resolve_shfl(f, fr, in, s); break;
    case OP_VOTE: resolve_vote(f, fr, in, s); break;
    case OP_MATCH: resolve_match(f, fr, in, s); break;
    case OP_REDUX: resolve_redux(f, fr, in, s); break;
    default: BUG("%s is no instruction of a warp", ptx_ops[op].id);
    }
}

/* The number of a block's barrier, which must be an immediate. */
static int bar_number(struct flatten *f, struct frame *fr, const struct ptx_operand *id)
{
    if (id->kind != OPERAND_IMM)
        flatten_fail(f, fr, "is not supported with a barrier number that is not constant");
    return (int)id->imm;
}

/* bar.red.popc.u32 d, 0, p: each thread contributes its p, all wait, and each reads the result. The
 * instruction becomes an uncounted step, the barrier, which is counted, and another uncounted step.
 * .and and .or have predicates as results. */
static void resolve_bar_red(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const modes[] = {"popc", "and", "or", NULL};
    struct ptx_step bar = {.op = OP_BAR, .dst_pair = -1},
                    bring = {.op = OP_BARVOTE, .dst_pair = -1, .flags = FLAG_QUIET}, take = bring;
    int mode = opcode_take_one_of(s, modes);
    opcode_take(s, "aligned");
    enum ptx_type type = opcode_last_type(f, fr, s);
    if (mode < 0 || type != (mode ? PTX_PRED : PTX_U32))
        flatten_fail(f, fr, "is not supported: bar.red.popc.u32, .and.pred and .or.pred are");
    opcode_no_more(f, fr, s);
    if (in->operand_count != 3)
        flatten_fail(
            f, fr, "with a thread count is not supported: only barriers of the whole block are");
    bring.detail = BARVOTE_BRING;
    bring.src[0] = operand_source(f, fr, operand_at(f, fr, in, 2), PTX_PRED);
    bring.src_count = 1;
    resolve_finish(f, fr, &bring);
    bar.detail = bar_number(f, fr, operand_at(f, fr, in, 1));
    resolve_finish(f, fr, &bar);
    take.detail = BARVOTE_COUNT + mode;
    take.type = type;
    take.dst[0] = operand_dest_as(f, fr, operand_at(f, fr, in, 0), type);
    take.dst_count = 1;
    resolve_finish(f, fr, &take);
}

/* barrier.cluster.arrive{.release, .relaxed}{.aligned};
 * barrier.cluster.wait{.acquire}{.aligned}
 *
 * All blocks of the cluster meet at the wait; the arrival does nothing in the simulator. */
static void resolve_bar_cluster(struct flatten *f, struct frame *fr, struct parts *s)
{
    struct ptx_step st = {.op = OP_BAR, .dst_pair = -1, .detail = BAR_CLUSTER};
    int waits = opcode_take(s, "wait");
    if (!waits && !opcode_take(s, "arrive")) flatten_fail(f, fr, "is not supported");
    resolve_take_hints(s);
    opcode_take(s, "aligned");
    opcode_no_more(f, fr, s);
    if (!waits) st = (struct ptx_step){.op = OP_NOP, .dst_pair = -1};
    resolve_finish(f, fr, &st);
}

/* bar.warp.sync mask;   bar{.cta}.sync n{, threads};   bar{.cta}.arrive n, threads;
 * bar.red.op n, p;   the same with barrier for bar, which may be .aligned */
void resolve_bar(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    struct ptx_step st = {.op = OP_BAR, .dst_pair = -1};
    if (opcode_take(s, "warp")) {
        st.op = OP_BARWARP;
        opcode_take(s, "sync");
        opcode_no_more(f, fr, s);
        st.src[st.src_count++] = operand_source(f, fr, operand_at(f, fr, in, 0), PTX_U32);
        resolve_finish(f, fr, &st);
        return;
    }
    if (opcode_take(s, "cluster")) {
        resolve_bar_cluster(f, fr, s);
        return;
    }
    opcode_take(s, "cta");
    opcode_take(s, "aligned");
    if (opcode_take(s, "red")) {
        resolve_bar_red(f, fr, in, s);
        return;
    }
    int waits = opcode_take(s, "sync");
    if (!waits && !opcode_take(s, "arrive")) flatten_fail(f, fr, "is not supported");
    opcode_no_more(f, fr, s);
    if (in->operand_count > 1 || !waits) {
        resolve_named(f, fr, in, waits);
        return;
    }
    st.detail = bar_number(f, fr, operand_at(f, fr, in, 0));
    resolve_finish(f, fr, &st);
}
