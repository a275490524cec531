/* bulk_kernel.h - the PTX of a kernel of one thread that has a box copied by the copy engine.
 *
 *     load       array --map--> box in shared memory --> words
 *     store      words --> shared memory --map--> array
 *
 * Its parameters: the tensor map; the buffer "words"; x, y, z; the number of words of the box, the
 * number of words that it takes in shared memory, and its offset there in bytes. */
#ifndef LOCKSTEP_HARDWARE_BULK_KERNEL_H
#define LOCKSTEP_HARDWARE_BULK_KERNEL_H

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char bulk_text[] =
    ".version 8.3\n.target sm_90\n.address_size 64\n"
    ".visible .entry KERNEL(.param .u64 map, .param .u64 out, .param .u32 x, .param .u32 y, .param .u32 z,\n"
    "    .param .u32 count, .param .u32 room, .param .u32 shift)\n{\n"
    ".reg .pred %p<3>; .reg .b32 %r<13>; .reg .b64 %rd<6>;\n"
    ".shared .align 1024 .b8 place[32768]; .shared .align 8 .b64 full;\n"
    "ld.param.u64 %rd1, [map]; ld.param.u64 %rd2, [out]; ld.param.u32 %r3, [x]; ld.param.u32 %r4, [y];\n"
    "ld.param.u32 %r5, [z]; ld.param.u32 %r6, [count];\n"
    "mov.u32 %r1, place; ld.param.u32 %r11, [shift]; add.u32 %r1, %r1, %r11; mov.u32 %r2, full;\n"
    "shl.b32 %r7, %r6, 2; ld.param.u32 %r12, [room]; shl.b32 %r12, %r12, 2;\n"
    "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;\n"
    "BEFORE\n"
    "mov.u32 %r8, 0;\n"
    "MORE: setp.ge.u32 %p2, %r8, %r12; @%p2 bra DONE;\n"
    "add.u32 %r9, %r1, %r8; cvt.u64.u32 %rd3, %r8; add.u64 %rd4, %rd2, %rd3;\n"
    "MOVE\n"
    "add.u32 %r8, %r8, 4; bra MORE;\n"
    "DONE:\nAFTER\nret;\n}\n";
static const char bulk_load_before[] =
    "mbarrier.init.shared::cta.b64 [%r2], 1; fence.mbarrier_init.release.cluster;\n"
    "fence.proxy.async.shared::cta;\n"
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], %r7;\n"
    "cp.async.bulk.tensor.RANK.shared::cluster.global.tile.mbarrier::complete_tx::bytes\n"
    "    [%r1], [%rd1, {AT}], [%r2];\n"
    "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], 0; @!%p1 bra WAIT;\n";
static const char bulk_load_move[] = "ld.shared.b32 %r10, [%r9]; st.global.b32 [%rd4], %r10;";
static const char bulk_store_move[] = "ld.global.b32 %r10, [%rd4]; st.shared.b32 [%r9], %r10;";
static const char bulk_store_after[] =
    "fence.proxy.async.shared::cta;\n"
    "cp.async.bulk.tensor.RANK.global.shared::cta.tile.bulk_group [%rd1, {AT}], [%r1];\n"
    "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n";

/* A copy of a text in which `by` replaces each `word`. The caller frees it. */
static inline char *bulk_replaced(const char *in, const char *word, const char *by)
{
    struct buf out = {0};
    for (const char *at; (at = strstr(in, word)); in = at + strlen(word))
        buf_printf(&out, "%.*s%s", (int)(at - in), in, by);
    buf_printf(&out, "%s", in);
    return out.data;
}

static inline char *bulk_kernel(int store, int rank)
{
    static const char *const ats[] = {"", "%r3", "%r3, %r4", "%r3, %r4, %r5"};
    char name[4];
    snprintf(name, sizeof name, "%dd", rank);
    const char *const words[][2] = {{"KERNEL", store ? "store" : "load"},
        {"BEFORE", store ? "" : bulk_load_before},
        {"MOVE", store ? bulk_store_move : bulk_load_move},
        {"AFTER", store ? bulk_store_after : ""}, {"RANK", name}, {"AT", ats[rank]}};
    char *t = xstrdup(bulk_text);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *next = bulk_replaced(t, words[i][0], words[i][1]);
        free(t);
        t = next;
    }
    return t;
}

#endif
