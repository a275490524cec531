/* repair_index.c - edits of subscripts and sums.
 *
 *     tile[x][y]             tile[y][x]
 *     in[row * cols + col]   in[col * rows + row], in[col * cols + row], ...
 *     a[i]                   a[i + t], a[i + blockIdx.x * blockDim.x], ...
 *     col + y * rows         (col + y) * rows             n / TILE     (n + TILE - 1) / TILE
 *
 * A sum is cut into its terms at the + and - of its own level. */
#include "judge/repair.h"

#include <stdlib.h>
#include <string.h>

enum { TERMS = 12 };
/* The tokens of a sum, and the first and last of each term. */
struct sum {
    int first, last, count;
    int terms[TERMS][2];
};

static int is_operand_end(const struct code *c, int i)
{
    return c->tokens[i].kind == TOKEN_NAME || c->tokens[i].kind == TOKEN_NUMBER || code_is(c, i, ")") ||
           code_is(c, i, "]");
}

/* Returns 0 if it has an operator that binds less than a sum does, or too many terms. */
static int sum_read(const struct code *c, int first, int last, struct sum *s)
{
    static const char *const other[] = {"<", ">", "<=", ">=", "==", "!=", "&&", "||", "?", ":", "=",
        "+=", "-=", "*=", "<<", ">>", "&", "|", "^", "++", "--", ","};
    *s = (struct sum){.first = first, .last = last};
    int start = first;
    for (int i = first; i <= last; i++) {
        for (size_t k = 0; k < sizeof other / sizeof *other; k++)
            if (code_is(c, i, other[k])) return 0;
        int sign = (code_is(c, i, "+") || code_is(c, i, "-")) && i > first && is_operand_end(c, i - 1);
        if (c->tokens[i].pair > i) i = c->tokens[i].pair;
        if (!sign && i < last) continue;
        if (s->count == TERMS) return 0;
        s->terms[s->count][0] = start;
        s->terms[s->count++][1] = sign ? i - 1 : i;
        start = i + 1;
    }
    return s->count > 0;
}

/* The last * of a term's own level; -1: it is no product. */
static int product(const struct code *c, const int term[2])
{
    int star = -1;
    for (int i = term[0]; i <= term[1]; i++) {
        if (code_is(c, i, "*") && i > term[0]) star = i;
        if (c->tokens[i].pair > i) i = c->tokens[i].pair;
    }
    return star;
}

/* The innermost function's integer parameters. Calls visit for each name. */
static int is_dim(const struct code *c, int symbol, int token)
{
    const struct symbol *s = &c->symbols[symbol];
    return s->kind == SYMBOL_INT && s->parameter && token >= s->from && token <= s->to;
}

/* R * L + C: C * L + R, and with each dimension for L. */
static void turned(struct edits *l, const struct sum *s)
{
    const struct code *c = l->code;
    struct buf rest = {0};
    int star = -1, at = -1;
    for (int i = 0; i < s->count && star < 0; i++) {
        star = product(c, s->terms[i]);
        at = i;
    }
    if (star < 0 || s->count < 2) return;
    for (int i = 0; i < s->count; i++)
        if (i != at)
            buf_printf(&rest, "%s%.*s", rest.len ? " + " : "", SPAN(c, s->terms[i][0], s->terms[i][1]));
    const char *form = s->count > 2 ? "(%s) * %.*s + %.*s" : "%s * %.*s + %.*s";
    int first = s->terms[at][0], last = s->terms[at][1];
    edits_replace(l, EDIT_INDEX, 1.3, s->first, s->last, form, rest.data, SPAN(c, star + 1, last),
        SPAN(c, first, star - 1));
    for (int i = 0; i < c->symbol_count && !strchr("0123456789(", c->text[c->tokens[star + 1].at]); i++)
        if (is_dim(c, i, s->first) && !(star + 1 == last && code_same(c, last, c->symbols[i].name)))
            edits_replace(l, EDIT_INDEX, 1.4, s->first, s->last, form, rest.data,
                WORD(c, c->symbols[i].name), SPAN(c, first, star - 1));
    buf_free(&rest);
}

