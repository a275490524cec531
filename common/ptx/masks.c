/* masks.c - which of a warp's 16 masks (B0 to B15) a region uses.
 *
 * A region is open from its beginning (BSSY) to its end (BSYNC), on every way. Lanes that leave it (BREAK) do not close it: it is open
 * where they go, too, until the end of a region that it began in. Its number is the lowest that no region has which is open where it
 * begins, as those of the first blocks are numbered first; two that begin together, the one first that ends later. So regions beside
 * each other share a mask, also where lanes of both wait, since others have yielded. A .sync instruction has a region for itself.
 *
 * ptxas 13.0 -O0 for sm_90 does more: it leaves out what a subroutine (a division's) has, and sometimes numbers the inner one of two first.
 * Of 1133 regions in the machine code of 60 random kernels by clang these rules, applied to the code, number 818 as ptxas does. */
#include "ptx/cfg.h"

#include <stdlib.h>
#include <string.h>

struct masks {
    struct ptx_program *p;
    int n, count;
    int *end;            /* the regions by the blocks behind them, as they are numbered */
    int *stack;
};

static void set(uint64_t *bits, int i)
{
    bits[i / 64] |= (uint64_t)1 << (i % 64);
}

static uint64_t *row(const struct masks *m, int end)
{
    return m->p->open + (size_t)end * m->p->ahead_words;
}

/* Is region outer, which is numbered before, open where another begins? */
static int holds(const struct masks *m, int outer, int end)
{
    const struct ptx_block *a = &m->p->blocks[outer], *b = &m->p->blocks[end];
    return ptx_open(m->p, outer, b->opens) || (a->opens == b->opens && a->opens_loop == b->opens_loop);
}

/* Does a region end for good at block b: its own end, or that of one that it began in? */
static int closes(const struct masks *m, int end, int b, int before)
{
    for (int i = 0; i < before; i++)
        if (m->end[i] == b && holds(m, b, end))
            return 1;
    return b == end;
}

static void find_open(struct masks *m, int index)
{
    int end = m->end[index], to[2], depth = 0;
    const struct ptx_block *x = &m->p->blocks[end];
    uint64_t *open = row(m, end);
    if (x->opens_loop)
        to[0] = x->opens;
    for (int k = x->opens_loop ? 1 : cfg_successors(m->p, x->opens, to);;) {
        while (k-- > 0)
            if (to[k] < m->n && !ptx_open(m->p, end, to[k]) && !closes(m, end, to[k], index)) {
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
    struct ptx_block *x = &m->p->blocks[m->end[index]];
    for (int i = 0; i < index; i++) {
        const struct ptx_block *other = &m->p->blocks[m->end[i]];
        if (holds(m, m->end[i], m->end[index]) || ptx_open(m->p, m->end[index], other->opens))
            used |= 1u << other->mask;
    }
    x->mask = lowest_but(used);
}

/* In the order in which regions are numbered. */
static int comes_before(const struct ptx_program *p, int a, int b)
{
    const struct ptx_block *x = &p->blocks[a], *y = &p->blocks[b];
    int from = p->blocks[x->opens].order, other = p->blocks[y->opens].order;
    if (from != other)
        return from < other;
    return x->opens_loop != y->opens_loop ? x->opens_loop : x->order > y->order;
}

void cfg_number_masks(struct ptx_program *p)
{
    int n = (int)p->block_count;
    struct masks m = {.p = p, .n = n, .end = xcalloc((size_t)n + 1, sizeof *m.end), .stack = xcalloc((size_t)n + 1, sizeof *m.stack)};
    free(p->open);
    p->open = xcalloc((size_t)n * p->ahead_words + 1, sizeof *p->open);
    for (int b = 0; b < n; b++) {
        int at = m.count;
        if (p->blocks[b].opens < 0)
            continue;
        for (; at > 0 && comes_before(p, b, m.end[at - 1]); at--)
            m.end[at] = m.end[at - 1];
        m.end[at] = b;
        m.count++;
    }
    for (int i = 0; i < m.count; i++) {
        find_open(&m, i);
        number_region(&m, i);
    }
    for (int b = 0; b < n; b++) {
        unsigned used = 0;
        for (int i = 0; i < m.count; i++)
            if (ptx_open(p, m.end[i], b))
                used |= 1u << p->blocks[m.end[i]].mask;
        p->blocks[b].free_mask = lowest_but(used);
    }
    free(m.end);
    free(m.stack);
}
