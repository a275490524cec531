/* repair_sums.c - edits of a sum, such as an index or a first value.
 *
 *     row * cols + col       col * rows + row, row * cols + col + t, (row + t) * cols + col, col, ...
 *     top + y + R * s        top + y * R + s
 *     (b + t) * 4            b * 4 + t
 *
 * A sum is cut into its terms at the + and - of its own level. */
#include "explain/repair.h"

#include <stdlib.h>
#include <string.h>

enum { TERMS = 12 };
/* The tokens of a sum, and the first and last of each term. */
struct sum {
    int first, last, count;
    int terms[TERMS][2];
};

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
        int sign =
            (code_is(c, i, "+") || code_is(c, i, "-")) && i > first && code_ends_operand(c, i - 1);
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

/* A dimension of the problem: of a row in global memory. */
static int is_length(const struct code *c, int token)
{
    int symbol = code_symbol(c, token);
    return symbol >= 0 && code_dim(c, symbol, token) && !c->symbols[symbol].constant;
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
            buf_printf(
                &rest, "%s%.*s", rest.len ? " + " : "", SPAN(c, s->terms[i][0], s->terms[i][1]));
    const char *form = s->count > 2 ? "(%s) * %.*s + %.*s" : "%s * %.*s + %.*s";
    /* where every result is right, what a thread takes is wrong, not where elements lie */
    int length = star + 1 == s->terms[at][1] && is_length(c, star + 1);
    /* and threadIdx.y * W + threadIdx.x numbers a block's threads as a warp has them */
    int numbers = code_is(c, s->terms[at][0], "threadIdx") && code_is(c, s->terms[at][0] + 2, "y");
    double right = l->of->now && (length || numbers) ? 0.9 : 0;
    int first = s->terms[at][0], last = s->terms[at][1];
    edits_replace(l, EDIT_INDEX, 1.3 + right, s->first, s->last, form, rest.data,
        SPAN(c, star + 1, last), SPAN(c, first, star - 1));
    for (int i = 0; i < c->symbol_count && !strchr("0123456789(", c->text[c->tokens[star + 1].at]);
         i++)
        if (code_dim(c, i, s->first) &&
            !(star + 1 == last && code_same(c, last, c->symbols[i].name)))
            edits_replace(l, EDIT_INDEX, 1.4 + right, s->first, s->last, form, rest.data,
                WORD(c, c->symbols[i].name), SPAN(c, first, star - 1));
    for (int i = 0; i < c->item_count; i++) /* H: W */
        if (c->items[i].kind == ITEM_DEFINE && code_named(c, ITEM_DEFINE, star + 1) >= 0 &&
            !code_same(c, c->items[i].name, star + 1))
            edits_replace(l, EDIT_INDEX, 1.4 + right, s->first, s->last, form, rest.data,
                WORD(c, c->items[i].name), SPAN(c, first, star - 1));
    /* L: also a factor that the statement has elsewhere */
    int in = code_statement(c, s->first);
    for (int i = in < 0 ? 0 : c->statements[in].first; in >= 0 && i + 2 <= c->statements[in].last;
         i++)
        if (c->tokens[i].kind == TOKEN_NUMBER && code_is(c, i + 1, "*") &&
            !code_same(c, i, star + 1))
            edits_replace(l, EDIT_INDEX, 1.5, s->first, s->last, form, rest.data, WORD(c, i),
                SPAN(c, first, star - 1));
    buf_free(&rest);
}

/* top + y + R * s, where top + y * R + s is meant, or y * 4: a factor that the statement has
 * elsewhere. at: the term R * s, with its factor and the rest of it as first and last token. */
