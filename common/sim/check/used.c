/* used.c - is a loaded value computed with, or only carried elsewhere?
 *
 *     x = a[i];  b[i] = x;               stored as it is: a structure with its padding
 *     x = a[i];  s += i < n ? x : 0;     selected by a condition: compilers load before the test
 *     x = a[i];  b[i] = 2 * x;           used
 *
 * Where a launch goes on after findings, a read of unwritten memory is reported only if the value
 * is used. A value is followed from register to register, along all paths from its load. */
#include "sim/machine.h"

#include <stdlib.h>

enum { DEEPEST = 16 }; /* a value that goes through more registers counts as used */

static int selects(const struct ptx_step *s)
{
    return s->op == OP_selp_b16 || s->op == OP_selp_b32 || s->op == OP_selp_b64;
}

static int moves(const struct ptx_step *s)
{
    return s->op == OP_mov_b16 || s->op == OP_mov_b32 || s->op == OP_mov_b64;
}

static int is_source(const struct ptx_step *s, int from, int to, int vreg)
{
    for (int i = from; i < to && i < s->src_count; i++)
        if (s->src[i].kind == SRC_REG && s->src[i].reg == vreg) return 1;
    return 0;
}

static int writes(const struct ptx_step *s, int vreg)
{
    int any = 0;
    for (int i = 0; s->op != OP_ST && i < s->dst_count; i++) any |= s->dst[i] == vreg;
    return any && s->guard < 0;
}

static int used(const struct ptx_program *p, int step, int vreg, int depth);

/* Does this step use the value of the register, or copy it to a register whose value is then used?
 * A store has its values in dst. */
static int used_by(const struct ptx_program *p, int step, int vreg, int depth)
{
    const struct ptx_step *s = &p->steps[step];
    if (s->guard == vreg) return 1;
    for (int i = 0; i < s->more_count; i++)
        if (s->more[i] == vreg) return 1;
    if (!is_source(s, 0, s->src_count, vreg)) return 0;
    if (selects(s)) return is_source(s, 2, 3, vreg);
    return !moves(s) || used(p, step, s->dst[0], depth + 1);
}

/* Looks at the steps first .. end - 1. Returns 1 if one of them uses the register, -1 if the
 * register gets another value before, else 0. */
static int used_in(const struct ptx_program *p, int first, int end, int vreg, int depth)
{
    for (int i = first; i < end; i++) {
        if (used_by(p, i, vreg, depth)) return 1;
        if (writes(&p->steps[i], vreg)) return -1;
    }
    return 0;
}

/* Is the value that the step writes to the register used in any basic block that follows? */
static int used(const struct ptx_program *p, int step, int vreg, int depth)
{
    int *list = xcalloc(p->block_count + 1, sizeof *list), count = 0, b = 0;
    char *listed = xcalloc(p->block_count + 1, 1);
    while (step - p->blocks[b].first >= p->blocks[b].count || step < p->blocks[b].first) b++;
    int end = p->blocks[b].first + p->blocks[b].count;
    int how = depth > DEEPEST ? 1 : used_in(p, step + 1, end, vreg, depth);
    for (int at = -1; how != 1 && at < count; at++) {
        int here = at < 0 ? b : list[at];
        const struct ptx_block *x = &p->blocks[here];
        if (at >= 0) how = used_in(p, x->first, x->first + x->count, vreg, depth);
        const int to[] = {x->next, x->target};
        for (int k = 0; !how && k < 2; k++)
            if (to[k] >= 0 && !listed[to[k]]) listed[to[k]] = 1, list[count++] = to[k];
        if (how < 0) how = 0;
    }
    free(list);
    free(listed);
    return how == 1;
}

int sim_used(const struct batch *v, const struct uop *u, int element)
{
    const struct ptx_program *p = v->worker->kernel->program;
    enum { USED = 1, CARRIED };
    uint8_t *known = &v->worker->launch->used[u->step][element];
    int vreg = p->steps[u->step].dst[element];
    if (!*known) *known = vreg >= 0 && used(p, u->step, vreg, 0) ? USED : CARRIED;
    return *known == USED;
}
