/* instructions.c - the machine instructions that a step takes, and the units that execute them.
 *
 *     rem.u32 d, a, b      17: 3 in the special function unit (I2F, RCP, F2I), 7 products, 7 others
 *     mad.lo, mul.wide     1 product (IMAD); with a following sum still 1 (IMAD.WIDE)
 *     add, sub             1 sum: IADD3 or IMAD.IADD; with a fused step (fuse.c) IADD3 or LEA
 *     add.s64, shl.b64     2 (IADD3 and IADD3.X), from 8.0 on: integer units have 32 bits
 *     popc, clz, brev      1 in the special function unit
 *     ex2, lg2, rsqrt      4: tiny numbers are scaled before and after (FSETP, 2 FMUL); with .ftz 1
 *     rcp, sqrt, div.rn    10: Newton's method, and a branch for numbers outside its range, which
 *                          takes three of them (BSSY, BRA, BSYNC)
 *
 * Counters count one instruction for each PTX step; these numbers are for the time model. Sources:
 * CUDA C Programming Guide, table of throughputs; 4.2, 5.4.1: tens of instructions for a division
 * on 1.x, below 20 later; an H200, where ncu counts 17.2, 3.0 and 7.2 for a rem.u32; FSETP and IADD
 * in ptxas' code for cvt.rna.tf32; nvcc 13's machine code for 9.0. */
#include "ptxas/ptxas.h"

#include <string.h>

/* Float functions that take several instructions, including one in the special function unit. */
static const struct {
    const char *opcode;
    struct ptxas_instructions takes;
} functions[] = {
    {"ex2.approx.f32", {.all = 4, .tests = 1, .floats = 2}},
    {"lg2.approx.f32", {.all = 4, .tests = 1, .floats = 2}},
    {"rsqrt.approx.f32", {.all = 4, .tests = 1, .floats = 2}},
    {"rcp.rn.f32", {.all = 10, .tests = 3, .floats = 3, .branches = 1}},
    {"sqrt.rn.f32", {.all = 10, .tests = 2, .floats = 4, .branches = 1}},
    {"div.rn.f32", {.all = 10, .tests = 1, .floats = 5, .branches = 1}},
};

static int is_between(enum ptx_op op, enum ptx_op first, enum ptx_op last)
{
    return op >= first && op <= last;
}

struct ptxas_instructions ptxas_instructions(const struct ptx_step *s)
{
    struct ptxas_instructions n = {.all = s->op == OP_cvt_rna_tf32_f32 ? 2 : 1};
    int took = (s->flags & FLAG_TOOK) != 0;
    if (s->flags & FLAG_FUSED) return (struct ptxas_instructions){0};
    int function = ptx_ops[s->op].class == CLASS_SFU && s->text;
    for (size_t i = 0; function && i < sizeof functions / sizeof *functions; i++)
        if (!strncmp(s->text, functions[i].opcode, strlen(functions[i].opcode)))
            return functions[i].takes;
    if (is_between(s->op, OP_div_u16, OP_rem_s64)) return (struct ptxas_instructions){17, 7, 0, 3};
    if (s->flags & FLAG_TWICE && !took) n.all = 2;
    n.products = is_between(s->op, OP_mul_lo_b16, OP_mad_wide_s32) || (took && s->op == OP_add_b64);
    n.sums = is_between(s->op, OP_add_b16, OP_sub_b64) && !took ? n.all : 0;
    n.special = is_between(s->op, OP_brev_b32, OP_bfind_shift_u32);
    return n;
}
