/* repair_tests.c - edits of what is asked before something is done.
 *
 *     out[...] = v;           if (row < rows && col < cols) out[...] = v;
 *     tile[y][x] = in[...];   tile[y][x] = row < rows ? in[...] : 0;
 *     if (a && b)             if (a), if (b), if (a && b && c), if (!(a && b)) */
#include "explain/repair.h"

#include <stdlib.h>
#include <string.h>

/* The text of each test that can be asked at a token: "row < rows", for integers and dimensions. */
static struct atoms tests_at(const struct code *c, int token)
{
    struct atoms out = {0};
    for (int i = 0; i < c->symbol_count; i++)
        for (int k = 0; k < c->symbol_count; k++) {
            const struct symbol *v = &c->symbols[i], *d = &c->symbols[k];
            if (v->kind != SYMBOL_INT || d->kind != SYMBOL_INT || v->parameter || !d->parameter ||
                d->constant || token < v->from || token > v->to || token < d->from || token > d->to)
                continue;
            *VEC_PUSH(out.text, out.count, out.cap) =
                xasprintf("%.*s < %.*s", WORD(c, v->name), WORD(c, d->name));
        }
    return out;
}

/* Conditions that other statements of the file ask, and the two halves of an index: row * cols +
 * col. */
static void conditions_of(const struct code *c, const struct statement *s, struct atoms *out)
{
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *x = &c->statements[i];
        if (x->kind != STATEMENT_IF || x->function != s->function) continue;
        int returns = x->body >= 0 && code_is(c, c->statements[x->body].first, "return");
        *VEC_PUSH(out->text, out->count, out->cap) =
            xasprintf(returns ? "!(%.*s)" : "%.*s", SPAN(c, x->cond[0], x->cond[1]));
    }
}

/* Where elements lie further on by a constant, x + TILE or p[TILE], the tests around a statement
 * with that more: left + x + TILE < cols. */
static void shifted_tests(const struct code *c, const struct statement *x, struct atoms *out)
{
    int by = -1;
    for (int i = x->first + 1; i < x->last && by < 0; i++)
        if ((code_is(c, i - 1, "+") || code_is(c, i - 1, "[")) &&
            (code_is(c, i + 1, "]") || code_is(c, i + 1, ")") || code_is(c, i + 1, "+")) &&
            (c->tokens[i].kind == TOKEN_NUMBER || code_named(c, ITEM_DEFINE, i) >= 0))
            by = i;
    for (int p = x->parent; p >= 0 && by >= 0; p = c->statements[p].parent) {
        const struct statement *s = &c->statements[p];
        if (s->kind != STATEMENT_IF) continue;
        for (int i = s->cond[0]; i <= s->cond[1]; i++) {
            int first = i, last = i;
            if (!code_is(c, i, "<")) continue;
            while (first > s->cond[0] && !code_is(c, first - 1, "&&")) first--;
            while (last < s->cond[1] && !code_is(c, last + 1, "&&")) last++;
            *VEC_PUSH(out->text, out->count, out->cap) =
                xasprintf("%.*s + %.*s %.*s", SPAN(c, first, i - 1), WORD(c, by), SPAN(c, i, last));
        }
    }
}

/* Append "row < rows && col < cols" for the row and the column of an index, and each dimension. */
static void index_tests(const struct code *c, int open, struct atoms *out)
{
    int close = c->tokens[open].pair, star = -1, plus = -1, sum = 0;
    for (int i = open + 1; i < close; i++) {
        sum |= code_is(c, i, "+");
        if (code_is(c, i, "*") && star < 0) star = i;
        if (code_is(c, i, "+") && star >= 0 && plus < 0) plus = i;
        if (c->tokens[i].pair > i) i = c->tokens[i].pair;
    }
    for (int i = 0; i < c->symbol_count && star < 0 && sum; i++) { /* base + e < n */
        const struct symbol *d = &c->symbols[i];
        if (d->kind == SYMBOL_INT && d->parameter && !d->constant && open >= d->from &&
            open <= d->to)
            *VEC_PUSH(out->text, out->count, out->cap) =
                xasprintf("%.*s < %.*s", SPAN(c, open + 1, close - 1), WORD(c, d->name));
    }
    if (star < 0 || plus < 0) return;
    int within = code_is(c, open + 1, "(") && c->tokens[open + 1].pair == star - 1,
        from = open + 1 + within, to = star - 1 - within;
    for (int i = 0; i < c->symbol_count; i++)
        for (int k = 0; k < c->symbol_count; k++) {
            const struct symbol *a = &c->symbols[i], *b = &c->symbols[k];
            if (a->kind != SYMBOL_INT || b->kind != SYMBOL_INT || !a->parameter || !b->parameter ||
                a->constant || b->constant || open < a->from || open > a->to || open < b->from ||
                open > b->to)
                continue;
            char *x = xasprintf("%.*s < %.*s", SPAN(c, from, to), WORD(c, a->name)),
                 *y = xasprintf("%.*s < %.*s", SPAN(c, plus + 1, close - 1), WORD(c, b->name));
            *VEC_PUSH(out->text, out->count, out->cap) = xasprintf("%s && %s", x, y);
            if (i == k) *VEC_PUSH(out->text, out->count, out->cap) = x;
            if (i == k) *VEC_PUSH(out->text, out->count, out->cap) = y;
            if (i != k) free(x), free(y);
        }
}

