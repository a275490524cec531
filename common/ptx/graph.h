/* graph.h - a program's blocks as regions.c looks at them (graph.c). Blocks are indices into p->blocks; n, their number, stands for the
 * exit. */
#ifndef LOCKSTEP_PTX_GRAPH_H
#define LOCKSTEP_PTX_GRAPH_H

#include "ptx/cfg.h"

struct graph {
    struct ptx_program *p;
    const int *sorted;       /* blocks as each comes behind all that lead to it going forward; first a -1 for each that nothing leads to */
    int n, *dom;             /* dom: as cfg_dominators */
    int *pre, *size;         /* in the tree of dominators: its number there, and how many blocks it dominates, itself among them */
    int *loop;               /* of each block: the first block of the innermost loop that it is in, or -1 */
    int *around;             /* of a loop's first block: that of the loop around it, or -1 */
    int *turn, *turns;       /* in the tree of loops: as pre and size */
    int *outs, *out;         /* by a loop's first block: how many blocks lead out of it, and one of them */
    char *back;              /* by block: all that it leads to is another turn of a loop */
    int *pred_start, *pred;  /* going forward: pred[pred_start[b] .. pred_start[b + 1]) */
};

/* sorted stays the caller's. Free with graph_free. */
void graph_find(struct graph *g, struct ptx_program *p, const int *sorted);
void graph_free(struct graph *g);

int graph_dominates(const struct graph *g, int a, int b);
/* Where control goes from b going forward; returns how many. */
int graph_forward(const struct graph *g, int b, int to[2]);
/* How many ways lead to b going forward. */
int graph_ways_in(const struct graph *g, int b);
/* Is block b a jump alone? */
int graph_only_jumps(const struct graph *g, int b);
/* Is a block's branch, or jump, to another? */
int graph_jumps_to(const struct graph *g, int b, int to_block);
/* Where all lanes of b meet: its post-dominator. */
int graph_join(const struct graph *g, int b);
/* Is block b where jumps back come together, but not all lanes of its dominator? */
int graph_gathers(const struct graph *g, int b);
/* Is block b in the loop that starts at l, or in one within it? l -1: any block is. */
int graph_in_loop(const struct graph *g, int b, int l);
/* Is block b behind the innermost loop that a is in? */
int graph_leaves_loop(const struct graph *g, int a, int b);
/* Is the innermost loop that block a is in left by a alone? */
int graph_leaves_alone(const struct graph *g, int a);
/* Does block b jump back to the first of its innermost loop? */
int graph_ends_loop(const struct graph *g, int b);
/* The block behind loop l: where all that leave it come. */
int graph_behind_loop(const struct graph *g, int l);

#endif