static void other_factor(
    struct edits *l, const struct sum *s, int at, int factor, int end, int rest, int last)
{
    const struct code *c = l->code;
    int in = code_statement(c, s->first), from = in < 0 ? s->first : c->statements[in].first;
    for (int k = 0; k < s->count; k++) {
        int to = s->terms[k][0];
        if (k == at || to < s->terms[k][1] || code_symbol(c, to) < 0) continue;
        for (int i = from; i <= s->last || (in >= 0 && i < c->statements[in].last); i++) {
            int number =
                i == factor || (c->tokens[i].kind == TOKEN_NUMBER && code_is(c, i + 1, "*"));
            if (!number || (i != factor && code_same(c, i, factor))) continue;
            struct edit *e = edits_begin(l, EDIT_FACTOR, i == factor ? 1.5 : 1.6, s->terms[at][0]);
            edit_replace(l, e, s->terms[at][0], s->terms[at][1], "%.*s", SPAN(c, rest, last));
            edit_after(l, e, to, " * %.*s", SPAN(c, i, i == factor ? end : i));
        }
    }
}

static void other_factors(struct edits *l, const struct sum *s)
{
    for (int i = 0; i < s->count && s->count > 2; i++) {
        int first = s->terms[i][0], last = s->terms[i][1], star = product(l->code, s->terms[i]);
        if (star < 0) continue;
        other_factor(l, s, i, first, star - 1, star + 1, last);
        other_factor(l, s, i, star + 1, last, first, star - 1);
    }
}

/* block * F + thread, where (block + thread) * F is meant. */
static void whole_factor(struct edits *l, const struct sum *s)
{
    const struct code *c = l->code;
    int star = s->count == 2 ? product(c, s->terms[0]) : -1;
    if (star < 0 || product(c, s->terms[1]) >= 0 || !code_is(c, s->terms[0][1] + 1, "+")) return;
    edits_replace(l, EDIT_BRACKETS, 1.7, s->first, s->last, "(%.*s + %.*s) %.*s",
        SPAN(c, s->first, star - 1), SPAN(c, s->terms[1][0], s->last),
        SPAN(c, star, s->terms[0][1]));
}

/* Is a loop's variable of that name somewhere in the file? */
static int names_loop_variable(const struct code *c, const char *name)
{
    for (int i = 0; i < c->symbol_count; i++)
        if (code_is(c, c->symbols[i].name, name) && code_loop_variable(c, c->symbols[i].name))
            return 1;
    return 0;
}

