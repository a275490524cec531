/* index_trace.c - how the faulting thread computed its index, in its own numbers.
 *
 *     "copy.cu:12: block (0,3) thread (0,13) reads in[4437]; ..."   the fault, from the simulator
 *     int row = blockIdx.y * blockDim.y + threadIdx.y;              the names in the index, as defined
 *     ... in[row * cols + col]                                      the index in line 12
 *          └──> row = 3 * 16 + 13 = 61, col = 0; rows = 61: row is not below rows, and no line tests it
 *
 * Nothing is reported unless the index computed from the source is that of the fault. One
 * variable that no declaration sets, such as a loop's, is solved for. */
#include "explain/index_trace.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DEEP = 40 };
static const long long MOST = 1ll << 40;

/* The thread at fault, and the expression that is being evaluated. */
struct story {
    const struct code *c;
    const struct problem *p;
    const int *dims;
    const unsigned *block;
    const struct finding *found;
    /* a token with the one name that has no value, which is solved for, and the value that is tried
     * for it; -1: none */
    int unknown;
    long long guess;
    int at, last; /* the next token of the expression, and its last one */
    /* bad: the expression is not understood; deep: nesting level of its parentheses and names */
    int bad, deep;
    struct buf *said; /* receives the expression with names replaced by values; NULL: not wanted */
};

/* ---- expressions of + - * / % ( ), names and numbers ---- */

static long long sum_of(struct story *s);

/* Evaluate tokens first to last. Returns 0, or -1 if the expression is not understood. */
static int evaluate(struct story *s, int first, int last, long long *v, struct buf *said)
{
    struct story inner = *s;
    inner.at = first, inner.last = last, inner.said = said;
    *v = sum_of(&inner);
    s->unknown = inner.unknown;
    return inner.bad || inner.at != last + 1 ? -1 : 0;
}

/* The value of threadIdx.x or the like at the next token. Returns 0 if there is no such word. */
static int builtin_of(struct story *s, long long *v)
{
    const unsigned three[3] = {s->block[0], s->block[1], 1};
    const unsigned *of = code_is(s->c, s->at, "threadIdx")  ? s->found->thread
                         : code_is(s->c, s->at, "blockIdx") ? s->found->block
                         : code_is(s->c, s->at, "blockDim") ? three
                                                            : NULL;
    for (int axis = 0; of && axis < 3; axis++)
        if (code_is(s->c, s->at + 1, ".") &&
            code_is(s->c, s->at + 2, (const char *[]){"x", "y", "z"}[axis])) {
            *v = of[axis];
            return 1;
        }
    return 0;
}

/* The tokens that define the value of the name at a token: a variable's initializer or the
 * replacement of a #define. Returns 0 if there are none, as for a loop's variable, or if the value
 * may not fit the variable's type. */
static int definition_of(const struct code *c, int token, int tokens[2])
{
    int symbol = code_symbol(c, token), define = code_named(c, ITEM_DEFINE, token);
    const struct symbol *x = symbol < 0 ? NULL : &c->symbols[symbol];
    if (!x && define < 0) return 0;
    const char *type;
    if (x && (x->kind != SYMBOL_INT || x->init[0] < 0 || code_loop_variable(c, token) ||
                 narrow_most(c, x, &type)))
        return 0;
    tokens[0] = x ? x->init[0] : c->items[define].name + 1;
    tokens[1] = x ? x->init[1] : c->items[define].last;
    return 1;
}

/* The dimension of the problem with the name at a token; -1: none. */
static int dim_of(const struct story *s, int token)
{
    for (int d = 0; s->p->dim_names[d]; d++)
        if (code_is(s->c, token, s->p->dim_names[d])) return d;
    return -1;
}

/* The value of the name at a token, from what the file says of it. Returns 0 if that gives none. */
static int known(const struct story *s, int token, long long *v, struct buf *said)
{
    struct story inner = *s;
    int defined[2], dim = dim_of(s, token);
    if (dim >= 0) *v = s->dims[dim];
    if (dim >= 0) return 1;
    inner.unknown = -1, inner.deep++;
    return s->deep < DEEP && definition_of(s->c, token, defined) &&
           !evaluate(&inner, defined[0], defined[1], v, said) && inner.unknown < 0;
}

