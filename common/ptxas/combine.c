/* combine.c - atomics of all lanes on one word, which one lane does for its warp.
 *
 *     atomicAdd(&count, 1)         ballot; the lowest lane adds their number; it hands places to the others
 *     atomicMax(&best, x)          the greatest x of the warp; the lowest lane compares it
 *
 * ptxas does so if the address is the same for all lanes in any case (an object, a parameter, sums of them),
 * and if integers of 32 bits are
 *
 * - added, each lane the same constant, or
 * - from 8.0 on, added, compared or combined bit by bit, and nothing reads the old value.
 *
 * Source: an H200's counts of atomic requests (l1tex__t_sectors_pipe_lsu_mem_global_op_atom) and times; the
 * redux instruction, PTX ISA. */

#include "ptxas/passes.h"

#include <stdlib.h>

/* For each virtual register: is it written once, by a step whose operands are constants, parameters and such
 * registers? Then it has one value for the grid. The caller frees the array. */
static char *same_for_all(const struct ptx_program *p)
{
    char *same = xcalloc(p->vreg_count, 1), *writers = xcalloc(p->vreg_count, 1);
    for (size_t i = 0; i < p->step_count; i++)
        for (int k = 0; p->steps[i].op != OP_ST && k < p->steps[i].dst_count; k++)
            if (p->steps[i].dst[k] >= 0 && writers[p->steps[i].dst[k]] < 2) writers[p->steps[i].dst[k]]++;
    for (int found = 1; found;) {
        found = 0;
        for (size_t i = 0; i < p->step_count; i++) {
            const struct ptx_step *s = &p->steps[i];
            int is = s->dst_count == 1 && s->guard < 0 && s->dst[0] >= 0 && writers[s->dst[0]] == 1 &&
                (s->op == OP_LD ? s->space == SPACE_PARAM : s->op == OP_CVTA || ptx_ops[s->op].arity >= 0);
            for (int k = 0; k < s->src_count; k++) is &= s->src[k].kind != SRC_REG || same[s->src[k].reg];
            if (is && !same[s->dst[0]]) found = same[s->dst[0]] = 1;
        }
    }
    free(writers);
    return same;
}

static int is_combined(const struct ptx_step *s, int redux)
{
    if (s->type != PTX_U32 && s->type != PTX_S32 && s->type != PTX_B32) return 0;
    switch (s->detail) {
    case ATOM_ADD: return s->src[1].kind == SRC_IMM || (redux && s->dst[0] < 0);
    case ATOM_MIN: case ATOM_MAX: case ATOM_AND: case ATOM_OR: case ATOM_XOR: return redux && s->dst[0] < 0;
    default: return 0;
    }
}

void ptxas_combine(struct ptx_program *p, const struct ptxas_target *t)
{
    char *same = t->cc_major >= 7 ? same_for_all(p) : NULL;
    for (size_t i = 0; same && i < p->step_count; i++) {
        struct ptx_step *s = &p->steps[i];
        int one_word = s->src[0].kind == SRC_REG ? same[s->src[0].reg] : s->src[0].kind != SRC_NONE;
        if (s->op == OP_ATOM && one_word && is_combined(s, t->cc_major >= 8)) s->flags |= FLAG_COMBINED;
    }
    free(same);
}
