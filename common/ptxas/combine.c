/* combine.c - atomics of all lanes on the same word, which ptxas lets one lane execute for its
 * warp.
 *
 *     atomicAdd(&count, 1)     ballot; the lowest lane adds the number of lanes; each lane's old
 *                              value is computed from the one that this lane got
 *     atomicMax(&best, x)      the greatest x of the warp; the lowest lane compares it
 *
 * ptxas does so if the address is uniform (computed from objects, parameters, block numbers and
 * loads from such addresses) and each lane adds the same constant. From 8.0 on it also does so
 *
 * - if 32-bit integers are added,
 * - if 32-bit integers are compared or combined bitwise and the old value is unused.
 *
 * Source: sectors of atomics and reductions (l1tex__t_sectors_pipe_lsu_mem_global_op_atom and _red)
 * of 17 such kernels on an H200; the redux instruction, PTX ISA. */

#include "ptxas/passes.h"

#include <stdlib.h>

/* Is the result of the step the same in all lanes of a warp if the step's operands are? */
static int keeps_same(const struct ptx_step *s)
{
    switch (s->op) {
    case OP_LD: return s->space != SPACE_LOCAL && s->space != SPACE_GENERIC;
    case OP_SREG: return s->detail >= SREG_NTID_X && s->detail <= SREG_NCTAID_Z;
    case OP_CVTA: return 1;
    default: return ptx_ops[s->op].arity >= 0;
    }
}

/* For each virtual register: is it written only once, with a value that is the same in all lanes of
 * a warp even if they diverge? The caller frees the array. */
static char *same_for_all(const struct ptx_program *p)
{
    char *same = xcalloc(p->vreg_count, 1), *writers = xcalloc(p->vreg_count, 1);
    for (size_t i = 0; i < p->step_count; i++)
        for (int k = 0; p->steps[i].op != OP_ST && k < p->steps[i].dst_count; k++)
            if (p->steps[i].dst[k] >= 0 && writers[p->steps[i].dst[k]] < 2)
                writers[p->steps[i].dst[k]]++;
    for (size_t i = 0; i < p->step_count; i++)
        for (int k = 0; k < ptx_updates(&p->steps[i]); k++) writers[p->steps[i].more[k]] = 2;
    for (int found = 1; found;) {
        found = 0;
        for (size_t i = 0; i < p->step_count; i++) {
            const struct ptx_step *s = &p->steps[i];
            int is = s->dst_count == 1 && s->guard < 0 && s->dst[0] >= 0 &&
                     writers[s->dst[0]] == 1 && keeps_same(s);
            for (int k = 0; k < s->src_count; k++)
                is &= s->src[k].kind != SRC_REG || same[s->src[k].reg];
            if (is && !same[s->dst[0]]) found = same[s->dst[0]] = 1;
        }
    }
    free(writers);
    return same;
}

static int is_combined(const struct ptx_step *s, int redux)
{
    int words = s->type == PTX_U32 || s->type == PTX_S32 || s->type == PTX_B32;
    int whole = words || s->type == PTX_U64 || s->type == PTX_S64 || s->type == PTX_B64;
    switch (s->detail) {
    case ATOM_ADD: return whole && (s->src[1].kind == SRC_IMM || (redux && words));
    case ATOM_MIN:
    case ATOM_MAX:
    case ATOM_AND:
    case ATOM_OR:
    case ATOM_XOR: return words && redux && s->dst[0] < 0;
    default: return 0;
    }
}

void ptxas_combine(struct ptx_program *p, const struct ptxas_target *t)
{
    char *same = ptxas_has(t, FEATURE_COMBINED_ATOMICS) ? same_for_all(p) : NULL;
    for (size_t i = 0; same && i < p->step_count; i++) {
        struct ptx_step *s = &p->steps[i];
        int one_word = s->src[0].kind == SRC_REG ? same[s->src[0].reg] : s->src[0].kind != SRC_NONE;
        if (s->op == OP_ATOM && one_word && is_combined(s, ptxas_has(t, FEATURE_REDUCTIONS)))
            s->flags |= FLAG_COMBINED;
    }
    free(same);
}
