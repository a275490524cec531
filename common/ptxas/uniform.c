/* uniform.c - what is the same for all lanes of a warp, and can be kept once for all of them: in a uniform register (7.5 and later).
 *
 * Parameters, block numbers and what integer instructions make of them are, as long as all lanes of the warp are together there: not
 * between a branch that lanes may take either way and the block where they meet again. Loads, floats and what has no uniform form of its
 * instruction need a register a lane. Source: uniform instructions of 7.5 to 9.0 (CUDA Binary Utilities, instruction sets), as which ptxas
 * 13.0 writes those of the labs' kernels. */

#include "ptxas/passes.h"

#include <stdlib.h>
#include <string.h>

struct uniform {
    const struct ptx_program *p;
    char *varies; /* by vreg: it may differ by lane, or needs a register a lane */
    char *parted; /* by block: not all lanes of a warp need be there */
    int *stack;   /* of blocks, as many as there are */
};

static int has_uniform_form(const struct ptx_step *s)
{
    static const char *const none[] = {"min", "max", "div", "rem", "abs", "mul.hi", "mad.hi", "slct", "dp"};
    const struct ptx_op_info *op = &ptx_ops[s->op];
    switch (s->op) {
    case OP_LD: return s->space == SPACE_PARAM || s->space == SPACE_CONST;
    case OP_SREG: return s->detail >= SREG_NTID_X && s->detail <= SREG_NCTAID_Z;
    case OP_CVTA: case OP_mov_b32: case OP_mov_b64: return 1;
    default: break;
    }
    for (size_t i = 0; s->text && i < sizeof none / sizeof *none; i++)
        if (!strncmp(s->text, none[i], strlen(none[i])))
            return 0;
    return s->text && !strstr(s->text, ".f") && op->arity >= 0 && (op->class == CLASS_INT || op->class == CLASS_MOVE);
}

static int step_varies(const struct uniform *u, const struct ptx_step *s, int parted)
{
    int varies = parted || !has_uniform_form(s) || (s->guard >= 0 && u->varies[s->guard]);
    for (int i = 0; i < s->src_count; i++)
        varies |= s->src[i].kind == SRC_REG && u->varies[s->src[i].reg];
    return varies;
}

static int now_varies(struct uniform *u, int vreg)
{
    if (vreg < 0 || u->varies[vreg])
        return 0;
    return u->varies[vreg] = 1;
}

/* Mark what a branch whose lanes part leads to before they meet; returns whether that is more than was known. */
static int part(struct uniform *u, int branch)
{
    int to[2], depth = 0, found = 0, meet = u->p->blocks[branch].ipdom;
    u->stack[depth++] = branch;
    while (depth) {
        int b = u->stack[--depth];
        for (int k = ptx_successors(u->p, b, to); k-- > 0;)
            if (to[k] != meet && to[k] < (int)u->p->block_count && !u->parted[to[k]]) {
                u->parted[to[k]] = found = 1;
                u->stack[depth++] = to[k];
            }
    }
    return found;
}

static int look_at(struct uniform *u, int b)
{
    const struct ptx_block *x = &u->p->blocks[b];
    const struct ptx_step *s = &u->p->steps[x->first];
    int found = 0;
    for (int i = 0; i < x->count; i++, s++) {
        if (s->op == OP_ST || s->flags & FLAG_UNUSED || !step_varies(u, s, u->parted[b]))
            continue;
        for (int k = 0; k < s->dst_count; k++)
            found |= now_varies(u, s->dst[k]);
        found |= now_varies(u, s->dst_pair);
    }
    if (x->end == END_BRANCH && s[-1].guard >= 0 && u->varies[s[-1].guard])
        found |= part(u, b);
    return found;
}

char *ptxas_uniform(const struct ptx_program *p)
{
    struct uniform u = {p, xcalloc(p->vreg_count, 1), xcalloc(p->block_count, 1), xcalloc(p->block_count + 1, sizeof(int))};
    for (int found = 1; found;) {
        found = 0;
        for (size_t b = 0; b < p->block_count; b++)
            found |= look_at(&u, (int)b);
    }
    for (size_t i = 0; i < p->vreg_count; i++)
        u.varies[i] = !u.varies[i];
    free(u.parted);
    free(u.stack);
    return u.varies;
}
