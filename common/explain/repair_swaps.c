/* repair_swaps.c - edits in several places at once: names and values that change places.
 *
 *     int col = blockIdx.x ...; int row = blockIdx.y ...;     the two values swapped; x and y swapped
 *     if (row < cols && col < rows)                           row for col, rows for cols, or both
 *     x = 0.5f - 0.25f * x                                    0.25f - 0.5f * x */
#include "explain/repair.h"

#include <stdlib.h>
#include <string.h>

/* Does an expression use names that are not declared yet before the first value of s? */
static int is_early(const struct code *c, const int tokens[2], const struct symbol *s)
{
    for (int i = tokens[0]; i <= tokens[1]; i++)
        if (code_symbol(c, i) >= 0 && c->symbols[code_symbol(c, i)].from > s->init[0]) return 1;
    return 0;
}

/* Two integers of a function change places, with their first values: col and row. */
static void exchanged_values(struct edits *l)
{
    const struct code *c = l->code;
    for (int i = 0; i < c->symbol_count; i++)
        for (int k = i + 1; k < c->symbol_count && k < i + 4; k++) {
            const struct symbol *a = &c->symbols[i], *b = &c->symbols[k];
            if (a->kind != SYMBOL_INT || b->kind != SYMBOL_INT || a->init[0] < 0 ||
                b->init[0] < 0 || a->statement < 0 || b->statement < 0 || a->to != b->to ||
                is_early(c, b->init, a) || is_early(c, a->init, b))
                continue;
            char *x = code_text(c, a->init[0], a->init[1]),
                 *y = code_text(c, b->init[0], b->init[1]);
            int xy = strstr(x, "Idx.") && strstr(y, "Idx.");
            struct edit *e = edits_begin(l, EDIT_XY, xy ? 1.3 : 2.1, a->init[0]);
            edit_replace(l, e, a->init[0], a->init[1], "%s", y);
            edit_replace(l, e, b->init[0], b->init[1], "%s", x);
            free(x), free(y);
        }
}

/* Does x / 8 or x % 8 stand at a token? */
static int is_split(const struct code *c, int i)
{
    return (code_is(c, i + 1, "/") || code_is(c, i + 1, "%")) && code_symbol(c, i) >= 0 &&
           (c->tokens[i + 2].kind == TOKEN_NUMBER || code_named(c, ITEM_DEFINE, i + 2) >= 0 ||
               code_constant(c, i + 2));
}

/* x = t / H, y = t % H in neighbouring declarations: y = t / W, x = t % W, for each number W of the
 * file. */
static void split_otherwise(struct edits *l, const struct statement *s)
{
    const struct code *c = l->code;
    for (int i = s->first; i + 2 <= s->last; i++)
        for (int k = i + 3; is_split(c, i) && k + 2 < c->count && k < s->last + 20; k++) {
            int same = is_split(c, k) && code_same(c, i, k) && code_same(c, i + 2, k + 2);
            if (!same || code_same(c, i + 1, k + 1)) continue;
            for (int w = 0; w < c->count; w++) {
                int number =
                    c->tokens[w].kind == TOKEN_NUMBER || code_named(c, ITEM_DEFINE, w) >= 0;
                if (!number || code_same(c, w, i + 2)) continue;
                struct edit *e = edits_begin(l, EDIT_XY, 1.4, i);
                edit_replace(l, e, i + 1, i + 2, "%.*s %.*s", WORD(c, k + 1), WORD(c, w));
                edit_replace(l, e, k + 1, k + 2, "%.*s %.*s", WORD(c, i + 1), WORD(c, w));
            }
        }
}

/* x for y and y for x: of all builtins, or of one, from one token to another. both: only if both
 * are there */
static void exchanged_axes(struct edits *l, int from, int to, double cost, int both)
{
    static const char *const names[] = {"", "blockIdx", "threadIdx"};
    const struct code *c = l->code;
    for (int k = 0; k < 3; k++) {
        struct edit *e = edits_begin(l, EDIT_XY, cost, from);
        int first = -1, seen = 0;
        for (int i = from; i < to; i++) {
            int is = code_is(c, i, "blockIdx") || code_is(c, i, "threadIdx") ||
                     code_is(c, i, "blockDim");
            if (!is || (k && !code_is(c, i, names[k])) || !code_is(c, i + 1, ".")) continue;
            edit_replace(l, e, i + 2, i + 2, code_is(c, i + 2, "x") ? "y" : "x");
            first = first < 0 ? i : first;
            seen |= code_is(c, i + 2, "x") ? 1 : 2;
        }
        e->token = first < 0 ? from : first;
        if (first < 0 || (both && seen != 3)) edit_drop(e);
    }
}

