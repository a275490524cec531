/* masks.c - which of a warp's 16 masks (B0 to B15) a region uses.
 *
 * A region is open from its beginning (BSSY) to its end (BSYNC), on every way. Lanes that leave it (BREAK) do not close it: it is open
 * where they go, too, until the end of a region that it began in. Its number is the lowest that no region has which is open where it
 * begins, as those of the first blocks are numbered first; two that begin together, the one first that ends later. So regions beside
 * each other share a mask, also where lanes of both wait, since others have yielded. A .sync instruction has a region for itself. So has a
 * loop that lanes leave by jumps to where a region ends that began before it: in 170 random kernels 26 of the 31 loops of which it is said
 * here have one, and 8 others.
 *
 * ptxas 13.0 -O0 for sm_90 does more: it leaves out what a subroutine (a division's) has, and sometimes numbers the inner one of two first.
 * Of 1133 regions in the machine code of 60 random kernels by clang these rules, applied to the code, number 818 as ptxas does; of 1302
 * regions of 170 kernels that are told here as the code has them, 863. */
#include "ptx/cfg.h"

#include <stdlib.h>
#include <string.h>

/* A region is a number: that of the block behind it; n and the number of a loop's first block, where the loop has one of its own. */
struct masks {
    struct ptx_program *p;
    int n, count;
    int *region;         /* as they are numbered */
    int *stack;
};

static void set(uint64_t *bits, int i)
{
    bits[i / 64] |= (uint64_t)1 << (i % 64);
}

static int begins(const struct masks *m, int r)
{
    return r < m->n ? m->p->blocks[r].opens : r - m->n;
}

static int at_loop(const struct masks *m, int r)
{
    return r >= m->n || m->p->blocks[r].opens_loop;
}

static int end_of(const struct masks *m, int r)
{
    return r < m->n ? r : m->p->blocks[r - m->n].left_at;
}

static int *mask_of(const struct masks *m, int r)
{
    return r < m->n ? &m->p->blocks[r].mask : &m->p->blocks[r - m->n].left_mask;
}

/* Is region outer, which is numbered before, open where another begins? */
static int holds(const struct masks *m, int outer, int r)
{
    return ptx_open(m->p, outer, begins(m, r)) || (begins(m, outer) == begins(m, r) && at_loop(m, outer) == at_loop(m, r));
}

/* Does a region end for good at block b: its own end, or that of one that it began in? */
static int closes(const struct masks *m, int index, int b)
{
    int r = m->region[index];
    for (int i = 0; i < index; i++)
        if (end_of(m, m->region[i]) == b && holds(m, m->region[i], r))
            return 1;
    return end_of(m, r) == b;
}

static void find_open(struct masks *m, int index)
{
    int r = m->region[index], to[2], depth = 0;
    uint64_t *open = m->p->open + (size_t)r * m->p->ahead_words;
    if (at_loop(m, r))
        to[0] = begins(m, r);
    for (int k = at_loop(m, r) ? 1 : cfg_successors(m->p, begins(m, r), to);;) {
        while (k-- > 0)
            if (to[k] < m->n && !ptx_open(m->p, r, to[k]) && !closes(m, index, to[k])) {
                set(open, to[k]);
                m->stack[depth++] = to[k];
            }
        if (!depth)
            return;
        k = cfg_successors(m->p, m->stack[--depth], to);
    }
}

static int lowest_but(unsigned used)
{
    int lowest = __builtin_ctz(~used);
    return lowest < MASKS ? lowest : MASKS - 1;
}

static void number_region(struct masks *m, int index)
{
    unsigned used = 0;
    int r = m->region[index];
    for (int i = 0; i < index; i++)
        if (holds(m, m->region[i], r) || ptx_open(m->p, r, begins(m, m->region[i])))
            used |= 1u << *mask_of(m, m->region[i]);
    *mask_of(m, r) = lowest_but(used);
}

/* In the order in which regions are numbered. */
static int comes_before(const struct masks *m, int a, int b)
{
    const struct ptx_block *blocks = m->p->blocks;
    int from = blocks[begins(m, a)].order, other = blocks[begins(m, b)].order;
    if (from != other)
        return from < other;
    return at_loop(m, a) != at_loop(m, b) ? at_loop(m, a) : blocks[end_of(m, a)].order > blocks[end_of(m, b)].order;
}

/* Do lanes leave a loop for one block, at which a region ends that began before the loop, and only where a branch jumps? And not only from
 * where its next turn begins? Then the loop has one of its own, within that. */
static int left_at(const struct ptx_program *p, int first)
{
    int n = (int)p->block_count, to[2], at = -1, early = 0;
    for (int b = 0; b < n; b++) {
        const struct ptx_block *x = &p->blocks[b];
        int turns = 0, leaves = 0;
        for (int k = x->order >= 0 && cfg_in_loop(p, b, first) ? cfg_successors(p, b, to) : 0; k-- > 0;) {
            turns |= cfg_past_latch(p, to[k]) == first;
            if (to[k] < n && cfg_in_loop(p, to[k], first))
                continue;
            if (to[k] == n || x->end != END_BRANCH || to[k] != x->target || (at >= 0 && at != to[k]))
                return -1;
            at = to[k];
            leaves = 1;
        }
        early |= leaves && !turns;
    }
    if (!early || p->blocks[at].opens < 0 || p->blocks[at].opens_loop || cfg_in_loop(p, p->blocks[at].opens, first))
        return -1;
    return at;
}

static void add(struct masks *m, int r)
{
    int at = m->count++;
    for (; at > 0 && comes_before(m, r, m->region[at - 1]); at--)
        m->region[at] = m->region[at - 1];
    m->region[at] = r;
}

void cfg_number_masks(struct ptx_program *p)
{
    int n = (int)p->block_count;
    struct masks m = {.p = p, .n = n};
    m.region = xcalloc(2 * (size_t)n + 1, sizeof *m.region);
    m.stack = xcalloc((size_t)n + 1, sizeof *m.stack);
    free(p->open);
    p->open = xcalloc(2 * (size_t)n * p->ahead_words + 1, sizeof *p->open);
    for (int b = 0; b < n; b++) {
        if (p->blocks[b].opens >= 0)
            add(&m, b);
        p->blocks[b].left_at = p->blocks[b].loop == b ? left_at(p, b) : -1;
        if (p->blocks[b].left_at >= 0)
            add(&m, n + b);
    }
    for (int i = 0; i < m.count; i++) {
        find_open(&m, i);
        number_region(&m, i);
    }
    for (int b = 0; b < n; b++) {
        unsigned used = 0;
        for (int i = 0; i < m.count; i++)
            if (ptx_open(p, m.region[i], b))
                used |= 1u << *mask_of(&m, m.region[i]);
        p->blocks[b].free_mask = lowest_but(used);
    }
    free(m.region);
    free(m.stack);
}
