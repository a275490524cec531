/* latches.c - loops whose jumps back come together before the next turn.
 *
 *          h: if (a       Both continue and the loop's end jump back to h. ptxas has them come together in one block, the latch L,
 *         /  \            and makes a region x .. L, x being the block through which all ways to the jumps go, here h: so lanes that
 *        1    2: || b)    have parted are together again in the next turn, where h alone would have them run turns apart for good.
 *        | \ / \          L is no block of the program: it is made here, a jump that is never counted.
 *        |  3   |
 *         \    /|
 *          L  exit
 *
 * But first ptxas takes jumps back apart into a loop within a loop. One does that if what its own loop (what leads to it from h) is left
 * for comes together at one block, which is in the loop of the other jumps, past blocks that stand before the jump in the blocks' order and
 * do not lead to h or out of that loop. Then the same is asked of the others, with that loop as their first block. Two or more that are
 * left come together.
 *
 * Found with ptxas 13.0 -O0 for sm_90 by drawing loops of 3 to 7 blocks by chance: of 6003, 4161 with such a region, three have it
 * otherwise than is told here; none of 2730 random kernels has, 11 of them with such a region, and one of 260 others. But of 1500 graphs
 * drawn with a loop in a loop, whose blocks jump back to either or both, some 400 have: what ptxas makes of those is not known. */
#include "ptx/cfg.h"

#include <stdlib.h>
#include <string.h>

enum { JUMPS_MOST = 64 }; /* of a loop whose jumps are taken apart */

struct jump {
    int from, first;       /* the block that jumps, and the loop's first block */
};

struct latches {
    struct ptx_program *p;
    int n, *sorted, *dom;
    int *pred_start, *pred; /* pred[pred_start[b] .. pred_start[b + 1]) lead to block b */
    int first, *jumps, count; /* of the loop that is looked at */
    int *stack;
    char *inner, *own, *outer, *waits, *passed; /* by block: in a loop within, in a jump's own loop, in the others'; see comes_together */
    struct jump *found;     /* that come together */
    size_t found_count, found_cap;
};

static void find_predecessors(struct latches *l)
{
    int to[2];
    l->pred_start = xcalloc((size_t)l->n + 3, sizeof *l->pred_start);
    l->pred = xcalloc(2 * (size_t)l->n + 1, sizeof *l->pred);
    for (int b = 0; b < l->n; b++)
        for (int k = l->p->blocks[b].order < 0 ? 0 : cfg_successors(l->p, b, to); k-- > 0;)
            l->pred_start[to[k] + 2]++;
    for (int b = 0; b <= l->n; b++)
        l->pred_start[b + 2] += l->pred_start[b + 1];
    for (int b = 0; b < l->n; b++)
        for (int k = l->p->blocks[b].order < 0 ? 0 : cfg_successors(l->p, b, to); k-- > 0;)
            l->pred[l->pred_start[to[k] + 1]++] = b;
}

/* The blocks that jump back to first, which is on every way to them, in their order. */
static void find_jumps(struct latches *l, int first)
{
    const struct ptx_block *blocks = l->p->blocks;
    l->first = first;
    l->count = 0;
    for (int i = l->pred_start[first]; i < l->pred_start[first + 1]; i++) {
        int b = l->pred[i], up = b, at = l->count;
        while (blocks[up].order > blocks[first].order)
            up = l->dom[up];
        if (up != first || (i > l->pred_start[first] && l->pred[i - 1] == b))
            continue;
        for (; at > 0 && blocks[l->jumps[at - 1]].order > blocks[b].order; at--)
            l->jumps[at] = l->jumps[at - 1];
        l->jumps[at] = b;
        l->count++;
    }
}

/* What leads to a jump back is in its loop. */
static void add_loop(struct latches *l, char *in, int jump)
{
    int depth = 0;
    in[l->first] = 1;
    if (!in[jump])
        in[l->stack[depth++] = jump] = 1;
    while (depth) {
        int b = l->stack[--depth];
        for (int i = l->pred_start[b]; i < l->pred_start[b + 1]; i++)
            if (!in[l->pred[i]])
                in[l->stack[depth++] = l->pred[i]] = 1;
    }
}

/* Does what lanes leave for that wait before blocks, as many as are given, come together at one block of the outer loop? Past what stands
 * before block last. */
static int comes_together(struct latches *l, int waiting, int last)
{
    const struct ptx_block *blocks = l->p->blocks;
    int to[2];
    memset(l->passed, 0, (size_t)l->n);
    for (int i = blocks[l->first].order + 1; i < l->n && waiting; i++) {
        int b = l->sorted[i];
        if (!l->waits[b])
            continue;
        if (waiting == 1 || !l->outer[b] || blocks[b].order > blocks[last].order)
            return waiting == 1 && l->outer[b];
        l->passed[b] = 1;
        waiting--;
        for (int k = cfg_successors(l->p, b, to); k-- > 0;) {
            if (to[k] == l->n || (blocks[to[k]].order <= blocks[b].order && !l->passed[to[k]]))
                return 0;
            waiting += !l->passed[to[k]] && !l->waits[to[k]];
            l->waits[to[k]] = 1;
        }
    }
    return 0;
}