/* top + y + s * R, where top + y * R + s is meant. */
static void other_factor(struct edits *l, const struct sum *s)
{
    const struct code *c = l->code;
    for (int i = 0; i < s->count && s->count > 2; i++)
        for (int k = 0, star = product(c, s->terms[i]); k < s->count && star > 0; k++) {
            if (k == i || s->terms[k][0] < s->terms[k][1] || code_symbol(c, s->terms[k][0]) < 0) continue;
            struct edit *e = edits_begin(l, EDIT_FACTOR, 1.5, s->terms[i][0]);
            edit_replace(l, e, star, s->terms[i][1], "%s", "");
            edit_after(l, e, s->terms[k][1], " %.*s", SPAN(c, star, s->terms[i][1]));
        }
}

/* block * F + thread, where (block + thread) * F is meant. */
static void whole_factor(struct edits *l, const struct sum *s)
{
    const struct code *c = l->code;
    int star = s->count == 2 ? product(c, s->terms[0]) : -1;
    if (star < 0 || product(c, s->terms[1]) >= 0 || !code_is(c, s->terms[0][1] + 1, "+")) return;
    edits_replace(l, EDIT_BRACKETS, 1.7, s->first, s->last, "(%.*s + %.*s) %.*s",
        SPAN(c, s->first, star - 1), SPAN(c, s->terms[1][0], s->last), SPAN(c, star, s->terms[0][1]));
}

static int is_loop_variable(const struct code *c, int token)
{
    int s = code_symbol(c, token), d = s < 0 ? -1 : c->symbols[s].statement;
    return d >= 0 && c->statements[d].kind == STATEMENT_FOR;
}

/* The same of a name that can be used somewhere in the file. */
static int names_loop_variable(const struct code *c, const char *name)
{
    for (int i = 0; i < c->symbol_count; i++)
        if (code_is(c, c->symbols[i].name, name) && is_loop_variable(c, c->symbols[i].name)) return 1;
    return 0;
}

/* A term more, for each integer that the sum does not have. */
static void missing_term(struct edits *l, const struct sum *s, double cost)
{
    const struct code *c = l->code;
    struct atoms a = repair_atoms(c, s->first);
    char *has = code_text(c, s->first, s->last);
    int bound = strchr("<>", c->text[c->tokens[s->first - 1].at]) != NULL;
    for (size_t i = 0; i < a.count; i++) {
        int known = code_is(c, s->first - 2, a.text[i]); /* col < right + col */
        for (int t = s->first; t <= s->last; t++) known |= code_is(c, t, a.text[i]);
        if (known) continue;
        double likely = names_loop_variable(c, a.text[i]) && !bound ? 1.7 : cost;
        edits_replace(l, EDIT_TERM_MISSING, likely, s->last, s->last, "%.*s + %s",
            WORD(c, s->last), a.text[i]);
        edits_replace(l, EDIT_TERM_MISSING, cost + 0.5, s->last, s->last, "%.*s - %s",
            WORD(c, s->last), a.text[i]);
    }
    for (int axis = 0; axis < 2; axis++) {
        char x = "xy"[axis];
        char thread[] = "threadIdx.?", block[] = "blockIdx.?";
        thread[10] = block[9] = x;
        if (!strstr(has, thread))
            edits_replace(l, EDIT_TERM_MISSING, 2, s->last, s->last, "%.*s + threadIdx.%c",
                WORD(c, s->last), x);
        if (strstr(has, block)) continue;
        struct edit *e = edits_begin(l, EDIT_TERM_MISSING, 2, s->first);
        edit_before(l, e, s->first, "blockIdx.%c * blockDim.%c + ", x, x);
        for (size_t i = 0; i < a.count; i++)
            if (a.text[i][0] >= 'A' && a.text[i][0] <= 'Z') {
                e = edits_begin(l, EDIT_TERM_MISSING, 2.4, s->first);
                edit_before(l, e, s->first, "blockIdx.%c * %s + ", x, a.text[i]);
            }
    }
    free(has), atoms_free(&a);
}

