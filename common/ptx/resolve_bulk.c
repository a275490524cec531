/* resolve_bulk.c - copies that the copy engine of 9.0 makes on behalf of one thread (TMA):
 * cp.async.bulk.
 *
 *      cp.async.bulk...        [s], [g], bytes, [b]      global to shared memory; mbarrier b counts
 *      cp.async.bulk...        [g], [s], bytes           shared to global memory; part of a group
 *      cp.async.bulk.tensor... [s], [map, {x, y}], [b]   a box of an array
 *      cp.async.bulk.tensor... [map, {x, y}], [s]
 *      cp.async.bulk...        [p], [s], bytes, [b]      to shared memory of another block of the cluster
 *      ....multicast::cluster  ..., [b], ranks           to the same place in several blocks
 *
 * Each instruction becomes one step, OP_BULK. src[0]: address in shared memory; src[1]: address in
 * global memory, or of the tensor map; src[2]: bytes; src[3]: mbarrier; coordinates and ranks are
 * further sources.
 *
 * Source: PTX ISA, cp.async.bulk, cp.async.bulk.tensor. */
#include "ptx/resolve.h"

#include <string.h>

/* Handles cp.async.bulk.commit_group and cp.async.bulk.wait_group{.read} N. */
static void resolve_bulk_group(
    struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s, int waits)
{
    struct ptx_step st = {.op = OP_BULKGROUP, .dst_pair = -1, .detail = BULKGROUP_COMMIT};
    if (waits) st.detail = opcode_take(s, "read") ? BULKGROUP_READ : BULKGROUP_WAIT;
    opcode_no_more(f, fr, s);
    if (waits) st.src[st.src_count++] = operand_source(f, fr, operand_at(f, fr, in, 0), PTX_U32);
    resolve_finish(f, fr, &st);
}

enum { MOST_RANK = 5 };

/* Sets to[] to the registers of the coordinates {x, y, ...} in an operand [map, {x, y, ...}]. */
static void take_coordinates(
    struct flatten *f, struct frame *fr, const struct ptx_operand *o, int rank, int to[MOST_RANK])
{
    if (o->kind != OPERAND_MEM || o->element_count != rank)
        flatten_fail(f, fr, "needs an address of a tensor map and %d coordinates", rank);
    for (int i = 0; i < rank; i++) {
        struct ptx_src x = operand_source(f, fr, &o->elements[i], PTX_U32);
        if (x.kind != SRC_REG)
            x = operand_reg(operand_emit(f, fr, OP_mov_b32, PTX_B32, x, (struct ptx_src){0}));
        to[i] = x.reg;
    }
}

/* The register that holds the ranks of a multicast, one bit per block of the cluster. */
static int take_ranks(struct flatten *f, struct frame *fr, const struct ptx_operand *o)
{
    struct ptx_src x = operand_source(f, fr, o, PTX_U16);
    return x.kind == SRC_REG ? x.reg
                             : operand_emit(f, fr, OP_mov_b32, PTX_B32, x, (struct ptx_src){0});
}

/* An error if modifiers remain, other than those that change nothing here. */
static void no_more(struct flatten *f, struct frame *fr, struct parts *s)
{
    static const char *const known[] = {
        "shared::cta", "shared::cluster", "tile", "L2::cache_hint", NULL};
    opcode_take_all(s, known);
    opcode_no_more(f, fr, s);
}

void resolve_bulk(struct flatten *f, struct frame *fr, const struct ptx_inst *in, struct parts *s)
{
    static const char *const ranks[] = {"1d", "2d", "3d", "4d", "5d", NULL};
    struct ptx_step st = {
        .op = OP_BULK, .dst_pair = -1, .type = PTX_B32, .vector = 4, .space = SPACE_GENERIC};
    if (opcode_take(s, "prefetch")) {
        flatten_step(f, fr, OP_PREFETCH);
        return;
    }
    int at[MOST_RANK + 1];
    int commits = opcode_take(s, "commit_group");
    if (commits || opcode_take(s, "wait_group")) {
        resolve_bulk_group(f, fr, in, s, !commits);
        return;
    }
    int tensor = opcode_take(s, "tensor"), store = opcode_take(s, "bulk_group");
    if (tensor && !(st.detail = opcode_take_one_of(s, ranks) + 1))
        flatten_fail(f, fr, "is not supported");
    if (!store && !opcode_take(s, "mbarrier::complete_tx::bytes"))
        flatten_fail(f, fr, "is not supported");
    int casts = !store && opcode_take(s, "multicast::cluster"),
        global_side = opcode_take(s, "global");
    no_more(f, fr, s);
    const struct ptx_operand *shared = operand_at(f, fr, in, store),
                             *global = operand_at(f, fr, in, !store);
    st.detail2 = store ? BULK_STORE : casts ? BULK_CAST : global_side ? BULK_LOAD : BULK_PEER;
    st.src[0] = resolve_whole_address(f, fr, shared, SPACE_SHARED);
    st.src[1] =
        resolve_whole_address(f, fr, global, st.detail2 == BULK_PEER ? SPACE_SHARED : SPACE_GLOBAL);
    st.src[2] = operand_imm(0);
    if (tensor)
        take_coordinates(f, fr, global, st.detail, at);
    else
        st.src[2] = operand_source(f, fr, operand_at(f, fr, in, 2), PTX_U32);
    st.src_count = 3;
    if (!store) {
        st.src[3] =
            resolve_whole_address(f, fr, operand_at(f, fr, in, tensor ? 2 : 3), SPACE_SHARED);
        st.src_count = 4;
    }
    if (casts) at[st.detail] = take_ranks(f, fr, operand_at(f, fr, in, tensor ? 3 : 4));
    resolve_finish(f, fr, &st);
    if (!tensor && !casts) return;
    struct ptx_step *made = &f->p->steps[f->p->step_count - 1];
    made->more = xcalloc(MOST_RANK + 1, sizeof *made->more);
    made->more_count = st.detail + casts;
    memcpy(made->more, at, (size_t)made->more_count * sizeof *at);
}