static long long name_of(struct story *s)
{
    long long v;
    if (builtin_of(s, &v)) {
        s->at += 2;
    } else if (!known(s, s->at, &v, NULL)) {
        if (s->unknown >= 0 && !code_same(s->c, s->unknown, s->at)) s->bad = 1;
        s->unknown = s->at, v = s->guess;
    }
    s->at++;
    if (s->said) buf_printf(s->said, "%lld", v);
    return v;
}

static void say(struct story *s, const char *before, const char *after)
{
    if (s->said) buf_printf(s->said, "%s%.*s%s", before, WORD(s->c, s->at), after);
}

static long long factor_of(struct story *s)
{
    if (s->at > s->last || s->deep > DEEP) s->bad = 1;
    if (s->bad) return 0;
    enum token_kind kind = s->c->tokens[s->at].kind;
    if (kind == TOKEN_NAME) return name_of(s);
    if (code_is(s->c, s->at, "(")) {
        say(s, "", "");
        s->at++, s->deep++;
        long long v = sum_of(s);
        s->bad |= !code_is(s->c, s->at, ")");
        say(s, "", "");
        s->at++, s->deep--;
        return v;
    }
    long long v = kind == TOKEN_NUMBER ? strtoll(s->c->text + start_of(s->c, s->at), NULL, 0) : 0;
    s->bad |= kind != TOKEN_NUMBER || v > MOST;
    if (s->said) buf_printf(s->said, "%lld", v);
    s->at++;
    return v;
}

/* Is one of two operators next? If so, it is said, and *first tells whether it is the first. */
static int is_next(struct story *s, const char *one, const char *other, int *first)
{
    *first = code_is(s->c, s->at, one);
    if (s->bad || s->at > s->last || !(*first || code_is(s->c, s->at, other))) return 0;
    say(s, " ", " ");
    s->at++;
    return 1;
}

static long long product_of(struct story *s)
{
    long long v = factor_of(s), with;
    for (int first;;) {
        if (is_next(s, "*", "*", &first)) {
            s->bad |= __builtin_mul_overflow(v, factor_of(s), &v);
        } else if (is_next(s, "/", "%", &first)) {
            with = factor_of(s);
            s->bad |= !with || (with == -1 && v == LLONG_MIN);
            if (!s->bad) v = first ? v / with : v % with;
        } else {
            return v;
        }
    }
}

static long long sum_of(struct story *s)
{
    long long v = product_of(s);
    for (int plus; is_next(s, "+", "-", &plus);) {
        long long with = product_of(s);
        s->bad |= plus ? __builtin_add_overflow(v, with, &v) : __builtin_sub_overflow(v, with, &v);
    }
    return v;
}

/* ---- the subscript of the fault ---- */

/* Does the subscript in tokens first to last give the index of the fault, for some value of its
 * only unknown name, which becomes s->guess? Returns the absolute value of the unknown name, or 0
 * if no name is unknown; -1: no value fits. */
static long long fits(struct story *s, int first, int last)
{
    long long v, one, rest, slope, index = s->found->index;
    s->unknown = -1, s->guess = 0;
    if (evaluate(s, first, last, &v, NULL)) return -1;
    if (s->unknown >= 0) {
        s->guess = 1;
        if (evaluate(s, first, last, &one, NULL) || __builtin_sub_overflow(index, v, &rest) ||
            __builtin_sub_overflow(one, v, &slope) || !slope || rest == LLONG_MIN || rest % slope)
            return -1;
        s->guess = rest / slope;
        if (evaluate(s, first, last, &v, NULL)) return -1;
    }
    return v != index ? -1 : llabs(s->guess);
}