/* A term less; brackets around two terms that a factor follows. */
static void fewer_terms(struct edits *l, const struct sum *s)
{
    const struct code *c = l->code;
    for (int i = 0; i < s->count; i++) {
        int single = s->count == 1; /* blockIdx.x * TILE: twice as much */
        if (single && product(c, s->terms[0]) < 0) continue;
        int first = i ? s->terms[i][0] - 1 : s->terms[0][0];
        int last = i || single ? s->terms[i][1] : s->terms[1][0] - 1;
        if (!single && (i || code_is(c, last, "+") || c->tokens[first].kind == TOKEN_NUMBER))
            edits_replace(l, EDIT_TERM_EXTRA, 2.6, first, last, "%s", "");
        for (int k = 0; k < c->count && !code_is(c, s->terms[i][1], ")"); k++) {
            long v = c->tokens[k].kind == TOKEN_NUMBER ? strtol(c->text + c->tokens[k].at, NULL, 0) : 0;
            if (v < 2 || v > 64 || code_function(c, k) < 0) continue;
            int alone = s->terms[i][0] == s->terms[i][1] && is_loop_variable(c, s->terms[i][0]);
            struct edit *times = edits_begin(l, EDIT_TERM_MISSING, alone ? 1.6 : 1.9, s->terms[i][0]);
            edit_after(l, times, s->terms[i][1], " * %ld", v);
        }
        int of = i + 1 < s->count ? product(c, s->terms[i]) : -1;
        if (of > 0 && code_is(c, s->terms[i][1] + 1, "+")) {
            struct edit *e = edits_begin(l, EDIT_BRACKETS, 1.6, of + 1);
            edit_before(l, e, of + 1, "(");
            edit_after(l, e, s->terms[i + 1][1], ")");
        }
        int star = i + 1 < s->count ? product(c, s->terms[i + 1]) : -1;
        for (int from = 0; star > 0 && from <= i; from++) {
            struct edit *e = edits_begin(l, EDIT_BRACKETS, 1.6, s->terms[from][0]);
            edit_before(l, e, s->terms[from][0], "(");
            edit_after(l, e, star - 1, ")");
        }
    }
}

/* n / TILE: rounded up. The operands are a name, a number or what is in brackets. */
static void division(struct edits *l, int i)
{
    const struct code *c = l->code;
    int first = i - 1, last = i + 1;
    if (code_is(c, first, ")")) first = c->tokens[first].pair;
    if (code_is(c, first - 1, ".")) first -= 2;
    if (code_is(c, last, "(")) last = c->tokens[last].pair;
    if (code_is(c, last + 1, ".")) last += 2;
    edits_replace(l, EDIT_ROUND_UP, 1.5, first, last, "((%.*s + %.*s - 1) / %.*s)", SPAN(c, first, i - 1),
        SPAN(c, i + 1, last), SPAN(c, i + 1, last));
    edits_replace(l, EDIT_ROUND_UP, 2.4, first, last, "(%.*s + 1)", SPAN(c, first, last));
}

/* Is it a bracket of an array's declaration? */
static int is_declared(const struct code *c, int open)
{
    while (code_is(c, open - 1, "]")) open = c->tokens[open - 1].pair;
    for (int i = 0; i < c->symbol_count; i++)
        if (c->symbols[i].name == open - 1) return 1;
    return 0;
}

/* Does the name at i stand elsewhere with this factor: y * OWN? */
static int is_scaled(const struct code *c, int i, const char *factor)
{
    for (int k = 0; k + 2 < c->count; k++)
        if (code_is(c, k + 1, "*") && code_function(c, k) == code_function(c, i) &&
            ((k != i && code_same(c, k, i) && code_is(c, k + 2, factor)) ||
                (code_is(c, k, factor) && code_same(c, k + 2, i))))
            return 1;
    return 0;
}

