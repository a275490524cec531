/* reconverge.c - where the lanes of a warp reconverge after a divergent branch.
 *
 *          b0: if (p           All lanes of b0 reconverge at b3, its immediate post-dominator: the first
 *         /  \                 block that every path from b0 to the exit goes through.
 *        |   b1: || q)         Some lanes can reconverge earlier. Several forward paths lead from b0 to b2,
 *        |  /  \               so b2 is a merge. From compute capability 7.0 on, lanes that arrive there
 *        b2     |              wait for lanes that may still come, and b2 runs once.
 *         \    /
 *          b3
 *
 * Post-dominators are the dominators of the reversed graph.
 *
 * Sources: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"; for merges, the
 * convergence barriers (BSSY, BSYNC) in ptxas's machine code, and an H200's counters of
 * tests/kernels/reconverge.cu. */
#include "ptxas/passes.h"

#include <stdlib.h>
#include <string.h>

/* BLOCKS_MOST: the most basic blocks for which p->ahead is computed, with one bit for each pair of
 * blocks: 2 MiB at this limit. In a larger program, lanes reconverge at post-dominators only. */
enum { BLOCKS_MOST = 4096 };

/* ---- immediate post-dominators ---- */

/* The reversed control-flow graph and its post-order from the exit. Nodes are the basic blocks, and
 * node n is the exit. */
struct reverse {
    int n;
    /* predecessors of node v: pred[pred_start[v] .. pred_start[v + 1]) */
    int *pred_start, *pred;
    /* order: nodes in post-order; number: for each node, its position in order; -1: the exit cannot
     * be reached from the node */
    int *order, *number;
    int count; /* length of order, that is the number of nodes from which the exit can be reached */
};

/* The predecessors of all nodes, by counting sort. The caller frees pred_start and pred. */
static void build_reverse(const struct ptx_program *p, struct reverse *r)
{
    int to[2], n = r->n;
    r->pred_start = xcalloc((size_t)n + 3, sizeof(int));
    for (int b = 0; b < n; b++)
        for (int k = ptx_successors(p, b, to); k-- > 0;) r->pred_start[to[k] + 2]++;
    for (int v = 0; v <= n; v++) r->pred_start[v + 2] += r->pred_start[v + 1];
    r->pred = xcalloc((size_t)r->pred_start[n + 2] + 1, sizeof(int));
    for (int b = 0; b < n; b++)
        for (int k = ptx_successors(p, b, to); k-- > 0;) r->pred[r->pred_start[to[k] + 1]++] = b;
}

/* Depth-first search from the exit along predecessors, with an explicit stack instead of recursion.
 * Fills in order and number. */
static void visit(struct reverse *r)
{
    int *stack = xcalloc((size_t)r->n + 2, sizeof(int)),
        *next = xcalloc((size_t)r->n + 2, sizeof(int)), depth = 0;
    r->order = xcalloc((size_t)r->n + 1, sizeof(int));
    r->number = xcalloc((size_t)r->n + 1, sizeof(int));
    char *seen = xcalloc((size_t)r->n + 1, 1);
    for (int v = 0; v <= r->n; v++) {
        r->number[v] = -1;
        next[v] = r->pred_start[v];
    }
    stack[depth++] = r->n;
    seen[r->n] = 1;
    while (depth) {
        int v = stack[depth - 1];
        if (next[v] < r->pred_start[v + 1]) {
            int u = r->pred[next[v]++];
            if (!seen[u]) {
                seen[u] = 1;
                stack[depth++] = u;
            }
        } else {
            r->number[v] = r->count;
            r->order[r->count++] = v;
            depth--;
        }
    }
    free(stack);
    free(next);
    free(seen);
}

/* The nearest common ancestor of nodes a and b in the post-dominator tree dom. Ancestors have
 * higher numbers. */
static int meet(const struct reverse *r, const int *dom, int a, int b)
{
    while (a != b) {
        while (r->number[a] < r->number[b]) a = dom[a];
        while (r->number[b] < r->number[a]) b = dom[b];
    }
    return a;
}

/* Iterates in reverse post-order until nothing changes: the parent of a node is the nearest common
 * ancestor of all its successors. A basic block from which the exit cannot be reached, or whose
 * parent is the exit, gets ipdom -1. */
static void post_dominators(struct ptx_program *p)
{
    struct reverse r = {.n = (int)p->block_count};
    build_reverse(p, &r);
    visit(&r);
    int *dom = xcalloc((size_t)r.n + 1, sizeof(int)), to[2];
    for (int v = 0; v <= r.n; v++) dom[v] = -1;
    dom[r.n] = r.n;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int i = r.count - 2; i >= 0; i--) {
            int v = r.order[i], best = -1;
            for (int k = ptx_successors(p, v, to); k-- > 0;)
                if (r.number[to[k]] >= 0 && dom[to[k]] >= 0)
                    best = best < 0 ? to[k] : meet(&r, dom, best, to[k]);
            if (best != dom[v]) {
                dom[v] = best;
                changed = 1;
            }
        }
    }
    for (int b = 0; b < r.n; b++) p->blocks[b].ipdom = dom[b] < 0 || dom[b] == r.n ? -1 : dom[b];
    free(r.pred_start);
    free(r.pred);
    free(r.order);
    free(r.number);
    free(dom);
}