/* The [ of a subscript of the array in the line of the fault that gives its index; -1: none. If
 * several do, the one that needs the smallest value for an unknown name is taken. `any`: the first
 * subscript of the array in that line. */
static int find_index(struct story *s, int any)
{
    const struct code *c = s->c;
    int best = -1;
    long long least = -1;
    for (int i = 0; i + 1 < c->count; i++) {
        if (c->tokens[i].line != s->found->line || !code_is(c, i, s->found->name) ||
            !code_is(c, i + 1, "["))
            continue;
        if (any) return i + 1;
        long long far = fits(s, i + 2, c->tokens[i + 1].pair - 1);
        if (far >= 0 && (best < 0 || far < least)) best = i + 1, least = far;
    }
    if (best >= 0) fits(s, best + 1, c->tokens[best].pair - 1);
    return best;
}

/* The first token in the subscript whose [ is at `open` that has the name declared at token
 * `declared`; -1: none, or the name is that of a dimension. */
static int use_of(const struct story *s, int open, int declared)
{
    const struct code *c = s->c;
    for (int i = open + 1; i < c->tokens[open].pair && dim_of(s, declared) < 0; i++) {
        int symbol = code_symbol(c, i), define = code_named(c, ITEM_DEFINE, i);
        int named = symbol >= 0   ? c->symbols[symbol].name
                    : define >= 0 ? c->items[define].name
                                  : -1;
        if (named == declared && !code_is(c, i - 1, ".")) return i;
    }
    return -1;
}

/* ---- what is said ---- */

/* Does the file compare tokens first to last with the name `dim` by this operator? turned: `dim`
 * stands on the left. */
static int is_compared(
    const struct code *c, int first, int last, const char *sign, const char *dim, int turned)
{
    int len = last - first + 1;
    for (int i = 0; i + len + 1 < c->count; i++) {
        int from = turned ? i + 2 : i, n = 0;
        while (n < len && code_same(c, from + n, first + n)) n++;
        if (n == len && code_is(c, turned ? i : i + len + 1, dim) &&
            code_is(c, turned ? i + 1 : i + len, sign))
            return 1;
    }
    return 0;
}

/* Append that tokens first to last are not below a dimension, and whether the source tests that. */
static void tell_reached(const struct story *s, int first, int last, int dim, struct buf *why)
{
    const struct code *c = s->c;
    const char *name = s->p->dim_names[dim];
    buf_printf(
        why, ", and %s = %d: %.*s is not below %s", name, s->dims[dim], SPAN(c, first, last), name);
    if (!is_compared(c, first, last, "<", name, 0) && !is_compared(c, first, last, ">=", name, 0) &&
        !is_compared(c, first, last, ">", name, 1) && !is_compared(c, first, last, "<=", name, 1))
        buf_printf(why, ", and no line tests that");
}

/* A variable in the subscript that equals or exceeds a dimension. */
struct reached {
    int token, dim;
};

/* The operator by which the source lets the name at a token reach a dimension: <=, or > as in
 * if (i > n) return;. NULL: neither. */
static const char *lets_pass(const struct story *s, int token, int dim)
{
    const char *name = s->p->dim_names[dim];
    return is_compared(s->c, token, token, "<=", name, 0)  ? "<="
           : is_compared(s->c, token, token, ">", name, 0) ? ">"
                                                           : NULL;
}

/* Append the values of the names in the subscript, as in "; there row = 3 * 16 + 13 = 61", in the
 * order of their declarations. Returns how many that is. *equal: a dimension that a variable equals,
 * since the source lets it. *past: the dimension that a variable reaches, the one with a similar
 * name, as rows for row, or else the only one. dim -1: none. */