/* Is the jump's own loop one within the loop of the others? */
static int stands_apart(struct latches *l, int jump)
{
    size_t n = (size_t)l->n;
    int to[2], waiting = 0;
    memcpy(l->own, l->inner, n);
    add_loop(l, l->own, jump);
    memcpy(l->outer, l->own, n);
    for (int i = 0; i < l->count; i++) {
        if (l->jumps[i] != jump && l->own[l->jumps[i]])
            return 0;
        add_loop(l, l->outer, l->jumps[i]);
    }
    memset(l->waits, 0, n);
    for (int i = l->p->blocks[l->first].order; i < l->n; i++)
        for (int k = l->own[l->sorted[i]] ? cfg_successors(l->p, l->sorted[i], to) : 0; k-- > 0;) {
            if (to[k] == l->n)
                return 0;
            waiting += !l->own[to[k]] && !l->waits[to[k]];
            l->waits[to[k]] |= !l->own[to[k]];
        }
    return comes_together(l, waiting, jump);
}

/* Jumps of loops within are taken out. */
static void take_apart(struct latches *l)
{
    memset(l->inner, 0, (size_t)l->n);
    for (int i = 0; i < l->count && l->count > 1 && l->count <= JUMPS_MOST; i++) {
        if (!stands_apart(l, l->jumps[i]))
            continue;
        memcpy(l->inner, l->own, (size_t)l->n);
        memmove(l->jumps + i, l->jumps + i + 1, (size_t)(--l->count - i) * sizeof *l->jumps);
        i = -1;
    }
}

static int add_latch(struct latches *l, const struct jump *jump)
{
    struct ptx_program *p = l->p;
    const struct ptx_block *from = &p->blocks[jump->from];
    struct ptx_loc loc = p->steps[from->first + from->count - 1].loc;
    loc.ptx_line = 0;
    *VEC_PUSH(p->steps, p->step_count, p->step_cap) =
        (struct ptx_step){.op = OP_BRA, .dst_pair = -1, .guard = -1, .flags = FLAG_QUIET, .loc = loc, .target = jump->first};
    *VEC_PUSH(p->blocks, p->block_count, p->block_cap) =
        (struct ptx_block){.first = (int)p->step_count - 1, .count = 1, .end = END_BRANCH, .next = -1, .target = jump->first, .ipdom = -1,
                           .is_latch = 1};
    return (int)p->block_count - 1;
}

static void lead_to(struct ptx_program *p, const struct jump *jump, int latch)
{
    struct ptx_block *x = &p->blocks[jump->from];
    if (x->target == jump->first)
        x->target = p->steps[x->first + x->count - 1].target = latch;
    if (x->next == jump->first)
        x->next = latch;
}

static void make(struct latches *l)
{
    for (size_t i = 0; i < l->found_count;) {
        int first = l->found[i].first, latch = add_latch(l, &l->found[i]);
        for (; i < l->found_count && l->found[i].first == first; i++)
            lead_to(l->p, &l->found[i], latch);
    }
}

static void find(struct latches *l)
{
    for (int i = 0; i < l->n; i++) {
        if (l->sorted[i] < 0)
            continue;
        find_jumps(l, l->sorted[i]);
        take_apart(l);
        if (l->count < 2)
            continue;
        for (int k = 0; k < l->count; k++)
            *VEC_PUSH(l->found, l->found_count, l->found_cap) = (struct jump){l->jumps[k], l->first};
    }
}

void cfg_make_latches(struct ptx_program *p)
{
    struct latches l = {.p = p, .n = (int)p->block_count};
    size_t n = p->block_count;
    char **flags[] = {&l.inner, &l.own, &l.outer, &l.waits, &l.passed};
    if (n > CFG_BLOCKS_MOST)
        return;
    l.sorted = cfg_number(p);
    l.dom = cfg_dominators(p, l.sorted);
    l.jumps = xcalloc(2 * n + 1, sizeof *l.jumps);
    l.stack = xcalloc(n + 1, sizeof *l.stack);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        *flags[i] = xcalloc(n + 1, 1);
    find_predecessors(&l);
    find(&l);
    make(&l);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        free(*flags[i]);
    free(l.sorted);
    free(l.dom);
    free(l.pred_start);
    free(l.pred);
    free(l.jumps);
    free(l.stack);
    free(l.found);
}
