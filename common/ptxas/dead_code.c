/* dead_code.c - steps whose results are unused: the simulator executes them, but they are not
 * counted.
 *
 *     ld.global %r1, [a];     not counted: only the next line reads %r1
 *     add %r2, %r1, 1;        not counted: nothing reads %r2
 *     atom.add %r3, [b], 1;   counted, as a reduction (RED) without a result: nothing reads %r3
 *
 * Source: ptxas 13.0's machine code for sm_90. */
#include "ptxas/passes.h"

#include <stdlib.h>
#include <string.h>

/* Mark atomics whose old value is unused: ptxas makes such an atomic a reduction (RED), which has
 * no result. */
static void drop_unused_results(struct ptx_program *p)
{
    int *readers = ptxas_readers(p);
    for (size_t i = 0; i < p->step_count; i++)
        if (p->steps[i].op == OP_ATOM && p->steps[i].dst[0] >= 0 && !readers[p->steps[i].dst[0]])
            p->steps[i].dst[0] = -1;
    free(readers);
}

/* Is writing registers the only effect of the step? Then ptxas can remove it. */
static int makes_values(const struct ptx_step *s)
{
    switch (s->op) {
    case OP_LD: return !(s->flags & FLAG_VOLATILE);
    case OP_CVTA:
    case OP_ISSPACEP:
    case OP_SREG:
    case OP_MOVMATRIX: return 1;
    default: return ptx_ops[s->op].arity >= 0;
    }
}

/* Is one of the step's results in the set of live registers? */
static int is_wanted(const uint64_t *set, const struct ptx_step *s)
{
    int wanted = s->dst_pair >= 0 && live_has(set, s->dst_pair);
    for (int i = 0; i < s->dst_count; i++) wanted |= s->dst[i] >= 0 && live_has(set, s->dst[i]);
    return wanted;
}

/* One pass, backward through each basic block: flag steps whose results are not live. Steps flagged
 * in earlier passes no longer keep their sources live. Returns whether any was flagged. */
static int leave_out(struct ptx_program *p)
{
    struct live l = live_new(p, 0);
    uint64_t *set = xcalloc(l.words, sizeof *set);
    int found = 0;
    for (size_t b = 0; b < p->block_count; b++) {
        const struct ptx_block *x = &p->blocks[b];
        memcpy(set, l.out + b * l.words, l.words * sizeof *set);
        for (int i = x->count; i-- > 0;) {
            struct ptx_step *s = &p->steps[x->first + i];
            if (s->flags & FLAG_UNUSED) continue;
            if (makes_values(s) && !is_wanted(set, s)) {
                s->flags |= FLAG_UNUSED;
                found = 1;
            } else {
                live_back_over(set, s);
            }
        }
    }
    free(set);
    live_free(&l);
    return found;
}

void ptxas_dead_code(struct ptx_program *p, const struct ptxas_target *t)
{
    (void)t;
    drop_unused_results(p);
    while (leave_out(p))
        ;
}