static int tell_values(
    struct story *s, int open, struct reached *equal, struct reached *past, struct buf *why)
{
    const struct code *c = s->c;
    int told = 0, pairs = 0, similar = 0;
    *equal = *past = (struct reached){-1, -1};
    for (int i = 0; i <= c->count; i++) {
        struct buf said = {0};
        /* the name that was solved for comes last */
        int last = i == c->count, use = last ? s->unknown : use_of(s, open, i);
        long long v = s->guess;
        if (use < 0 || (!last && !known(s, use, &v, &said))) {
            buf_free(&said);
            continue;
        }
        buf_printf(why, "%s%.*s = ", told++ ? ", " : "; there ", WORD(c, use));
        if (said.len && strspn(said.data, "0123456789") != said.len && code_symbol(c, use) >= 0)
            buf_printf(why, "%s = ", said.data);
        buf_printf(why, "%lld", v);
        for (int d = 0; s->p->dim_names[d]; d++) {
            if (v == s->dims[d] && equal->dim < 0 && lets_pass(s, use, d))
                *equal = (struct reached){use, d};
            if (last || !said.len || v < s->dims[d] || similar) continue;
            size_t n = c->tokens[use].len;
            similar = !strncmp(s->p->dim_names[d], c->text + start_of(c, use), n);
            *past = (struct reached){use, d}, pairs++;
        }
        buf_free(&said);
    }
    if (pairs != 1 && !similar) past->dim = -1;
    return told;
}

/* ---- rows and columns of a matrix ---- */

/* For each matrix of a problem: the names of the dimensions that are its number of rows and the
 * length of a row. */
static const struct matrix {
    const char *problem, *buffer, *rows, *length;
} matrices[] = {
    {"copy", "in", "rows", "cols"},
    {"copy", "out", "rows", "cols"},
    {"transpose", "in", "rows", "cols"},
    {"transpose", "out", "cols", "rows"},
    {"matmul", "a", "m", "k"},
    {"matmul", "b", "k", "n"},
    {"matmul", "c", "m", "n"},
    {"aat", "a", "m", "w"},
    {"aat", "c", "m", "m"},
};

/* The dimension with this name. */
static int dim_named(const struct problem *p, const char *name)
{
    int d = 0;
    while (p->dim_names[d] && strcmp(p->dim_names[d], name)) d++;
    return d;
}

/* The tokens of a subscript row * length + column: rows has those of row, columns those of column,
 * and dims the dimensions that limit them. */
struct place {
    int row[2], column[2], dims[2];
};

/* Read the subscript of a known matrix whose [ is at `open`, such as [(col + j) * rows + row]. Its
 * product stands first or last; one factor is the length of a row. Returns 0 if it is none. */
static int read_place(const struct story *s, int open, struct place *out)
{
    const struct code *c = s->c;
    const struct matrix *m = NULL;
    int last = c->tokens[open].pair - 1, star = -1, from = open + 1, to = last;
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        if (!strcmp(problem_kind(s->p), matrices[i].problem) &&
            code_is(c, open - 1, matrices[i].buffer))
            m = &matrices[i];
    for (int i = open + 1; i <= last; i++) {
        if (code_is(c, i, "*") && star >= 0) return 0;
        if (code_is(c, i, "*")) star = i;
        if (c->tokens[i].kind == TOKEN_MARK && strchr("-?/%<>&|,", c->text[start_of(c, i)]))
            return 0;
        if (c->tokens[i].pair > i) i = c->tokens[i].pair;
    }
    if (!m || star < 0) return 0;
    int plus = star; /* the + after the product or, if there is none, before it */
    while (plus <= last && !code_is(c, plus, "+"))
        plus = c->tokens[plus].pair > plus ? c->tokens[plus].pair + 1 : plus + 1;
    if (plus <= last) {
        to = plus - 1;
        out->column[0] = plus + 1, out->column[1] = last;
    } else {
        for (plus = star; plus > open && !code_is(c, plus, "+"); plus--)
            if (c->tokens[plus].pair >= 0) plus = c->tokens[plus].pair;
        if (plus == open) return 0;
        from = plus + 1;
        out->column[0] = open + 1, out->column[1] = plus - 1;
    }
    int right = star + 1 == to && code_is(c, to, m->length);
    if (!right && !(star - 1 == from && code_is(c, from, m->length))) return 0;
    out->row[0] = right ? from : star + 1, out->row[1] = right ? star - 1 : to;
    if (code_is(c, out->row[0], "(") && c->tokens[out->row[0]].pair == out->row[1])
        out->row[0]++, out->row[1]--;
    out->dims[0] = dim_named(s->p, m->rows), out->dims[1] = dim_named(s->p, m->length);
    return out->row[0] <= out->row[1];
}