/* A store through a pointer under the test of another one, such as that of the load: its own
 * instead. from: the tests of its index. */
static void own_test(
    struct edits *l, const struct statement *x, int writes, const struct atoms *tests, size_t from)
{
    const struct code *c = l->code;
    int at = x->parent, symbol = writes < 0 ? -1 : code_symbol(c, writes - 1);
    if (symbol < 0 || c->symbols[symbol].kind != SYMBOL_POINTER) return;
    if (at >= 0 && c->statements[at].kind == STATEMENT_BLOCK) at = c->statements[at].parent;
    if (at < 0 || c->statements[at].kind != STATEMENT_IF) return;
    const struct statement *test = &c->statements[at];
    for (size_t i = from; i < tests->count; i++)
        edits_replace(l, EDIT_TEST, 1.6, test->cond[0], test->cond[1], "%s", tests->text[i]);
}

/* An assignment to an array or through a pointer: under a condition; or 0 where it does not
 * hold. */
static void guards(struct edits *l, int s)
{
    const struct code *c = l->code;
    const struct statement *x = &c->statements[s];
    int equals = -1, reads = -1, writes = -1;
    for (int i = x->first; i < x->last; i++) {
        if (equals < 0 && (code_is(c, i, "=") || code_is(c, i, "+="))) equals = i;
        int symbol = code_is(c, i + 1, "[") ? code_symbol(c, i) : -1;
        if (symbol >= 0 && equals < 0 && writes < 0) writes = i + 1;
        if (symbol >= 0 && equals >= 0 && reads < 0 && c->symbols[symbol].kind == SYMBOL_POINTER)
            reads = i + 1;
    }
    if (equals < 0 || (reads < 0 && writes < 0)) return;
    struct atoms tests = tests_at(c, x->first);
    size_t simple = tests.count;
    conditions_of(c, x, &tests);
    shifted_tests(c, x, &tests);
    if (writes >= 0) index_tests(c, writes, &tests);
    if (reads >= 0) index_tests(c, reads, &tests);
    double more = x->parent >= 0 && c->statements[x->parent].kind == STATEMENT_IF ? 0.3 : 0;
    for (size_t i = 0; i < tests.count; i++) {
        struct edit *e = edits_begin(l, EDIT_GUARD, more + (i < simple ? 2.1 : 1.9), x->first);
        edit_before(l, e, x->first, "if (%s) ", tests.text[i]);
        if (reads < 0) continue;
        e = edits_begin(l, EDIT_ZERO, i < simple ? 2.2 : 2, x->first);
        edit_before(l, e, equals + 1, "%s ? ", tests.text[i]);
        edit_after(l, e, x->last - 1, " : 0");
    }
    own_test(l, x, writes, &tests, simple);
    if (writes >= 0 && code_is(c, equals, "=")) {
        struct edit *e = edits_begin(l, EDIT_ZERO, 1.7, x->first);
        int at = s; /* before the if that it stands in */
        for (int p = x->parent; p >= 0 && c->statements[p].kind != STATEMENT_FOR;
             p = c->statements[p].parent)
            if (c->statements[p].kind == STATEMENT_IF) at = p;
        edit_before(l, e, c->statements[at].lead, "%.*s = 0; ", SPAN(c, x->first, equals - 1));
    }
    atoms_free(&tests);
}

