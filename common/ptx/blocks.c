/* blocks.c - the basic blocks of a program, and the edges between them.
 *
 *      steps     0  1  bra  |  3  4  bar  |  6  exit
 *      blocks        0      |      1      |     2
 *
 * A block starts at the first step, at the target of a branch, and after a branch, exit, trap or
 * barrier.
 *
 * Source: PTX ISA, control flow instructions.
 */
#include "ptx/flatten.h"

#include <stdlib.h>

/* How a step ends its basic block. END_FALL: the step does not end the block. */
static enum ptx_end end_of(enum ptx_op op)
{
    switch (op) {
    case OP_BRA: return END_BRANCH;
    case OP_EXIT: return END_EXIT;
    case OP_BAR: return END_BARRIER;
    case OP_TRAP: return END_TRAP;
    default: return END_FALL;
    }
}

/* Divide the steps into basic blocks. Before the call, the target of a branch is the index of a
 * step; afterwards, that of a basic block; -1 is the exit. */
void ptx_find_blocks(struct ptx_program *p)
{
    /* block_at[i]: at first, whether a block starts at step i; later, the block that contains step
     * i */
    int n = (int)p->step_count, *block_at = xcalloc((size_t)n + 1, sizeof *block_at);
    block_at[0] = 1;
    for (int i = 0; i < n; i++) {
        if (p->steps[i].target >= 0) block_at[p->steps[i].target] = 1;
        if (end_of(p->steps[i].op) != END_FALL) block_at[i + 1] = 1;
    }
    for (int i = 0; i < n; i++) {
        if (block_at[i]) VEC_PUSH(p->blocks, p->block_count, p->block_cap)->first = i;
        p->blocks[p->block_count - 1].count++;
        block_at[i] = (int)p->block_count - 1;
    }
    block_at[n] = -1;
    for (size_t b = 0; b < p->block_count; b++) {
        struct ptx_block *x = &p->blocks[b];
        const struct ptx_step *last = &p->steps[x->first + x->count - 1];
        x->end = end_of(last->op);
        x->next = b + 1 < p->block_count ? (int)b + 1 : -1;
        x->target = last->target >= 0 && last->target < n ? block_at[last->target] : -1;
        x->ipdom = x->order = x->diverged = -1;
    }
    for (int i = 0; i < n; i++)
        if (p->steps[i].target >= 0)
            p->steps[i].target = p->steps[i].target < n ? block_at[p->steps[i].target] : -1;
    free(block_at);
}

/* Sets to[] to the successors of block b, where the index block_count is the exit; returns their
 * number. A guarded branch or exit can also fall through to the next block. */
int ptx_successors(const struct ptx_program *p, int b, int to[2])
{
    const struct ptx_block *x = &p->blocks[b];
    int n = (int)p->block_count, exit = n, k = 0;
    int guarded = p->steps[x->first + x->count - 1].guard >= 0;
    if (x->end == END_BRANCH) to[k++] = x->target >= 0 ? x->target : exit;
    if (x->end == END_EXIT || x->end == END_TRAP) to[k++] = exit;
    if (x->end == END_FALL || x->end == END_BARRIER || guarded)
        to[k++] = x->next >= 0 ? x->next : exit;
    return k;
}
