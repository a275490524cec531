/* repair_returns.c - edits of tests after which a thread returns.
 *
 *     if (row >= m) return;     the rest under the opposite condition, where barriers follow
 *     if (second >= n) return;  each store under a test of its own index: if (first < n) out[first] = ...
 *     if (start >= n) return;   later, of the index that is stored to: int i = ...; if (i >= n) return; */
#include "explain/repair.h"

#include <stdlib.h>

static void leave_out(struct edits *l, struct edit *e, const struct statement *s)
{
    edit_replace(l, e, s->first, s->last, "%s", "");
}

/* Of "row >= m || col >= n" the tests whose variable a statement uses. The caller frees the
 * text. */
static char *outside(
    const struct code *c, const struct statement *test, const struct statement *user)
{
    struct buf out = {0};
    buf_add(&out, "", 0);
    for (int first = test->cond[0], last; first <= test->cond[1]; first = last + 2) {
        for (last = first; last < test->cond[1] && !code_is(c, last + 1, "||"); last++) continue;
        int used = 0;
        for (int i = user->first; i <= user->last; i++)
            used |= code_symbol(c, i) >= 0 && code_same(c, i, first);
        if (used) buf_printf(&out, "%s%.*s", out.len ? " || " : "", SPAN(c, first, last));
    }
    return out.data ? out.data : xstrdup("");
}

/* The last barrier behind a statement, in the same block. -1: there is none. */
static int barrier_behind(const struct code *c, int s)
{
    int last = -1;
    for (int i = s + 1; i < c->statement_count; i++)
        if (repair_is_barrier(c, &c->statements[i]) &&
            c->statements[i].parent == c->statements[s].parent)
            last = i;
    return last;
}

/* if (outside) return; with a barrier behind it: loads and stores under the opposite condition
 * instead; those before the barrier alone, if the return moves behind that. */
static void early_return(struct edits *l, int s, int barrier)
{
    const struct code *c = l->code;
    const struct statement *x = &c->statements[s];
    struct edit *e = edits_begin(l, EDIT_RETURN, barrier < 0 ? 1.5 : 1.4, x->first);
    leave_out(l, e, x);
    if (barrier >= 0)
        edit_after(l, e, c->statements[barrier].last, " %.*s", SPAN(c, x->first, x->last));
    for (int i = 0; i < (barrier < 0 ? c->statement_count : barrier); i++) {
        const struct statement *y = &c->statements[i];
        int global = 0, equals = -1;
        if (y->kind != STATEMENT_EXPRESSION || y->first < x->last || y->function != x->function)
            continue;
        for (int k = y->first; k < y->last; k++) {
            if (equals < 0 && code_is(c, k, "=")) equals = k;
            int symbol = code_is(c, k + 1, "[") ? code_symbol(c, k) : -1;
            if (symbol >= 0 && c->symbols[symbol].kind == SYMBOL_POINTER)
                global |= equals < 0 ? 1 : 2;
        }
        char *own = global ? outside(c, x, y) : NULL;
        if (own && *own && global == 2) {
            edit_before(l, e, equals + 1, " !(%s) ? ", own);
            edit_after(l, e, y->last - 1, " : 0");
        } else if (own && *own) {
            edit_before(l, e, y->first, "if (!(%s)) ", own);
        }
        free(own);
    }
}

/* The [ of a store through a pointer, out[i] = ...; -1: the statement is none. */
static int store_of(const struct code *c, const struct statement *x)
{
    int is = x->kind == STATEMENT_EXPRESSION && code_is(c, x->first + 1, "[");
    int symbol = is ? code_symbol(c, x->first) : -1;
    if (symbol < 0 || c->symbols[symbol].kind != SYMBOL_POINTER) return -1;
    int close = c->tokens[x->first + 1].pair;
    return code_is(c, close + 1, "=") || code_is(c, close + 1, "+=") ? x->first + 1 : -1;
}

/* The >= of a test "... >= n" alone; -1: it is none. */
static int only_test(const struct code *c, const struct statement *x)
{
    int at = -1;
    for (int i = x->cond[0]; i <= x->cond[1]; i++) {
        if (code_is(c, i, "||") || code_is(c, i, "&&")) return -1;
        if (code_is(c, i, ">=")) at = i;
    }
    return at;
}

/* Each store of several asks for its own index. */
static void each_its_own(struct edits *l, const struct statement *x)
{
    const struct code *c = l->code;
    int test = only_test(c, x), stores = 0;
    if (test < 0) return;
    struct edit *e = edits_begin(l, EDIT_EACH, 1.5, x->first);
    leave_out(l, e, x);
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *y = &c->statements[i];
        int open = y->function == x->function && y->first > x->last ? store_of(c, y) : -1;
        if (open < 0 || stores == SPLICES - 2) continue;
        edit_before(l, e, y->first, "if (%.*s < %.*s) ",
            SPAN(c, open + 1, c->tokens[open].pair - 1), SPAN(c, test + 1, x->cond[1]));
        stores++;
    }
    if (stores < 2) edit_drop(e);
}

/* A variable that begins behind the test is the index of a store: it is asked for, once it is
 * known. */
static void later(struct edits *l, const struct statement *x)
{
    const struct code *c = l->code;
    int test = only_test(c, x);
    for (int i = 0; i < c->statement_count && test >= 0; i++) {
        const struct statement *y = &c->statements[i];
        int open = y->function == x->function && y->first > x->last ? store_of(c, y) : -1;
        int v = open >= 0 && c->tokens[open].pair == open + 2 ? code_symbol(c, open + 1) : -1;
        if (v < 0 || c->symbols[v].statement < 0 || c->symbols[v].name < x->last) continue;
        struct edit *e = edits_begin(l, EDIT_LATER, 1.4, x->first);
        edit_after(l, e, c->statements[c->symbols[v].statement].last, " if (%.*s %.*s) return;",
            WORD(c, open + 1), SPAN(c, test, x->cond[1]));
        leave_out(l, e, x);
    }
}

void repair_returns(struct edits *l)
{
    const struct code *c = l->code;
    int shared = repair_has_shared(c);
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *s = &c->statements[i];
        if (s->kind != STATEMENT_IF || s->body < 0 ||
            !code_is(c, c->statements[s->body].first, "return"))
            continue;
        each_its_own(l, s);
        later(l, s);
        if (!shared) continue;
        early_return(l, i, -1);
        if (barrier_behind(c, i) >= 0) early_return(l, i, barrier_behind(c, i));
    }
}