/* Within a statement or the whole function one name stands for another, or two change places. */
static void renamed(struct edits *l, int first, int last, int from, int to, double cost, int both)
{
    const struct code *c = l->code;
    int a = c->symbols[from].name, b = c->symbols[to].name, uses = 0;
    struct edit *e = edits_begin(l, EDIT_NAME, cost, first);
    for (int i = first; i <= last; i++) {
        if (i == a || i == b || code_is(c, i + 1, "=") || code_is(c, i + 1, "++") ||
            code_is(c, i + 1, "+="))
            continue;
        if (code_symbol(c, i) == from)
            edit_replace(l, e, i, i, "%.*s", WORD(c, b));
        else if (both && code_symbol(c, i) == to)
            edit_replace(l, e, i, i, "%.*s", WORD(c, a));
        else
            continue;
        if (!uses++) e->token = i;
    }
    if (uses < 2 && e->count > 0) edit_drop(e);
}

/* In an expression two variables change places, and two dimensions too: row with col, rows with
 * cols. */
static void both_swapped(struct edits *l, int first, int last)
{
    const struct code *c = l->code;
    int seen[2][8], count[2] = {0, 0}; /* variables, dimensions */
    for (int i = first; i <= last; i++) {
        int s = code_symbol(c, i), dim, known = 0;
        if (s < 0 || c->symbols[s].kind != SYMBOL_INT || c->symbols[s].constant) continue;
        dim = c->symbols[s].parameter;
        for (int k = 0; k < count[dim]; k++) known |= seen[dim][k] == s;
        if (!known && count[dim] < 8) seen[dim][count[dim]++] = s;
    }
    for (int a = 0; a < count[0]; a++)
        for (int b = a + 1; b < count[0]; b++)
            for (int p = 0; p < count[1]; p++)
                for (int q = p + 1; q < count[1]; q++) {
                    const int swap[4] = {seen[0][a], seen[0][b], seen[1][p], seen[1][q]};
                    struct edit *e = edits_begin(l, EDIT_XY, 1.7, first);
                    for (int i = first; i <= last; i++)
                        for (int k = 0; k < 4; k++)
                            if (code_symbol(c, i) == swap[k])
                                edit_replace(
                                    l, e, i, i, "%.*s", WORD(c, c->symbols[swap[k ^ 1]].name));
                }
}

/* Two numbers of a statement change places. */
static void numbers_swapped(struct edits *l, const struct statement *s)
{
    const struct code *c = l->code;
    if (s->kind != STATEMENT_EXPRESSION && s->kind != STATEMENT_DECLARATION) return;
    for (int i = s->first; i <= s->last; i++)
        for (int k = i + 1; k <= s->last; k++) {
            if (c->tokens[i].kind != TOKEN_NUMBER || c->tokens[k].kind != TOKEN_NUMBER ||
                code_same(c, i, k))
                continue;
            struct edit *e = edits_begin(l, EDIT_XY, 2, i);
            edit_replace(l, e, i, i, "%.*s", WORD(c, k));
            edit_replace(l, e, k, k, "%.*s", WORD(c, i));
        }
}

static void renames(struct edits *l)
{
    const struct code *c = l->code;
    for (int i = 0; i < c->symbol_count; i++)
        for (int k = 0; k < c->symbol_count; k++) {
            const struct symbol *a = &c->symbols[i], *b = &c->symbols[k];
            if (i == k || a->kind != b->kind || a->dims != b->dims || a->kind == SYMBOL_OTHER ||
                a->constant_target != b->constant_target || b->from > a->from + 40 ||
                b->to < a->from || a->to < b->from)
                continue;
            int first = a->from > b->from ? a->from : b->from, last = a->to < b->to ? a->to : b->to;
            renamed(l, first, last, i, k, a->parameter == b->parameter ? 2.3 : 3, 0);
            if (i < k) renamed(l, first, last, i, k, 2.2, 1);
            for (int s = 0; s < c->statement_count; s++) {
                const struct statement *x = &c->statements[s];
                int plain = x->kind >= STATEMENT_DECLARATION,
                    whole[2] = {plain ? x->first : -1, x->last};
                for (const int *in = x->cond; in; in = in == x->cond ? whole : NULL) {
                    if (in[0] < first || in[1] > last) continue;
                    renamed(l, in[0], in[1], i, k, 2.4, 0);
                    if (i < k) renamed(l, in[0], in[1], i, k, l->of->now ? 1.3 : 2, 1);
                }
            }
        }
}