/* Append that the row or the column of the subscript is not below its dimension, and whether the
 * source tests that. Returns whether text was appended. */
static int past_the_edge(struct story *s, int open, struct buf *why)
{
    struct place x;
    if (!read_place(s, open, &x)) return 0;
    for (int down = 1; down >= 0; down--) {
        const int *part = down ? x.column : x.row;
        long long v;
        if (evaluate(s, part[0], part[1], &v, NULL) || v < s->dims[x.dims[down]]) continue;
        tell_reached(s, part[0], part[1], x.dims[down], why);
        return 1;
    }
    return 0;
}

/* Append the values of the variables, and which dimension one of them has reached. */
static void tell(struct story *s, int open, struct buf *why)
{
    struct reached equal, past;
    const struct problem *p = s->p;
    if (!tell_values(s, open, &equal, &past, why)) return;
    if (equal.dim >= 0) {
        const char *dim = p->dim_names[equal.dim], *sign = lets_pass(s, equal.token, equal.dim);
        buf_printf(why, ", and %s = %d: %.*s %s %s %s", dim, s->dims[equal.dim],
            WORD(s->c, equal.token), sign, dim, *sign == '<' ? "goes one too far" : "lets it pass");
        return;
    }
    if (past_the_edge(s, open, why)) return;
    if (!p->two_dimensional && past.dim >= 0)
        tell_reached(s, past.token, past.token, past.dim, why);
    else if (!p->dim_names[1]) /* the array is a vector: show the whole index beside the length */
        buf_printf(why, "; this index is %.*s, and n = %d",
            SPAN(s->c, open + 1, s->c->tokens[open].pair - 1), s->dims[0]);
    else
        for (int d = 0; p->dim_names[d]; d++)
            buf_printf(why, "%s%s = %d", d ? ", " : "; ", p->dim_names[d], s->dims[d]);
}

/* If the variables' values are not known: derive the row and the column from the index itself,
 * and append them. */
static void tell_place(struct story *s, int open, struct buf *why)
{
    struct place x;
    long long index = s->found->index;
    if (open < 0 || index < 0 || !read_place(s, open, &x)) return;
    int rows = s->dims[x.dims[0]], length = s->dims[x.dims[1]];
    if (!length || index / length < rows) return;
    buf_printf(why, "; there %.*s = %lld and %.*s = %lld", SPAN(s->c, x.row[0], x.row[1]),
        index / length, SPAN(s->c, x.column[0], x.column[1]), index % length);
    tell_reached(s, x.row[0], x.row[1], x.dims[0], why);
}

static int is_buffer(const struct problem *p, const char *name)
{
    for (int b = 0; p->buffers[b].name; b++)
        if (!strcmp(p->buffers[b].name, name)) return 1;
    return 0;
}

void index_trace_tell(const struct problem *p, const int *dims, const unsigned block[2],
    const char *kernel, const char *source, const struct finding *found, struct buf *why)
{
    struct code c = {0};
    struct story s = {.c = &c, .p = p, .dims = dims, .block = block, .found = found};
    struct reached equal, past;
    int race = found->kind == FOUND_RACE && is_buffer(p, found->name);
    if (found->thread_known && *found->name && (race || found->kind == FOUND_OUTSIDE) && source &&
        !code_read(&c, source, kernel)) {
        int open = find_index(&s, 0);
        if (open >= 0 && race)
            tell_values(&s, open, &equal, &past, why);
        else if (open >= 0)
            tell(&s, open, why);
        else if (!race)
            tell_place(&s, find_index(&s, 1), why);
    }
    code_free(&c);
}