/* A factor more, for a name; and less, for a product of names. */
static void factors(struct edits *l, int i)
{
    const struct code *c = l->code;
    int s = code_symbol(c, i);
    if (code_is(c, i, "*") && is_operand_end(c, i - 1) && c->tokens[i + 1].kind != TOKEN_MARK) {
        int one = c->tokens[i + 1].kind == TOKEN_NAME && code_is(c, i + 2, ".") ? i + 3 : i + 1;
        if (code_symbol(c, i - 1) >= 0 || c->tokens[i - 1].kind == TOKEN_NUMBER || code_is(c, i - 1, ")"))
            edits_replace(l, EDIT_TERM_EXTRA, 2.8, i, one, "%s", "");
        if (c->tokens[i - 1].kind != TOKEN_MARK && !code_is(c, i - 2, "."))
            edits_replace(l, EDIT_TERM_EXTRA, 2.8, i - 1, i, "%s", "");
    }
    if (code_is(c, i, "/") && c->tokens[i + 1].kind != TOKEN_MARK)
        edits_replace(l, EDIT_TERM_EXTRA, 1.75, i, i + 1, "%s", "");
    int define = code_named(c, ITEM_DEFINE, i) >= 0;
    if (!define && (s < 0 || c->symbols[s].kind != SYMBOL_INT || c->symbols[s].name == i)) return;
    if (code_is(c, i + 1, "=") || code_is(c, i + 1, "++") || code_is(c, i + 1, "+=")) return;
    struct atoms a = repair_atoms(c, i);
    int loop = s >= 0 && is_loop_variable(c, i); /* it counts tiles */
    const int *step = loop ? c->statements[c->symbols[s].statement].step : NULL;
    if (step && step[1] == step[0] + 2 && c->tokens[step[1]].kind == TOKEN_NAME) /* t += TILE */
        edits_replace(l, EDIT_TERM_MISSING, 1.7, i, i, "%.*s + %.*s", WORD(c, i), WORD(c, step[1]));
    for (size_t k = 0; k < a.count; k++)
        if (a.text[k][0] >= 'A' && a.text[k][0] <= 'Z' && !code_is(c, i, a.text[k]))
            edits_replace(l, EDIT_TERM_MISSING, is_scaled(c, i, a.text[k]) ? 1.5 : loop ? 1.8 : 2.2, i, i,
                "%.*s * %s", WORD(c, i), a.text[k]);
    for (int k = 0; k < 2; k++)
        edits_replace(l, EDIT_TERM_MISSING, 2.5, i, i, "%.*s * blockDim.%c", WORD(c, i), "xy"[k]);
    if (define && code_is(c, i - 1, "[") && is_declared(c, i - 1))
        edits_replace(l, EDIT_NUMBER, 2.1, i, i, "2 * %.*s", WORD(c, i));
    atoms_free(&a);
}

/* Is the array element at a bracket what a statement stores to? */
static int is_stored(const struct code *c, int open)
{
    int s = code_statement(c, open);
    return s >= 0 && c->statements[s].first == open - 1;
}

/* (float4 *)&tile[y][x]: x counts floats, so it is 4 times the lane. */
static void four_floats(struct edits *l, int i)
{
    const struct code *c = l->code;
    int close = c->tokens[i].pair, open = i;
    while (code_is(c, open - 1, "]")) open = c->tokens[open - 1].pair;
    if (code_is(c, close + 1, "[") || !code_is(c, open - 2, "&") || !code_is(c, open - 4, "*") ||
        !code_is(c, open - 5, "float4"))
        return;
    struct edit *e = edits_begin(l, EDIT_TERM_MISSING, 1.3, i + 1);
    if (close > i + 2) edit_before(l, e, i + 1, "(");
    edit_after(l, e, close - 1, close > i + 2 ? ") * 4" : " * 4");
}

