/* guard.c - short blocks that a branch jumps over: ptxas removes the branch, and gives the branch's
 * guard to their instructions.
 *
 *     from --> over --┐        @p bra to;             @!p ld ...
 *        └------------┴--> to  ld ...; add ...;  -->  @!p add ...
 *
 * Then a warp goes through the block even if none of its lanes executes it: the instructions issue,
 * and the loads and stores occupy the load/store units.
 *
 * Source: ptxas 13.0 for 9.0, which guards up to 8 instructions of any kind but atomics, barriers
 * and calls (tried with blocks of 1 to 24 instructions); an H200, where an access by no lane takes
 * as long as one without conflicts. */
#include "ptxas/passes.h"

#include <stdlib.h>

enum { MOST = 8 };

static int is_short(const struct ptx_program *p, const struct ptx_block *b)
{
    int instructions = 0;
    for (int i = b->first; i < b->first + b->count; i++) {
        const struct ptx_step *s = &p->steps[i];
        if (s->op == OP_BRA) continue;
        if (s->op != OP_LD && s->op != OP_ST && ptx_ops[s->op].arity < 0 && s->op != OP_CVTA)
            return 0;
        instructions += !(s->flags & (FLAGS_UNCOUNTED | FLAG_FUSED));
    }
    return instructions <= MOST;
}

/* ptxas loads a constant that a guarded instruction reads by a separate instruction before it
 * (LDC), so the load is no longer fused. */
static void load_constants(struct ptx_program *p, const struct ptx_block *b)
{
    for (int i = b->first; i < b->first + b->count; i++)
        if (p->steps[i].op == OP_LD && p->steps[i].space == SPACE_CONST)
            p->steps[i].flags &= ~(unsigned)FLAG_FUSED;
}

void ptxas_guard(struct ptx_program *p, const struct ptxas_target *t)
{
    int *entries = xcalloc(p->block_count + 1, sizeof *entries), to[2];
    (void)t;
    entries[0] = 1;
    for (size_t b = 0; b < p->block_count; b++) {
        p->blocks[b].guarded_by = -1;
        for (int k = ptx_successors(p, (int)b, to); k-- > 0;) entries[to[k]]++;
    }
    for (size_t b = 0; b < p->block_count; b++) {
        const struct ptx_block *from = &p->blocks[b];
        int over = from->next;
        if (from->end != END_BRANCH || p->steps[from->first + from->count - 1].guard < 0 ||
            over < 0 || from->target < 0 || over == from->target || entries[over] != 1 ||
            entries[from->target] != 2)
            continue;
        if (p->blocks[over].end == END_BARRIER || ptx_successors(p, over, to) != 1 ||
            to[0] != from->target || !is_short(p, &p->blocks[over]))
            continue;
        p->blocks[over].guarded_by = (int)b;
        load_constants(p, &p->blocks[over]);
        p->steps[from->first + from->count - 1].flags |= FLAG_FUSED;
    }
    free(entries);
}