/* if (inside) tile[y][x] = in[...]: each element that is stored under a condition is 0 before it,
 * in all such places of the kernel at once. */
static void zeros(struct edits *l)
{
    const struct code *c = l->code;
    struct edit *e = NULL;
    int stores = 0;
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *s = &c->statements[i];
        int symbol = s->kind == STATEMENT_EXPRESSION ? code_symbol(c, s->first) : -1;
        int close = s->first, at = -1;
        if (symbol < 0 || c->symbols[symbol].kind != SYMBOL_ARRAY) continue;
        while (code_is(c, close + 1, "[")) close = c->tokens[close + 1].pair;
        for (int p = s->parent; p >= 0 && c->statements[p].kind != STATEMENT_FOR;
             p = c->statements[p].parent)
            if (c->statements[p].kind == STATEMENT_IF) at = p;
        if (at < 0 || !code_is(c, close + 1, "=")) continue;
        if (!e) e = edits_begin(l, EDIT_ZERO, 1.75, c->statements[at].first);
        edit_before(l, e, c->statements[at].lead, "%.*s = 0; ", SPAN(c, s->first, close));
        stores++;
    }
    if (e && stores < 2) edit_drop(e);
}

/* A condition with one test more, one less, or the opposite. first, last: its tokens. */
static void condition(struct edits *l, int first, int last, int returns)
{
    const struct code *c = l->code;
    struct atoms tests = tests_at(c, first);
    for (size_t i = 0; i < tests.count; i++) {
        struct edit *e = edits_begin(l, EDIT_TEST, 2, first);
        if (returns)
            edit_after(l, e, last, " || !(%s)", tests.text[i]);
        else
            edit_before(l, e, first, "%s && ", tests.text[i]);
    }
    edits_replace(l, EDIT_TEST, 2.2, first, last, "!(%.*s)", SPAN(c, first, last));
    edits_replace(l, EDIT_TEST, 2.9, first, last, "1");
    /* too many tests keep threads from it */
    double extra = l->of->found.kind == FOUND_UNFILLED ? 1.7 : 2.4;
    for (int i = first, start = first; i <= last; i++) {
        int joins = code_is(c, i, "&&") || code_is(c, i, "||");
        if (joins) edits_replace(l, EDIT_TEST, 2.4, first, i, "%s", "");
        if (joins) edits_replace(l, EDIT_TEST, 2.4, i, last, "%s", "");
        if (joins && start > first) edits_replace(l, EDIT_TEST, extra, start - 1, i - 1, "%s", "");
        if (joins) start = i + 1;
        if (c->tokens[i].pair > i) i = c->tokens[i].pair;
    }
    atoms_free(&tests);
}

/* for (...; t + TILE <= k; ...): the last, smaller step is left out; t < k. */
static void whole_steps(struct edits *l, const struct statement *s)
{
    const struct code *c = l->code;
    int name = s->cond[0], at = name;
    while (at < s->cond[1] && !code_is(c, at, "<=") && !code_is(c, at, "<")) at++;
    if (at < s->cond[1] && at > name + 2 && code_is(c, name + 1, "+"))
        edits_replace(l, EDIT_TEST, 1.6, name, s->cond[1], "%.*s < %.*s", WORD(c, name),
            SPAN(c, at + 1, s->cond[1]));
}

/* c ? a : b */
static void ternary(struct edits *l, int i)
{
    const struct code *c = l->code;
    int first = i;
    while (first > 0 && !code_is(c, first - 1, "=") && !code_is(c, first - 1, ";") &&
           !code_is(c, first - 1, "(") && !code_is(c, first - 1, "return"))
        first = code_is(c, first - 1, "]") || code_is(c, first - 1, ")") ? c->tokens[first - 1].pair
                                                                         : first - 1;
    if (first < i) condition(l, first, i - 1, 0);
}

void repair_tests(struct edits *l)
{
    const struct code *c = l->code;
    zeros(l);
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *s = &c->statements[i];
        int returns = s->body >= 0 && code_is(c, c->statements[s->body].first, "return");
        if (s->cond[0] >= 0) condition(l, s->cond[0], s->cond[1], returns);
        if (s->kind == STATEMENT_FOR && s->cond[0] >= 0) whole_steps(l, s);
        if (s->kind == STATEMENT_EXPRESSION) guards(l, i);
    }
    for (int i = 0; i < c->count; i++)
        if (code_is(c, i, "?")) ternary(l, i);
}