/* (block + thread) * 4: block * 4 + thread, or block + thread * 4. open: the bracket. */
static void distributed(struct edits *l, int open)
{
    const struct code *c = l->code;
    int close = c->tokens[open].pair, last = close + 2;
    struct sum s;
    if (!code_is(c, close + 1, "*") || !sum_read(c, open + 1, close - 1, &s) || s.count != 2) return;
    if (s.terms[0][0] == s.terms[0][1] && s.terms[1][0] == s.terms[1][1]) return; /* (RECORD + PAD) * x */
    if (code_is(c, last, "(")) last = c->tokens[last].pair;
    if (code_is(c, last + 1, ".")) last += 2;
    edits_replace(l, EDIT_BRACKETS, 1.5, open, last, "%.*s * %.*s + %.*s", SPAN(c, s.first, s.terms[0][1]),
        SPAN(c, close + 2, last), SPAN(c, s.terms[1][0], s.last));
    edits_replace(l, EDIT_BRACKETS, 1.6, open, last, "%.*s * %.*s", SPAN(c, s.first, s.last),
        SPAN(c, close + 2, last));
}

/* A term of one sum belongs to the other one, of two in neighbouring places: tile[y + j][x]. */
void repair_moved_terms(struct edits *l, const int from[2], const int to[2], double cost)
{
    const struct code *c = l->code;
    struct sum a, b;
    if (from[1] < from[0] || to[1] < to[0] || !sum_read(c, from[0], from[1], &a) ||
        !sum_read(c, to[0], to[1], &b))
        return;
    for (int i = 0; i < a.count && a.count > 1; i++) {
        if (i && code_is(c, a.terms[i][0] - 1, "-")) continue;
        int first = a.terms[i][0], last = a.terms[i][1];
        struct edit *e = edits_begin(l, EDIT_TERM_MOVED, cost, first);
        edit_replace(l, e, i ? first - 1 : first, i ? last : a.terms[1][0] - 1, "%s", "");
        edit_after(l, e, to[1], " + %.*s", SPAN(c, first, last));
    }
}

/* p[first], where p points to fours of floats: first / 4. */
static void fours(struct edits *l, int open)
{
    const struct code *c = l->code;
    int s = code_symbol(c, open - 1), close = c->tokens[open].pair;
    if (s < 0 || c->symbols[s].kind != SYMBOL_POINTER || close == open + 1) return;
    for (int i = c->symbols[s].type; i < c->symbols[s].name; i++)
        if (code_is(c, i, "float4"))
            edits_replace(l, EDIT_FOURS, 1.4, open + 1, close - 1,
                close > open + 2 ? "(%.*s) / 4" : "%.*s / 4", SPAN(c, open + 1, close - 1));
}

/* tile[a][b], and brackets that stand around a sum for nothing. */
static void brackets(struct edits *l, int i)
{
    const struct code *c = l->code;
    int close = c->tokens[i].pair;
    if (code_is(c, i, "[") && code_is(c, close + 1, "[")) {
        int second = close + 1, end = c->tokens[second].pair;
        struct edit *e = edits_begin(l, EDIT_SUBSCRIPTS, is_stored(c, i) ? 1.1 : 1, i - 1);
        edit_replace(l, e, i + 1, close - 1, "%.*s", SPAN(c, second + 1, end - 1));
        edit_replace(l, e, second + 1, end - 1, "%.*s", SPAN(c, i + 1, close - 1));
        const int one[2] = {i + 1, close - 1}, two[2] = {second + 1, end - 1};
        repair_moved_terms(l, one, two, 1.5);
        repair_moved_terms(l, two, one, 1.5);
    }
    if (code_is(c, i, "(")) distributed(l, i);
    if (code_is(c, i, "(") && c->tokens[i - 1].kind == TOKEN_MARK && close > i + 1) {
        struct edit *e = edits_begin(l, EDIT_BRACKETS, 2.5, i);
        edit_replace(l, e, i, i, "%s", "");
        edit_replace(l, e, close, close, "%s", "");
    }
}

