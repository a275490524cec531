/* uniform.c - values that all lanes of a warp have in common, which a uniform register can hold
 * (from 7.5 on).
 *
 *     ld.param %r1, [n];  mov %r2, %ctaid.x;  mad.lo %r3, %r1, %r2, 4;  uniform
 *     mov %r4, %tid.x;  add %r5, %r3, %r4;                              one register for each lane
 *
 * Parameters, block numbers and results of integer instructions on them are uniform, except between
 * a divergent branch and the block where the lanes reconverge. Loads, floats and instructions
 * without a uniform form need a register for each lane.
 *
 * Source: the uniform instructions of 7.5 to 9.0 (CUDA Binary Utilities, instruction sets); ptxas
 * 13.0's machine code. */

#include "ptxas/passes.h"

#include <stdlib.h>
#include <string.h>

/* The state of the analysis. The flags in varies and parted are only set, never cleared, so the
 * analysis terminates. */
struct uniform {
    const struct ptx_program *p;
    /* for each virtual register: its value may differ between lanes, or needs a register for each
     * lane */
    char *varies;
    char *parted; /* for each basic block: lanes of a warp may be diverged there */
    int *stack;   /* scratch space, one element for each basic block */
    /* 1: parted is final, and from now on only varies changes */
    int held;
};

/* Is there a uniform instruction for this step? There is none for floats and for the operations
 * listed here. */
static int has_uniform_form(const struct ptx_step *s)
{
    static const char *const none[] = {
        "min", "max", "div", "rem", "abs", "mul.hi", "mad.hi", "slct", "dp"};
    const struct ptx_op_info *op = &ptx_ops[s->op];
    switch (s->op) {
    case OP_LD: return s->space == SPACE_PARAM || s->space == SPACE_CONST;
    case OP_SREG: return s->detail >= SREG_NTID_X && s->detail <= SREG_NCTAID_Z;
    case OP_CVTA:
    case OP_mov_b32:
    case OP_mov_b64: return 1;
    default: break;
    }
    for (size_t i = 0; s->text && i < sizeof none / sizeof *none; i++)
        if (!strncmp(s->text, none[i], strlen(none[i]))) return 0;
    return s->text && !strstr(s->text, ".f") && op->arity >= 0 &&
           (op->class == CLASS_INT || op->class == CLASS_MOVE);
}

/* Do the step's results vary? Yes if the warp is diverged (parted), if there is no uniform
 * instruction, or if the guard or a source varies. */
static int step_varies(const struct uniform *u, const struct ptx_step *s, int parted)
{
    int varies = parted || !has_uniform_form(s) || (s->guard >= 0 && u->varies[s->guard]);
    for (int i = 0; i < s->src_count; i++)
        varies |= s->src[i].kind == SRC_REG && u->varies[s->src[i].reg];
    return varies;
}

/* Record that the value of a register varies; vreg may be -1. Returns whether that was not known
 * before. */
static int now_varies(struct uniform *u, int vreg)
{
    if (vreg < 0 || u->varies[vreg]) return 0;
    return u->varies[vreg] = 1;
}

/* Set parted for the basic blocks between a divergent branch and the block where its lanes
 * reconverge. Returns whether that is new for any of these blocks. */
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

/* Record which registers vary in a basic block and, if its branch diverges, in which blocks the
 * lanes are diverged. Returns whether anything is new. */
static int look_at(struct uniform *u, int b)
{
    const struct ptx_block *x = &u->p->blocks[b];
    const struct ptx_step *s = &u->p->steps[x->first];
    int found = 0;
    for (int i = 0; i < x->count; i++, s++) {
        if (s->op == OP_ST || s->flags & FLAG_UNUSED || !step_varies(u, s, u->parted[b])) continue;
        for (int k = 0; k < s->dst_count; k++) found |= now_varies(u, s->dst[k]);
        for (int k = 0; k < ptx_updates(s); k++) found |= now_varies(u, s->more[k]);
        found |= now_varies(u, s->dst_pair);
    }
    if (x->end == END_BRANCH && s[-1].guard >= 0 && u->varies[s[-1].guard] && !u->held)
        found |= part(u, b);
    return found;
}

/* Repeat for all basic blocks until nothing is new. */
static void spread(struct uniform *u)
{
    for (int found = 1; found;) {
        found = 0;
        for (size_t b = 0; b < u->p->block_count; b++) found |= look_at(u, (int)b);
    }
}

/* Mark two kinds of registers as varying: those that several steps write, such as loop counters,
 * and those that are live from one basic block to another. ptxas keeps these in a register for each
 * lane while it has enough. */
static void mark_lasting(struct uniform *u)
{
    char *written = xcalloc(u->p->vreg_count, 1);
    struct live l = live_new(u->p, 0);
    for (size_t i = 0; i < u->p->step_count; i++) {
        const struct ptx_step *s = &u->p->steps[i];
        for (int k = 0; s->op != OP_ST && k < s->dst_count; k++) {
            if (s->dst[k] < 0) continue;
            u->varies[s->dst[k]] |= written[s->dst[k]];
            written[s->dst[k]] = 1;
        }
    }
    for (size_t b = 0; b < u->p->block_count; b++)
        for (size_t v = 0; v < u->p->vreg_count; v++)
            u->varies[v] |= (char)live_has(l.out + b * l.words, (int)v);
    live_free(&l);
    free(written);
    u->held = 1;
}

/* For each virtual register: whether a uniform register can hold its value (passes.h). The analysis
 * starts with everything uniform. */
char *ptxas_uniform(const struct ptx_program *p, int scarce)
{
    struct uniform u = {p, xcalloc(p->vreg_count, 1), xcalloc(p->block_count, 1),
        xcalloc(p->block_count + 1, sizeof(int))};
    spread(&u);
    if (!scarce) {
        mark_lasting(&u);
        spread(&u);
    }
    for (size_t i = 0; i < p->vreg_count; i++) u.varies[i] = !u.varies[i];
    free(u.parted);
    free(u.stack);
    return u.varies;
}
