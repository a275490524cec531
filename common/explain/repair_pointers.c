/* repair_pointers.c - edits of what is at a pointer, and of sums that are assigned.
 *
 *     p[i]                 *p                      p stands at the element already
 *     *p                   p[i]                    p stands where the row begins
 *     *(p + y * n + x)     *(p + x * n + y), ...   the sum behind the pointer
 *     p += (y + j) * n     p += (4 * y + j) * n    a sum that a statement adds or sets
 *     memset(p, 0, n)      ... n * sizeof(float)   bytes
 *     (float4 *)p + i      (float4 *)(p + i)       i counts floats; and the reverse
 *     ask(now)             ask(next)               of two references to structures the other one */
#include "explain/repair.h"

#include <stdlib.h>
#include <string.h>

static int is_pointer(const struct code *c, int token)
{
    int s = code_symbol(c, token);
    return s >= 0 && c->symbols[s].kind == SYMBOL_POINTER;
}

/* Is a pointer moved on, or does it begin at a sum? Then it stands at an element. */
static int is_moved(const struct code *c, int token)
{
    int s = code_symbol(c, token);
    for (int i = c->symbols[s].init[0]; i >= 0 && i < c->symbols[s].init[1]; i++)
        if (code_is(c, i, "+")) return 1;
    for (int i = c->symbols[s].from; i < c->symbols[s].to; i++)
        if (code_symbol(c, i) == s && (code_is(c, i + 1, "+=") || code_is(c, i + 1, "++") ||
                                          code_is(c, i - 1, "++") || code_is(c, i + 1, "-=")))
            return 1;
    return 0;
}

/* p[i]: *p, and p[k] of the pointers that are read as *p. */
static void indexed(struct edits *l, int i)
{
    const struct code *c = l->code;
    double cost = is_moved(c, i) ? 1.2 : 2.4;
    int close = c->tokens[i + 1].pair;
    edits_replace(l, EDIT_AT, cost, i, close, "*%.*s", WORD(c, i));
}

static void dereferenced(struct edits *l, int star)
{
    const struct code *c = l->code;
    struct atoms a = repair_atoms(c, star + 1);
    for (size_t k = 0; k < a.count; k++)
        edits_replace(l, EDIT_FROM, is_moved(c, star + 1) ? 2.1 : 1.5, star, star + 1, "%.*s[%s]",
            WORD(c, star + 1), a.text[k]);
    atoms_free(&a);
}

/* A sum in tokens first to last; a pointer that it begins with is no part of it. */
static void behind_pointer(struct edits *l, int first, int last)
{
    const struct code *c = l->code;
    if (last > first && is_pointer(c, first)) first += 2;
    if (first <= last) repair_sum(l, first, last, 2.3);
}

/* The last token of the sum that goes on behind a pointer at i: p + 4 * i. */
static int sum_end(const struct code *c, int i)
{
    int end = i;
    for (int k = i + 1; code_is(c, k, "+") || code_is(c, k, "-") || code_is(c, k, "*");
         k = end + 1) {
        end = k + 1;
        if (c->tokens[end].pair > end) end = c->tokens[end].pair;
        while (code_is(c, end + 1, ".") || code_is(c, end + 1, "["))
            end = code_is(c, end + 1, ".") ? end + 2 : c->tokens[end + 1].pair;
    }
    return end;
}

/* Behind a cast, "*)": what belongs to the pointer that it turns into another. */
static void casts(struct edits *l, int close)
{
    const struct code *c = l->code;
    int p = close + 1, pair = c->tokens[p].pair;
    if (is_pointer(c, p) && code_is(c, p + 1, "+")) {
        struct edit *e = edits_begin(l, EDIT_CAST, 1.5, p);
        edit_before(l, e, p, "(");
        edit_after(l, e, sum_end(c, p), ")");
    } else if (code_is(c, p, "(") && is_pointer(c, p + 1) && code_is(c, p + 2, "+") &&
               sum_end(c, p + 1) + 1 == pair) {
        struct edit *e = edits_begin(l, EDIT_CAST, 1.7, p);
        edit_replace(l, e, p, p, "%s", "");
        edit_replace(l, e, pair, pair, "%s", "");
    }
}

/* sizeof(from[0]): of the whole array. */
static void whole_size(struct edits *l, int i)
{
    const struct code *c = l->code;
    int open = i + 1, close = code_is(c, open, "(") ? c->tokens[open].pair : -1;
    if (!code_is(c, i, "sizeof") || close < open + 3 || !code_is(c, open + 2, "[")) return;
    edits_replace(l, EDIT_SIZE, 1.1, open + 1, close - 1, "%.*s", WORD(c, open + 1));
}