void repair_sum(struct edits *l, int first, int last, double cost)
{
    struct sum s;
    if (last > first && code_is(l->code, first, "(") && l->code->tokens[first].pair == last) first++, last--;
    if (last < first || !sum_read(l->code, first, last, &s)) return;
    turned(l, &s);
    other_factor(l, &s);
    whole_factor(l, &s);
    for (int i = 0; i < s.count; i++) { /* (y + j) * n + x, or y * n + x + j */
        int star = product(l->code, s.terms[i]), open = s.terms[i][0];
        const int all[2] = {first, last}, inner[2] = {open + 1, star - 2};
        if (star < 0 || !code_is(l->code, open, "(") || l->code->tokens[open].pair != star - 1) continue;
        if (code_symbol(l->code, open + 1) < 0 && !code_is(l->code, open + 2, ".")) continue; /* (12 + PAD) */
        repair_moved_terms(l, all, inner, 1.6);
        repair_moved_terms(l, inner, all, 1.7);
        struct sum row;
        if (sum_read(l->code, inner[0], inner[1], &row)) missing_term(l, &row, cost), fewer_terms(l, &row);
    }
    missing_term(l, &s, cost);
    fewer_terms(l, &s);
}

/* f(a, b): f(b, a), for functions of the file; and each as a sum. open: ( of the call. */
static void arguments(struct edits *l, int open)
{
    const struct code *c = l->code;
    for (int k = 0; k < c->item_count && code_call(c, open - 1) >= 0; k++) /* odd for even */
        if (c->items[k].kind == ITEM_FUNCTION && c->items[k].used && k != code_function(c, open) &&
            !code_same(c, c->items[k].name, open - 1) && !code_is(c, c->items[k].first, "__global__"))
            edits_replace(l, EDIT_FUNCTION, 1.8, open - 1, open - 1, "%.*s", WORD(c, c->items[k].name));
    for (int first = open + 1, close = c->tokens[open].pair; first < close;) {
        int last = code_expression_end(c, first, close), symbol = code_symbol(c, first);
        if (last > first || (symbol >= 0 && c->symbols[symbol].kind == SYMBOL_INT))
            repair_sum(l, first, last, 2.3);
        if (last + 2 >= close) break;
        int next = last + 2, end = code_expression_end(c, next, close), third = end + 2;
        if (third < close && last == first && code_expression_end(c, third, close) == third) {
            struct edit *e = edits_begin(l, EDIT_ARGUMENTS, 1.7, first);
            edit_replace(l, e, first, first, "%.*s", WORD(c, third));
            edit_replace(l, e, third, third, "%.*s", WORD(c, first));
        }
        int next_symbol = code_symbol(c, next), dims = first == last && next == end && symbol >= 0 &&
            next_symbol >= 0 && is_dim(c, symbol, first) && is_dim(c, next_symbol, next);
        struct edit *e = edits_begin(l, EDIT_ARGUMENTS, dims ? 1.4 : 1.5, first);
        edit_replace(l, e, first, last, "%.*s", SPAN(c, next, end));
        edit_replace(l, e, next, end, "%.*s", SPAN(c, first, last));
        first = next;
    }
}

/* A bound that a dimension limits, too. */
static void least_of(struct edits *l, int first, int last, int dim)
{
    const struct code *c = l->code;
    int loop = is_loop_variable(c, first) ? c->symbols[code_symbol(c, first)].statement : -1;
    int bounds = loop >= 0 && last > first && code_same(c, c->statements[loop].cond[1], c->symbols[dim].name);
    struct edit *e = edits_begin(l, EDIT_TEST, bounds ? 1.4 : 2, first);
    edit_before(l, e, first, "min(");
    edit_after(l, e, last, ", %.*s)", WORD(c, c->symbols[dim].name));
}

