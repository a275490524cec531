/* mutate_swap.c - names that are exchanged in a statement or a test, in all its places at once, which
 * no row of mutations.def can express.
 *
 *     if (row >= cols || col >= rows)     row and col, rows and cols, or both pairs */
#include "explain/mutate.h"

static const struct mutation NAMES = {2, NULL, NULL, "names the wrong variable"};
static const struct mutation XY = {2, NULL, NULL, "has x and y, or two values, swapped"};

/* Add an edit that swaps symbols[0] with symbols[1], symbols[2] with symbols[3], ... in tokens
 * first to last. */
static void exchange(
    struct edits *l, const struct mutation *m, int first, int last, const int *symbols, int count)
{
    const struct code *c = l->code;
    struct edit *e = edits_begin(l, m, m->likely, first);
    for (int i = first; i <= last; i++)
        for (int k = 0; k < count && c->tokens[i].kind == TOKEN_NAME; k++)
            if (code_symbol(c, i) == symbols[k] && c->symbols[symbols[k]].name != i &&
                e->count >= 0)
                edit_replace(l, e, i, i, "%.*s", WORD(c, c->symbols[symbols[k ^ 1]].name));
    if (e->count < 2) edit_drop(e);
}

/* Add edits that swap, in the expression of tokens first to last, its two variables, its two
 * dimensions (rows, cols), or both. */
static void exchanged(struct edits *l, int first, int last)
{
    enum { MOST = 8 };
    const struct code *c = l->code;
    /* index 0: variables; index 1: dimensions of the problem */
    int seen[2][MOST], count[2] = {0, 0};
    for (int i = first; i <= last; i++) {
        int s = code_symbol(c, i), known = 0;
        if (s < 0 || c->symbols[s].kind != SYMBOL_INT || c->symbols[s].constant) continue;
        int dim = c->symbols[s].parameter;
        for (int k = 0; k < count[dim]; k++) known |= seen[dim][k] == s;
        if (!known && count[dim] < MOST) seen[dim][count[dim]++] = s;
    }
    for (int a = 0; a < count[0]; a++)
        for (int b = a + 1; b < count[0]; b++) {
            int swap[4] = {seen[0][a], seen[0][b]};
            exchange(l, &NAMES, first, last, swap, 2);
            for (int p = 0; p < count[1]; p++)
                for (int q = p + 1; q < count[1]; q++) {
                    swap[2] = seen[1][p], swap[3] = seen[1][q];
                    if (!a && b == 1) exchange(l, &NAMES, first, last, swap + 2, 2);
                    exchange(l, &XY, first, last, swap, 4);
                }
        }
}

void mutate_swaps(struct edits *l)
{
    const struct code *c = l->code;
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *s = &c->statements[i];
        if (s->cond[0] >= 0) exchanged(l, s->cond[0], s->cond[1]);
        if (s->kind >= STATEMENT_DECLARATION) exchanged(l, s->first, s->last);
    }
}