/* The term before the one that holds the number with a name at i: q in q + h * gap. -1: it is
 * none. */
static int axis_of(const struct code *c, int i)
{
    const struct symbol *s = code_symbol(c, i) < 0 ? NULL : &c->symbols[code_symbol(c, i)];
    if (!s || s->init[0] < 0 || s->statement < 0 || s->init[0] != s->init[1] ||
        c->tokens[s->init[0]].kind != TOKEN_NUMBER ||
        c->statements[s->statement].kind != STATEMENT_DECLARATION)
        return -1;
    while (i > 1 && (c->tokens[i].kind != TOKEN_MARK || code_is(c, i, "*") || code_is(c, i, "/")))
        i--;
    return code_is(c, i, "+") && c->tokens[i - 1].kind == TOKEN_NAME ? i - 1 : -1;
}

/* r + h * gap and q + h * gap: along one of the two axes twice the number, or half of it. */
static void one_axis(struct edits *l, int i, int last, const char *form)
{
    const struct code *c = l->code;
    int axis = axis_of(c, i), others = 0;
    if (axis < 0) return;
    int part = l->of->found.hints & HINT_BLOCK; /* one axis is not covered */
    struct edit *e = edits_begin(l, EDIT_NUMBER, part ? 0.5 : 1.7, i);
    for (int k = c->symbols[code_symbol(c, i)].from; k < last; k++) {
        int of = code_same(c, k, i) ? axis_of(c, k) : -1;
        others |= of >= 0 && !code_same(c, of, axis);
        if (of >= 0 && code_same(c, of, axis)) edit_replace(l, e, k, k, form, WORD(c, k));
    }
    if (!others) edit_drop(e);
}

/* if (i % 2) p.col += 4; if (i > 1) p.row += 8; what the two guard changes places. */
static void guarded_swapped(struct edits *l, int s)
{
    const struct code *c = l->code;
    const struct statement *a = &c->statements[s], *b = NULL;
    for (int i = s + 1; i < c->statement_count && !b; i++)
        if (c->statements[i].parent == a->parent) b = &c->statements[i];
    if (!b || a->kind != STATEMENT_IF || b->kind != STATEMENT_IF || a->parent < 0) return;
    const struct statement *x = &c->statements[a->body], *y = &c->statements[b->body];
    if (x->kind != STATEMENT_EXPRESSION || y->kind != STATEMENT_EXPRESSION) return;
    struct edit *e = edits_begin(l, EDIT_EXCHANGED, 1.5, x->first);
    edit_replace(l, e, x->first, x->last, "%.*s", SPAN(c, y->first, y->last));
    edit_replace(l, e, y->first, y->last, "%.*s", SPAN(c, x->first, x->last));
}

void repair_swaps(struct edits *l)
{
    const struct code *c = l->code;
    for (int i = 0; i < c->statement_count; i++) guarded_swapped(l, i);
    for (int i = 0; i < c->item_count; i++)
        if (c->items[i].kind == ITEM_FUNCTION && c->items[i].used) {
            exchanged_axes(l, c->items[i].body, c->items[i].last, l->of->now ? 1.6 : 1.2, 0);
            for (int k = c->items[i].body; k < c->items[i].last; k++)
                one_axis(l, k, c->items[i].last, "2 * %.*s"),
                    one_axis(l, k, c->items[i].last, "%.*s / 2");
        }
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *s = &c->statements[i];
        numbers_swapped(l, s);
        for (int k = i; s->kind == STATEMENT_DECLARATION && k < i + 2 && k < c->statement_count;
             k++)
            if (c->statements[k].kind == STATEMENT_DECLARATION &&
                c->statements[k].parent == s->parent)
                exchanged_axes(l, s->first, c->statements[k].last, 1.4, 1);
        if (s->kind == STATEMENT_DECLARATION) split_otherwise(l, s);
        if (s->cond[0] >= 0) both_swapped(l, s->cond[0], s->cond[1]);
        if (s->kind == STATEMENT_EXPRESSION) both_swapped(l, s->first, s->last);
    }
    exchanged_values(l);
    renames(l);
}
