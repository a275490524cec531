/* graph.c - a program's blocks as regions.c looks at them: who dominates whom, who leads where going forward, and the loops. */
#include "ptx/graph.h"

#include <stdlib.h>

/* Where control goes from b going forward, but for blocks that only jump back; the exit is n. */
static int ahead_of(const struct graph *g, int b, int to[2])
{
    int all[2], k = 0, n = cfg_successors(g->p, b, all);
    for (int i = 0; i < n; i++)
        if (all[i] == g->n || (g->p->blocks[all[i]].order > g->p->blocks[b].order && !g->back[all[i]]))
            to[k++] = all[i];
    return k;
}

int graph_in_loop(const struct graph *g, int b, int l)
{
    return l < 0 || (g->turn[b] >= g->turn[l] && g->turn[b] < g->turn[l] + g->turns[l]);
}

int graph_only_jumps(const struct graph *g, int b)
{
    int to[2];
    return g->p->blocks[b].count == 1 && g->p->blocks[b].end == END_BRANCH && cfg_successors(g->p, b, to) == 1;
}

int graph_jumps_to(const struct graph *g, int b, int to_block)
{
    int to[2];
    for (int k = cfg_successors(g->p, b, to); k-- > 0;)
        if (to[k] == to_block)
            return 1;
    return 0;
}

static void find_back(struct graph *g)
{
    int to[2];
    for (int i = g->n; i-- > 0 && g->sorted[i] >= 0;)
        g->back[g->sorted[i]] = !ahead_of(g, g->sorted[i], to);
}

int graph_forward(const struct graph *g, int b, int to[2])
{
    int all[2], k = 0, n = cfg_successors(g->p, b, all);
    for (int i = 0; i < n; i++)
        if (all[i] == g->n || g->p->blocks[all[i]].order > g->p->blocks[b].order)
            to[k++] = all[i];
    return k;
}

static void find_predecessors(struct graph *g)
{
    int to[2];
    for (int b = 0; b < g->n; b++)
        for (int k = g->p->blocks[b].order < 0 ? 0 : graph_forward(g, b, to); k-- > 0;)
            if (to[k] < g->n)
                g->pred_start[to[k] + 2]++;
    for (int b = 0; b <= g->n; b++)
        g->pred_start[b + 1] += g->pred_start[b];
    for (int b = 0; b < g->n; b++)
        for (int k = g->p->blocks[b].order < 0 ? 0 : graph_forward(g, b, to); k-- > 0;)
            if (to[k] < g->n)
                g->pred[g->pred_start[to[k] + 1]++] = b;
}

/* Number a forest's blocks so that those of a tree follow its root; above: of each block the one above it, sorted before it, or -1. */
static void number_trees(const struct graph *g, const int *above, int *pre, int *size)
{
    int *next = xcalloc((size_t)g->n + 1, sizeof *next); /* by block, -1 last: the number of the next block under it */
    for (int i = g->n; i-- > 0 && g->sorted[i] >= 0;) {
        int b = g->sorted[i];
        size[b]++;
        if (above[b] >= 0)
            size[above[b]] += size[b];
    }
    for (int i = 0; i < g->n; i++) {
        int b = g->sorted[i], under = b < 0 || above[b] < 0 ? g->n : above[b];
        if (b < 0)
            continue;
        pre[b] = next[under];
        next[under] += size[b];
        next[b] = pre[b] + 1;
    }
    free(next);
}

int graph_dominates(const struct graph *g, int a, int b)
{
    return g->pre[b] >= g->pre[a] && g->pre[b] < g->pre[a] + g->size[a];
}

/* The blocks that jump back to first, which is on every way to them; returns how many. */
static int jumps_back(const struct graph *g, int first, int *from)
{
    int to[2], n = 0;
    for (int b = 0; b < g->n; b++)
        for (int k = g->p->blocks[b].order < g->p->blocks[first].order ? 0 : cfg_successors(g->p, b, to); k-- > 0;)
            if (to[k] == first && graph_dominates(g, first, b))
                from[n++] = b;
    return n;
}

/* A loop is what its first block dominates and what leads to a jump back there. Later first blocks are of inner loops. */
static void find_loops(struct graph *g)
{
    int *from = xcalloc(2 * (size_t)g->n + 1, sizeof *from);
    for (int b = 0; b < g->n; b++)
        g->loop[b] = g->around[b] = -1;
    for (int i = 0; i < g->n; i++) {
        int first = g->sorted[i], jumps = first < 0 ? 0 : jumps_back(g, first, from);
        if (!jumps)
            continue;
        g->around[first] = g->loop[first];
        for (int k = i; k < g->n; k++)
            for (int j = 0, b = g->sorted[k]; j < jumps; j++)
                if ((b == from[j] || ptx_leads(g->p, b, from[j])) && graph_dominates(g, first, b))
                    g->loop[b] = first;
    }
    for (int b = 0; b < g->n; b++)
        from[b] = g->loop[b] == b ? g->around[b] : g->loop[b];
    number_trees(g, from, g->turn, g->turns);
    free(from);
}

/* Which blocks lead out of the loops that they are in. */
static void find_ways_out(struct graph *g)
{
    int to[2];
    for (int b = 0; b < g->n; b++)
        for (int l = g->p->blocks[b].order < 0 ? -1 : g->loop[b]; l >= 0; l = g->around[l]) {
            int out = 0;
            for (int k = cfg_successors(g->p, b, to); k-- > 0;)
                out |= to[k] == g->n || !graph_in_loop(g, to[k], l);
            g->outs[l] += out;
            g->out[l] = out ? b : g->out[l];
        }
}

int graph_leaves_loop(const struct graph *g, int a, int b)
{
    return g->loop[a] >= 0 && !graph_in_loop(g, b, g->loop[a]);
}

int graph_ends_loop(const struct graph *g, int b)
{
    return g->loop[b] >= 0 && graph_jumps_to(g, b, g->loop[b]);
}

int graph_join(const struct graph *g, int b)
{
    return g->p->blocks[b].ipdom < 0 ? g->n : g->p->blocks[b].ipdom;
}

int graph_gathers(const struct graph *g, int b)
{
    return g->p->blocks[b].is_latch && graph_join(g, g->dom[b]) != b;
}

int graph_behind_loop(const struct graph *g, int l)
{
    int b = l;
    while (b < g->n && graph_in_loop(g, b, l))
        b = graph_join(g, b);
    return b;
}

int graph_ways_in(const struct graph *g, int b)
{
    return g->pred_start[b + 1] - g->pred_start[b];
}

int graph_leaves_alone(const struct graph *g, int a)
{
    return g->outs[g->loop[a]] == 1 && g->out[g->loop[a]] == a;
}

void graph_find(struct graph *g, struct ptx_program *p, const int *sorted)
{
    size_t n = p->block_count;
    *g = (struct graph){.p = p, .sorted = sorted, .n = (int)n, .dom = cfg_dominators(p, sorted), .back = xcalloc(n + 1, 1)};
    int **ints[] = {&g->pre, &g->size, &g->loop, &g->around, &g->turn, &g->turns, &g->outs, &g->out, &g->pred_start, &g->pred};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        *ints[i] = xcalloc(2 * n + 3, sizeof **ints[i]);
    number_trees(g, g->dom, g->pre, g->size);
    find_back(g);
    find_predecessors(g);
    find_loops(g);
    find_ways_out(g);
}

void graph_free(struct graph *g)
{
    int *ints[] = {g->dom, g->pre, g->size, g->loop, g->around, g->turn, g->turns, g->outs, g->out, g->pred_start, g->pred};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        free(ints[i]);
    free(g->back);
}