/* memset(c, 0, m * n): a length in bytes. */
static void bytes(struct edits *l, int name)
{
    const struct code *c = l->code;
    int last = c->tokens[name + 1].pair - 1, first = last;
    if (!code_is(c, name, "memset") && !code_is(c, name, "memcpy")) return;
    while (!code_is(c, first - 1, ",") && first > name + 2)
        first = code_is(c, first - 1, ")") ? c->tokens[first - 1].pair : first - 1;
    for (int i = first; i <= last; i++)
        if (code_is(c, i, "sizeof")) return;
    edits_replace(l, EDIT_BYTES, 1, first, last, "(%.*s) * sizeof(float)", SPAN(c, first, last));
}

static int is_dereference(const struct code *c, int i)
{
    int after =
        c->tokens[i - 1].kind != TOKEN_MARK || code_is(c, i - 1, ")") || code_is(c, i - 1, "]");
    return code_is(c, i, "*") && (!after || code_is(c, i - 1, "return"));
}

/* A name of a structure, or of a reference to one: others of its type. */
static void structures(struct edits *l, int i)
{
    const struct code *c = l->code;
    int s = code_symbol(c, i);
    if (s < 0 || c->symbols[s].kind != SYMBOL_OTHER || i == c->symbols[s].name) return;
    for (int k = 0; k < c->symbol_count; k++) {
        const struct symbol *o = &c->symbols[k];
        if (k != s && o->kind == SYMBOL_OTHER && i > o->from && i <= o->to &&
            code_same(c, o->type, c->symbols[s].type))
            edits_replace(l, EDIT_NAME, 1.1, i, i, "%.*s", WORD(c, o->name));
    }
}

static void span(struct edits *l, int first, int last)
{
    const struct code *c = l->code;
    for (int i = first; i < last; i++) {
        structures(l, i);
        if (is_pointer(c, i) && code_is(c, i + 1, "[")) indexed(l, i);
        if (code_is(c, i + 1, "(")) bytes(l, i), whole_size(l, i);
        if (is_dereference(c, i) && is_pointer(c, i + 1) && !code_is(c, i + 2, "++"))
            dereferenced(l, i);
        if (code_is(c, i, "*") && code_is(c, i + 1, ")")) casts(l, i + 1);
        if (code_is(c, i, "(") && is_pointer(c, i + 1) && code_is(c, i + 2, "+"))
            behind_pointer(l, i + 1, c->tokens[i].pair - 1);
    }
}

/* p += TILE: so many rows on, p += TILE * n. */
static void rows_on(struct edits *l, int by)
{
    const struct code *c = l->code;
    for (int k = 0; k < c->symbol_count; k++) {
        const struct symbol *s = &c->symbols[k];
        int dim = s->kind == SYMBOL_INT && s->parameter && by >= s->from && by <= s->to;
        if (dim && !code_same(c, by, s->name))
            edits_replace(
                l, EDIT_TERM_MISSING, 1.6, by, by, "%.*s * %.*s", WORD(c, by), WORD(c, s->name));
    }
}

/* p++; of a statement: p += THREADS; for a constant of the file. first, last: its tokens */
static void strides(struct edits *l, int first, int last)
{
    const struct code *c = l->code;
    int name = code_is(c, first, "++") ? last : first;
    if (last != first + 1 || !code_is(c, first + last - name, "++") || !is_pointer(c, name)) return;
    struct atoms a = repair_atoms(c, name);
    for (size_t i = 0; i < a.count; i++)
        if (a.text[i][0] >= 'A' && a.text[i][0] <= 'Z')
            edits_replace(l, EDIT_STEP, 1.6, first, last, "%.*s += %s", WORD(c, name), a.text[i]);
    atoms_free(&a);
}

void repair_pointers(struct edits *l)
{
    const struct code *c = l->code;
    for (int k = 0; k < c->item_count; k++) {
        const struct item *x = &c->items[k];
        if (x->used) span(l, x->body, x->last);
    }
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *s = &c->statements[i];
        int to = s->kind == STATEMENT_EXPRESSION ? code_symbol(c, s->first) : -1, at = s->first + 1;
        int is = code_is(c, at, "=") || code_is(c, at, "+=") || code_is(c, at, "-=");
        if (s->kind == STATEMENT_EXPRESSION) strides(l, s->first, s->last - 1);
        if (to >= 0 && is &&
            (c->symbols[to].kind == SYMBOL_INT || c->symbols[to].kind == SYMBOL_POINTER))
            behind_pointer(l, at + 1, code_expression_end(c, at + 1, s->last));
        if (to >= 0 && is && c->symbols[to].kind == SYMBOL_POINTER && at + 2 == s->last)
            rows_on(l, at + 1);
    }
    for (int i = 0; i < c->symbol_count; i++)
        if (c->symbols[i].kind == SYMBOL_POINTER && c->symbols[i].init[0] >= 0 &&
            is_pointer(c, c->symbols[i].init[0]))
            behind_pointer(l, c->symbols[i].init[0], c->symbols[i].init[1]);
}
