/* resolve_warp.c - what the lanes of a warp, or the threads of a block, do together. */
#include "ptx/resolve.h"

#include <string.h>

void resolve_shfl(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx", NULL};
    struct ptx_step st = {.op = OP_SHFL, .dst_pair = -1, .type = PTX_B32};
    if (!opcode_take(s, "sync"))
        flatten_fail(f, fr, "is not supported: use the _sync form");
    st.detail = opcode_take_one_of(s, modes);
    if (st.detail < 0 || !opcode_take(s, "b32"))
        flatten_fail(f, fr, "is not supported");
    opcode_no_more(f, fr, s);
    const struct ptx_operand *d = operand_at(f, fr, in, 0);
    st.dst[0] = operand_dest_as(f, fr, d, PTX_U32);
    st.dst_count = 1;
    st.dst_pair = operand_pair(f, fr, d);
    for (int i = 0; i < 4; i++)
        st.src[st.src_count++] = operand_source(f, fr, operand_at(f, fr, in, 1 + i), PTX_U32);
    resolve_finish(f, fr, &st);
}

void resolve_vote(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const modes[] = {"all", "any", "uni", "ballot", NULL};
    struct ptx_step st = {.op = OP_VOTE, .dst_pair = -1};
    if (!opcode_take(s, "sync"))
        flatten_fail(f, fr, "is not supported: use the _sync form");
    st.detail = opcode_take_one_of(s, modes);
    st.type = opcode_last_type(f, fr, s);
    opcode_no_more(f, fr, s);
    if (st.detail < 0)
        flatten_fail(f, fr, "is not supported");
    st.dst[0] = operand_dest_as(f, fr, operand_at(f, fr, in, 0), st.detail == VOTE_BALLOT ? PTX_U32 : PTX_PRED);
    if (st.dst[0] < 0)
        flatten_fail(f, fr, "needs a register for its result");
    st.dst_count = 1;
    st.src[0] = operand_source(f, fr, operand_at(f, fr, in, 1), PTX_PRED);
    st.src[1] = operand_source(f, fr, operand_at(f, fr, in, 2), PTX_U32);
    st.src_count = 2;
    resolve_finish(f, fr, &st);
}

void resolve_match(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const modes[] = {"any", "all", NULL};
    struct ptx_step st = {.op = OP_MATCH, .dst_pair = -1};
    opcode_take(s, "sync");
    st.detail = opcode_take_one_of(s, modes);
    st.type = opcode_last_type(f, fr, s);
    opcode_no_more(f, fr, s);
    if (st.detail < 0 || ptx_type_bytes(st.type) < 4)
        flatten_fail(f, fr, "is not supported");
    const struct ptx_operand *d = operand_at(f, fr, in, 0);
    st.dst[0] = operand_dest_as(f, fr, d, PTX_U32);
    st.dst_count = 1;
    st.dst_pair = operand_pair(f, fr, d);
    st.src[0] = operand_source(f, fr, operand_at(f, fr, in, 1), st.type);
    st.src[1] = operand_source(f, fr, operand_at(f, fr, in, 2), PTX_U32);
    st.src_count = 2;
    resolve_finish(f, fr, &st);
}

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
    opcode_take(s, "cta");
    opcode_take(s, "aligned");
    if (opcode_take(s, "red"))
        flatten_fail(f, fr, "is not supported: barriers that count or vote are not; __syncthreads() is, and votes within a warp are");
    if (!opcode_take(s, "sync"))
        flatten_fail(f, fr, "is not supported: only barriers that all threads of the block wait at are");
    opcode_no_more(f, fr, s);
    if (in->operand_count > 1)
        flatten_fail(f, fr, "with a thread count is not supported: only barriers of the whole block are");
    const struct ptx_operand *id = operand_at(f, fr, in, 0);
    if (id->kind != OPERAND_IMM)
        flatten_fail(f, fr, "is not supported with a barrier number that is not constant");
    st.detail = (int)id->imm;
    resolve_finish(f, fr, &st);
}