/* A term more, for each integer that the sum does not have. */
static void missing_term(struct edits *l, const struct sum *s, double cost)
{
    const struct code *c = l->code;
    struct atoms a = repair_atoms(c, s->first);
    char *has = code_text(c, s->first, s->last);
    int bound = s->first > 0 && strchr("<>", c->text[c->tokens[s->first - 1].at]) != NULL;
    for (size_t i = 0; i < a.count; i++) {
        int known = code_is(c, s->first - 2, a.text[i]); /* col < right + col */
        for (int t = s->first; t <= s->last; t++) known |= code_is(c, t, a.text[i]);
        if (known) continue;
        double likely = names_loop_variable(c, a.text[i]) && !bound ? 1.7 : cost;
        edits_replace(l, EDIT_TERM_MISSING, likely, s->last, s->last, "%.*s + %s", WORD(c, s->last),
            a.text[i]);
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

/* blockIdx.x * blockDim.x: the number of a block's elements for each of its threads is missing. */
static void blocks_factor(struct edits *l, int first, int last)
{
    const struct code *c = l->code;
    const struct bound *b = l->of->bound;
    int of_block = -1, of_threads = 0; /* it counts threads, and not elements */
    for (int i = first; i < last && of_block < 0; i++)
        if (code_is(c, i, "blockIdx")) of_block = code_is(c, i + 2, "y");
    for (int i = first; i < last; i++) of_threads |= code_is(c, i, "blockDim");
    double cost = of_threads ? 1.4 : 1.8;
    if (of_block < 0) return;
    unsigned each = b->block[of_block] ? b->covers[of_block] / b->block[of_block] : 0;
    struct atoms a = repair_atoms(c, first);
    if (each > 1)
        edit_after(l, edits_begin(l, EDIT_TERM_MISSING, cost, first), last, " * %u", each);
    for (size_t k = 0; k < a.count; k++)
        if (a.text[k][0] >= 'A' && a.text[k][0] <= 'Z')
            edit_after(l, edits_begin(l, EDIT_TERM_MISSING, cost, first), last, " * %s", a.text[k]);
    atoms_free(&a);
}

/* A term less; brackets around two terms that a factor follows. */
static void fewer_terms(struct edits *l, const struct sum *s)
{
    const struct code *c = l->code;
    for (int i = 0; i < s->count; i++) {
        int single = s->count == 1; /* blockIdx.x * TILE: twice as much */
        if (product(c, s->terms[i]) >= 0) blocks_factor(l, s->terms[i][0], s->terms[i][1]);
        if (single && product(c, s->terms[0]) < 0) continue;
        int first = i ? s->terms[i][0] - 1 : s->terms[0][0];
        int last = i || single ? s->terms[i][1] : s->terms[1][0] - 1;
        if (!single && (i || code_is(c, last, "+") || c->tokens[first].kind == TOKEN_NUMBER))
            edits_replace(l, EDIT_TERM_EXTRA, 2.6, first, last, "%s", "");
        for (int k = 0; k < c->count && !code_is(c, s->terms[i][1], ")"); k++) {
            long v =
                c->tokens[k].kind == TOKEN_NUMBER ? strtol(c->text + c->tokens[k].at, NULL, 0) : 0;
            if (v < 2 || v > 64 || code_function(c, k) < 0) continue;
            int alone = s->terms[i][0] == s->terms[i][1] && code_loop_variable(c, s->terms[i][0]);
            struct edit *times =
                edits_begin(l, EDIT_TERM_MISSING, alone ? 1.6 : 1.9, s->terms[i][0]);
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

/* (block + thread) * 4: block * 4 + thread, or block + thread * 4. open: the bracket. */
void repair_distributed(struct edits *l, int open)
{
    const struct code *c = l->code;
    int close = c->tokens[open].pair, last = close + 2;
    struct sum s;
    if (code_is(c, open - 1, "*") && code_ends_operand(c, open - 2) && close == open + 4)
        edits_replace(l, EDIT_BRACKETS, 1.6, open, close, "%.*s", SPAN(c, open + 1, close - 1));
    if (!code_is(c, close + 1, "*") || !sum_read(c, open + 1, close - 1, &s) || s.count != 2)
        return;
    /* (RECORD + PAD) * x */
    if (s.terms[0][0] == s.terms[0][1] && s.terms[1][0] == s.terms[1][1]) return;
    if (code_is(c, last, "(")) last = c->tokens[last].pair;
    if (code_is(c, last + 1, ".")) last += 2;
    edits_replace(l, EDIT_BRACKETS, 1.5, open, last, "%.*s * %.*s + %.*s",
        SPAN(c, s.first, s.terms[0][1]), SPAN(c, close + 2, last), SPAN(c, s.terms[1][0], s.last));
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

int repair_is_sum(const struct code *c, int first, int last)
{
    struct sum s;
    return sum_read(c, first, last, &s);
}

void repair_sum(struct edits *l, int first, int last, double cost)
{
    struct sum s;
    if (last > first && code_is(l->code, first, "(") && l->code->tokens[first].pair == last)
        first++, last--;
    if (last < first || !sum_read(l->code, first, last, &s)) return;
    turned(l, &s);
    other_factors(l, &s);
    whole_factor(l, &s);
    for (int i = 0; i < s.count; i++) { /* (y + j) * n + x, or y * n + x + j */
        int star = product(l->code, s.terms[i]), open = s.terms[i][0];
        const int all[2] = {first, last}, inner[2] = {open + 1, star - 2};
        if (star < 0 || !code_is(l->code, open, "(") || l->code->tokens[open].pair != star - 1)
            continue;
        /* (12 + PAD) */
        if (code_symbol(l->code, open + 1) < 0 && !code_is(l->code, open + 2, ".")) continue;
        repair_moved_terms(l, all, inner, 1.6);
        repair_moved_terms(l, inner, all, 1.7);
        struct sum row;
        if (sum_read(l->code, inner[0], inner[1], &row))
            missing_term(l, &row, cost), fewer_terms(l, &row);
    }
    missing_term(l, &s, cost);
    fewer_terms(l, &s);
}