/* What stands on one side of a comparison. */
static void compared(struct edits *l, int i)
{
    static const char *const ends[] = {"&&", "||", ";", "?", "=", "return", ",", ":", NULL};
    const struct code *c = l->code;
    int first = i, last = i + 1, end = 0;
    while (first > 0) {
        int before = first - 1;
        for (int k = 0; ends[k]; k++) end |= code_is(c, before, ends[k]);
        if (end || code_is(c, before, "(") || code_is(c, before, "{") || code_is(c, before, "}")) break;
        first = code_is(c, before, ")") || code_is(c, before, "]") ? c->tokens[before].pair : before;
    }
    for (end = 0; last<c->count; last = c->tokens[last].pair> last ? c->tokens[last].pair + 1 : last + 1) {
        for (int k = 0; ends[k]; k++) end |= code_is(c, last, ends[k]);
        if (end || code_is(c, last, ")")) break;
    }
    struct sum s;
    int in = code_statement(c, i); /* row + y < TILE of a for would only shorten the loop */
    if (first < i && (in < 0 || c->statements[in].kind != STATEMENT_FOR)) repair_sum(l, first, i - 1, 1.8);
    for (int k = 0; k < c->symbol_count && sum_read(c, i + 1, last - 1, &s); k++)
        if (is_dim(c, k, i) && !c->symbols[k].constant) least_of(l, i + 1, last - 1, k);
    if (first == i - 1 && code_is(c, i, "<") && strstr(c->text, "float4")) /* all four are inside */
        edit_after(l, edits_begin(l, EDIT_TERM_MISSING, 1.6, first), first, " + 3");
    if (last == i + 2 && c->tokens[i + 1].kind == TOKEN_NAME)
        edits_replace(l, EDIT_NUMBER, 1.9, i + 1, i + 1, "2 * %.*s", WORD(c, i + 1));
    repair_sum(l, i + 1, last - 1, 2);
}

static void span(struct edits *l, int first, int last)
{
    const struct code *c = l->code;
    for (int i = first; i < last; i++) {
        if (code_is(c, i, "/")) division(l, i);
        int compares = code_is(c, i, "<") || code_is(c, i, "<=") || code_is(c, i, ">=") || code_is(c, i, ">");
        if (compares && !code_is_angle(c, i)) compared(l, i);
        if (code_is(c, i, "(") || code_is(c, i, "[")) brackets(l, i);
        if (code_is(c, i, "[")) four_floats(l, i), fours(l, i);
        if (code_is(c, i, "[") && !is_declared(c, i)) repair_sum(l, i + 1, c->tokens[i].pair - 1, 2.3);
        factors(l, i);
        if (code_call(c, i) >= 0) arguments(l, code_call(c, i));
        if (code_is(c, i + 1, "(") && code_named(c, ITEM_MACRO, i) >= 0) arguments(l, i + 1);
    }
}

void repair_index(struct edits *l)
{
    const struct code *c = l->code;
    for (int k = 0; k < c->item_count; k++) {
        const struct item *x = &c->items[k];
        if (!x->used) continue;
        span(l, x->body + (x->kind == ITEM_FUNCTION), x->last);
        int within = x->kind == ITEM_MACRO && c->tokens[x->body].pair == x->last; /* ((r) * n + (c)) */
        if (x->kind == ITEM_MACRO) repair_sum(l, x->body + within, x->last - within, 2.3);
    }
    for (int i = 0; i < c->symbol_count; i++)
        for (int k = 0; k < c->symbol_count && c->symbols[i].kind == SYMBOL_INT && c->symbols[i].init[0] >= 0;
             k++)
            if (is_dim(c, k, c->symbols[i].init[0]) && !c->symbols[k].constant)
                least_of(l, c->symbols[i].init[0], c->symbols[i].init[1], k);
    for (int i = 0; i < c->symbol_count; i++) {
        const struct symbol *s = &c->symbols[i], *next = s + 1;
        if (s->kind != SYMBOL_INT || s->init[0] < 0 || s->statement < 0) continue;
        repair_sum(l, s->init[0], s->init[1], 2.5);
        if (i + 1 == c->symbol_count || next->kind != SYMBOL_INT || next->init[0] < 0 || next->to != s->to)
            continue;
        repair_moved_terms(l, s->init, next->init, 1.7);
        repair_moved_terms(l, next->init, s->init, 1.7);
    }
}
