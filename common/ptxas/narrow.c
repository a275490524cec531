/* narrow.c - conversions of small integers to floats, for which there are special instructions.
 *
 *     (float)(bits & 255)      I2F.U8    in the special function unit
 *     (float)(bits >> 16)      I2F.U16   there, too
 *     (float)bits              I2FP      from 9.0 on, in the integer units
 *
 * A conversion from 32 bits whose source has at most 16 significant bits becomes one from 16 bits;
 * the value is the same. Source: nvcc 13's machine code for 7.5, 8.0 and 9.0 (cuobjdump -sass). */
#include "ptxas/passes.h"

#include <stdlib.h>

enum { SMALL = 0xffff };

static int constant(const struct ptx_src *s, uint64_t *v)
{
    *v = s->imm;
    return s->kind == SRC_IMM;
}

/* Does the step's result fit into 16 bits, whatever its operands are? */
static int leaves_small(const struct ptx_step *s)
{
    uint64_t v;
    switch (s->op) {
    case OP_and_b32: return (constant(&s->src[0], &v) || constant(&s->src[1], &v)) && v <= SMALL;
    case OP_shr_u32: return constant(&s->src[1], &v) && v >= 16 && v < 32;
    case OP_bfe_u32: return constant(&s->src[2], &v) && v <= 16;
    case OP_cvt_b32_u8:
    case OP_cvt_b32_u16:
    case OP_cvt_u8_32: return 1;
    default: return 0;
    }
}

void ptxas_narrow(struct ptx_program *p, const struct ptxas_target *t)
{
    char *writes = xcalloc(p->vreg_count, 1), *small = xcalloc(p->vreg_count, 1);
    (void)t;
    for (size_t i = 0; i < p->step_count; i++)
        for (int k = 0; p->steps[i].op != OP_ST && k < p->steps[i].dst_count; k++) {
            int r = p->steps[i].dst[k];
            if (r < 0) continue;
            if (writes[r] < 2) writes[r]++;
            small[r] = writes[r] == 1 && leaves_small(&p->steps[i]);
        }
    for (size_t i = 0; i < p->step_count; i++)
        for (int k = 0; k < ptx_updates(&p->steps[i]); k++) small[p->steps[i].more[k]] = 0;
    for (size_t i = 0; i < p->step_count; i++) {
        struct ptx_step *s = &p->steps[i];
        int from_word = s->op == OP_cvt_f32_u32 || s->op == OP_cvt_f32_s32;
        if (from_word && s->src[0].kind == SRC_REG && small[s->src[0].reg]) s->op = OP_cvt_f32_u16;
    }
    free(writes), free(small);
}