/* ---- forward edges: order, dominators, merges ---- */

/* Numbers the basic blocks in reverse post-order, so that forward edges go to higher numbers.
 * Returns the blocks in that order, preceded by -1 for each unreachable one; the caller frees the
 * array. */
static int *number_blocks(struct ptx_program *p)
{
    int n = (int)p->block_count, depth = 0, last = n, to[2];
    int *stack = xcalloc((size_t)n + 1, sizeof *stack),
        *done = xcalloc((size_t)n + 1, sizeof *done);
    int *sorted = xcalloc((size_t)n + 1, sizeof *sorted);
    char *seen = xcalloc((size_t)n + 1, 1);
    for (int b = 0; b < n; b++) p->blocks[b].order = -1;
    stack[depth++] = 0;
    seen[0] = 1;
    while (depth) {
        int b = stack[depth - 1], k = done[b]++;
        if (k >= ptx_successors(p, b, to)) {
            p->blocks[b].order = --last;
            sorted[last] = b;
            depth--;
        } else if (to[k] < n && !seen[to[k]]) {
            seen[to[k]] = 1;
            stack[depth++] = to[k];
        }
    }
    for (int i = 0; i < last; i++) sorted[i] = -1;
    free(stack);
    free(done);
    free(seen);
    return sorted;
}

/* The nearest common ancestor of blocks a and b in the dominator tree. Ancestors have a lower
 * order. */
static int common_dominator(const struct ptx_program *p, const int *dom, int a, int b)
{
    while (a != b) {
        while (p->blocks[a].order > p->blocks[b].order) a = dom[a];
        while (p->blocks[b].order > p->blocks[a].order) b = dom[b];
    }
    return a;
}

/* Immediate dominators over forward edges only, so one pass over the blocks in their order is
 * enough. The caller frees the array. */
static int *dominators(const struct ptx_program *p, const int *sorted)
{
    int n = (int)p->block_count, to[2], *dom = xcalloc((size_t)n + 1, sizeof *dom);
    for (int b = 0; b < n; b++) dom[b] = -1;
    for (int i = 0; i < n; i++)
        for (int b = sorted[i], k = b < 0 ? 0 : ptx_successors(p, b, to); k-- > 0;)
            if (to[k] < n && p->blocks[to[k]].order > p->blocks[b].order)
                dom[to[k]] = dom[to[k]] < 0 ? b : common_dominator(p, dom, dom[to[k]], b);
    return dom;
}

/* Is there a loop that contains block "from" but not block "at"? */
static int leaves_loop(const struct ptx_program *p, int from, int at)
{
    int to[2];
    for (int b = 0; b < (int)p->block_count; b++)
        for (int k = ptx_successors(p, b, to); k-- > 0;) {
            int back = to[k] < (int)p->block_count && p->blocks[b].order >= 0 &&
                       p->blocks[to[k]].order <= p->blocks[b].order;
            if (back && ptx_between(p, to[k], from, b) && !ptx_between(p, to[k], at, b)) return 1;
        }
    return 0;
}

/* Find the merges and set their field diverged: blocks with several forward edges to them,
 * unless they are the post-dominator of the branch anyway, or come after a loop that contains
 * the branch. */
static void find_merges(struct ptx_program *p, const int *sorted)
{
    int n = (int)p->block_count, to[2], *dom = dominators(p, sorted),
        *edges = xcalloc((size_t)n + 1, sizeof *edges);
    for (int b = 0; b < n; b++)
        for (int k = p->blocks[b].order < 0 ? 0 : ptx_successors(p, b, to); k-- > 0;)
            edges[to[k]] += to[k] < n && p->blocks[to[k]].order > p->blocks[b].order;
    for (int b = 0; b < n; b++)
        if (edges[b] > 1 && p->blocks[dom[b]].ipdom != b && !leaves_loop(p, dom[b], b))
            p->blocks[b].diverged = dom[b];
    free(edges);
    free(dom);
}

/* Computes p->ahead from the last block to the first: forward edges lead from a block to its
 * forward successors, and on to all blocks that are reached from these. */
static void look_ahead(struct ptx_program *p)
{
    size_t n = p->block_count, words = (n + 63) / 64;
    int to[2], *sorted = number_blocks(p);
    if (n <= BLOCKS_MOST) p->ahead = xcalloc(n * words + 1, sizeof *p->ahead);
    p->ahead_words = words;
    for (size_t i = n; i-- > 0 && sorted[i] >= 0;) {
        int b = sorted[i];
        uint64_t *mine = p->ahead ? p->ahead + (size_t)b * words : NULL;
        for (int k = ptx_successors(p, b, to); k-- > 0;) {
            int t = to[k];
            if (t == (int)n || p->blocks[t].order <= p->blocks[b].order) continue;
            for (size_t w = 0; mine && w < words; w++) mine[w] |= p->ahead[(size_t)t * words + w];
            if (mine) mine[t / 64] |= (uint64_t)1 << t % 64;
        }
    }
    for (size_t b = 0; b < n; b++) p->blocks[b].diverged = -1;
    if (p->ahead) find_merges(p, sorted);
    free(sorted);
}

void ptxas_reconverge(struct ptx_program *p, const struct ptxas_target *t)
{
    (void)t;
    post_dominators(p);
    look_ahead(p);
}
