/* repair_index.c - edits of subscripts, factors and arguments, and of what sums stand in
 * (repair_sums.c).
 *
 *     tile[x][y]             tile[y][x]
 *     i                      i * TILE, 4 * i, ...
 *     n / TILE               (n + TILE - 1) / TILE
 *     f(a, b)                f(b, a) */
#include "explain/repair.h"

#include <stdlib.h>
#include <string.h>

/* n / TILE: rounded up. The operands are a name, a number or what is in brackets. */
static void division(struct edits *l, int i)
{
    const struct code *c = l->code;
    int first = i - 1, last = i + 1;
    if (code_is(c, first, ")")) first = c->tokens[first].pair;
    if (code_is(c, first - 1, ".")) first -= 2;
    if (code_is(c, last, "(")) last = c->tokens[last].pair;
    if (code_is(c, last + 1, ".")) last += 2;
    edits_replace(l, EDIT_ROUND_UP, l->of->partly ? 1.2 : 1.5, first, last,
        "((%.*s + %.*s - 1) / %.*s)", SPAN(c, first, i - 1), SPAN(c, i + 1, last),
        SPAN(c, i + 1, last));
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
    if (code_is(c, i, "*") && code_ends_operand(c, i - 1) && c->tokens[i + 1].kind != TOKEN_MARK) {
        int one = c->tokens[i + 1].kind == TOKEN_NAME && code_is(c, i + 2, ".") ? i + 3 : i + 1;
        if (code_symbol(c, i - 1) >= 0 || c->tokens[i - 1].kind == TOKEN_NUMBER ||
            code_is(c, i - 1, ")"))
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
    int loop = s >= 0 && code_loop_variable(c, i); /* it counts tiles */
    const int *step = loop ? c->statements[c->symbols[s].statement].step : NULL;
    if (step && step[1] == step[0] + 2 && c->tokens[step[1]].kind == TOKEN_NAME) /* t += TILE */
        edits_replace(l, EDIT_TERM_MISSING, 1.7, i, i, "%.*s + %.*s", WORD(c, i), WORD(c, step[1]));
    for (size_t k = 0; k < a.count; k++)
        if (a.text[k][0] >= 'A' && a.text[k][0] <= 'Z' && !code_is(c, i, a.text[k]))
            edits_replace(l, EDIT_TERM_MISSING,
                is_scaled(c, i, a.text[k]) ? 1.5
                : loop                     ? 1.8
                                           : 2.2,
                i, i, "%.*s * %s", WORD(c, i), a.text[k]);
    for (int k = 0; k < 2; k++)
        edits_replace(l, EDIT_TERM_MISSING, 2.5, i, i, "%.*s * blockDim.%c", WORD(c, i), "xy"[k]);
    if (define && code_is(c, i - 1, "[") && is_declared(c, i - 1))
        edits_replace(l, EDIT_NUMBER, 2.1, i, i, "2 * %.*s", WORD(c, i));
    atoms_free(&a);
}

/* a & b == c: (a & b) == c. i: the operator that binds less than the comparison. */
static void compared_first(struct edits *l, int i)
{
    const struct code *c = l->code;
    int bits = code_is(c, i, "&") || code_is(c, i, "|") || code_is(c, i, "^");
    int compares = code_is(c, i + 2, "==") || code_is(c, i + 2, "!=");
    if (!bits || !compares || !code_ends_operand(c, i - 1)) return;
    int first = code_is(c, i - 1, ")") ? c->tokens[i - 1].pair : i - 1;
    edits_replace(l, EDIT_BRACKETS, 1.2, first, i + 1, "(%.*s)", SPAN(c, first, i + 1));
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
/* The two subscripts of an array change places wherever a statement names it. i: the first [ of a
 * use. */
static void all_subscripts(struct edits *l, int i)
{
    const struct code *c = l->code;
    int in = code_statement(c, i), uses = 0;
    if (in < 0 || code_symbol(c, i - 1) < 0) return;
    struct edit *e = edits_begin(l, EDIT_SUBSCRIPTS, 0.9, i - 1);
    for (int k = c->statements[in].first; k <= c->statements[in].last; k++) {
        int second = code_is(c, k, "[") && code_same(c, k - 1, i - 1) ? c->tokens[k].pair + 1 : -1;
        if (second < 0 || !code_is(c, second, "[")) continue;
        if (k < i) uses = -SPLICES; /* it began there */
        edit_replace(
            l, e, k + 1, second - 2, "%.*s", SPAN(c, second + 1, c->tokens[second].pair - 1));
        edit_replace(
            l, e, second + 1, c->tokens[second].pair - 1, "%.*s", SPAN(c, k + 1, second - 2));
        uses++;
    }
    if (uses < 2) edit_drop(e);
}

static void brackets(struct edits *l, int i)
{
    const struct code *c = l->code;
    int close = c->tokens[i].pair;
    if (code_is(c, i, "[") && code_is(c, close + 1, "[")) {
        int second = close + 1, end = c->tokens[second].pair;
        struct edit *e = edits_begin(l, EDIT_SUBSCRIPTS, is_stored(c, i) ? 1.1 : 1, i - 1);
        edit_replace(l, e, i + 1, close - 1, "%.*s", SPAN(c, second + 1, end - 1));
        edit_replace(l, e, second + 1, end - 1, "%.*s", SPAN(c, i + 1, close - 1));
        all_subscripts(l, i);
        const int one[2] = {i + 1, close - 1}, two[2] = {second + 1, end - 1};
        repair_moved_terms(l, one, two, 1.5);
        repair_moved_terms(l, two, one, 1.5);
    }
    if (code_is(c, i, "(")) repair_distributed(l, i);
    if (code_is(c, i, "(") && c->tokens[i - 1].kind == TOKEN_MARK && close > i + 1) {
        struct edit *e = edits_begin(l, EDIT_BRACKETS, 2.5, i);
        edit_replace(l, e, i, i, "%s", "");
        edit_replace(l, e, close, close, "%s", "");
    }
}

/* f(a, b): f(b, a), for functions of the file; and each as a sum. open: ( of the call. */
static void arguments(struct edits *l, int open)
{
    const struct code *c = l->code;
    for (int k = 0; k < c->item_count && code_call(c, open - 1) >= 0; k++) /* odd for even */
        if (c->items[k].kind == ITEM_FUNCTION && c->items[k].used && k != code_function(c, open) &&
            !code_same(c, c->items[k].name, open - 1) &&
            !code_is(c, c->items[k].first, "__global__"))
            edits_replace(
                l, EDIT_FUNCTION, 1.8, open - 1, open - 1, "%.*s", WORD(c, c->items[k].name));
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
        const int one[2] = {first, last}, two[2] = {next, end};
        repair_moved_terms(l, one, two, 1.5);
        repair_moved_terms(l, two, one, 1.5);
        int next_symbol = code_symbol(c, next),
            dims = first == last && next == end && symbol >= 0 && next_symbol >= 0 &&
                   code_dim(c, symbol, first) && code_dim(c, next_symbol, next);
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
    int loop = code_loop_variable(c, first) ? c->symbols[code_symbol(c, first)].statement : -1;
    int bounds = loop >= 0 && last > first &&
                 code_same(c, c->statements[loop].cond[1], c->symbols[dim].name);
    struct edit *e = edits_begin(l, EDIT_TEST, bounds ? 1.4 : 2, first);
    edit_before(l, e, first, "min(");
    edit_after(l, e, last, ", %.*s)", WORD(c, c->symbols[dim].name));
}

/* The first token of the body of the function or macro around a token. */
static int body_of(const struct code *c, int i)
{
    for (int k = 0; k < c->item_count; k++) {
        const struct item *x = &c->items[k];
        if (i >= x->first && i <= x->last) return x->body >= 0 ? x->body : x->first;
    }
    return 0;
}

/* What stands on one side of a comparison. */
static void compared(struct edits *l, int i)
{
    static const char *const ends[] = {"&&", "||", ";", "?", "=", "return", ",", ":", NULL};
    const struct code *c = l->code;
    int first = i, last = i + 1, end = 0, body = body_of(c, i);
    while (first > body) {
        int before = first - 1;
        for (int k = 0; ends[k]; k++) end |= code_is(c, before, ends[k]);
        if (end || code_is(c, before, "(") || code_is(c, before, "{") || code_is(c, before, "}"))
            break;
        first =
            code_is(c, before, ")") || code_is(c, before, "]") ? c->tokens[before].pair : before;
    }
    for (end = 0;
         last<c->count; last = c->tokens[last].pair> last ? c->tokens[last].pair + 1 : last + 1) {
        for (int k = 0; ends[k]; k++) end |= code_is(c, last, ends[k]);
        if (end || code_is(c, last, ")")) break;
    }
    int in = code_statement(c, i); /* row + y < TILE of a for would only shorten the loop */
    if (first < i && (in < 0 || c->statements[in].kind != STATEMENT_FOR))
        repair_sum(l, first, i - 1, 1.8);
    for (int k = 0; k < c->symbol_count && repair_is_sum(c, i + 1, last - 1); k++)
        if (code_dim(c, k, i) && !c->symbols[k].constant) least_of(l, i + 1, last - 1, k);
    if (first == i - 1 && code_is(c, i, "<") && strstr(c->text, "float4")) /* all four are inside */
        edit_after(l, edits_begin(l, EDIT_TERM_MISSING, 1.6, first), first, " + 3");
    if (last == i + 2 && c->tokens[i + 1].kind == TOKEN_NAME)
        edits_replace(l, EDIT_NUMBER, 1.9, i + 1, i + 1, "2 * %.*s", WORD(c, i + 1));
    repair_sum(l, i + 1, last - 1, 2);
}

/* A call of a function of lockstep.h or CUDA: tma_store_2d(&map, row, col, from). */
static int is_header_call(const struct code *c, int i)
{
    static const char *const others[] = {
        "if", "for", "while", "return", "sizeof", "min", "max", "switch", NULL};
    if (c->tokens[i].kind != TOKEN_NAME || !code_is(c, i + 1, "(") ||
        code_named(c, ITEM_MACRO, i) >= 0 || code_named(c, ITEM_FUNCTION, i) >= 0)
        return 0;
    for (int k = 0; others[k]; k++)
        if (code_is(c, i, others[k])) return 0;
    return 1;
}

static void span(struct edits *l, int first, int last)
{
    const struct code *c = l->code;
    for (int i = first; i < last; i++) {
        if (code_is(c, i, "/")) division(l, i);
        compared_first(l, i);
        int compares =
            code_is(c, i, "<") || code_is(c, i, "<=") || code_is(c, i, ">=") || code_is(c, i, ">");
        if (compares && !code_is_angle(c, i)) compared(l, i);
        if (code_is(c, i, "(") || code_is(c, i, "[")) brackets(l, i);
        if (code_is(c, i, "[")) four_floats(l, i), fours(l, i);
        if (code_is(c, i, "[") && !is_declared(c, i))
            repair_sum(l, i + 1, c->tokens[i].pair - 1, 2.3);
        factors(l, i);
        if (code_call(c, i) >= 0)
            arguments(l, code_call(c, i));
        else if (is_header_call(c, i))
            arguments(l, i + 1);
        if (code_is(c, i + 1, "(") && code_named(c, ITEM_MACRO, i) >= 0) arguments(l, i + 1);
    }
}

/* A first value made of threadIdx.x and blockIdx.x: the number of the thread in the grid. */
static void numbered(struct edits *l, int first, int last)
{
    const struct code *c = l->code;
    int thread = -1, block = -1;
    for (int i = first; i + 2 <= last; i++) {
        if (code_is(c, i, "threadIdx")) thread = thread < 0 ? i : last;
        if (code_is(c, i, "blockIdx")) block = block < 0 ? i : last;
    }
    if (thread < 0 || block < 0 || !code_same(c, thread + 2, block + 2)) return;
    char x = c->text[start_of(c, thread + 2)];
    edits_replace(l, EDIT_INDEX, l->of->now ? 1.2 : 1.7, first, last,
        "blockIdx.%c * blockDim.%c + threadIdx.%c", x, x, x);
}

void repair_index(struct edits *l)
{
    const struct code *c = l->code;
    for (int k = 0; k < c->item_count; k++) {
        const struct item *x = &c->items[k];
        if (!x->used) continue;
        span(l, x->body + (x->kind == ITEM_FUNCTION), x->last);
        /* ((r) * n + (c)) */
        int within = x->kind == ITEM_MACRO && c->tokens[x->body].pair == x->last;
        if (x->kind == ITEM_MACRO) repair_sum(l, x->body + within, x->last - within, 2.3);
    }
    for (int i = 0; i < c->symbol_count; i++)
        for (int k = 0;
             k < c->symbol_count && c->symbols[i].kind == SYMBOL_INT && c->symbols[i].init[0] >= 0;
             k++)
            if (code_dim(c, k, c->symbols[i].init[0]) && !c->symbols[k].constant)
                least_of(l, c->symbols[i].init[0], c->symbols[i].init[1], k);
    for (int i = 0; i < c->symbol_count; i++) {
        const struct symbol *s = &c->symbols[i], *next = s + 1;
        if (s->kind != SYMBOL_INT || s->init[0] < 0 || s->statement < 0) continue;
        repair_sum(l, s->init[0], s->init[1], 2.5);
        numbered(l, s->init[0], s->init[1]);
        if (i + 1 == c->symbol_count || next->kind != SYMBOL_INT || next->init[0] < 0 ||
            next->to != s->to)
            continue;
        repair_moved_terms(l, s->init, next->init, 1.7);
        repair_moved_terms(l, next->init, s->init, 1.7);
    }
}
