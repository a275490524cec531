/* align.c - pair the expressions ("pieces") of two kernels by their common tokens ("words").
 *
 *     all pairs of one kind, most similar first ──> pairs ──> names that stand at the same places
 *               ^                                                  │
 *               └────────── again, now that these names are known to be equivalent */
#include "explain/align.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3 };
/* Weights for pairing two expressions. ALIKE: two expressions are paired only if at least this
 * share of their tokens is common to both. MAYBE: weight of two tokens that may have the same
 * meaning; equal tokens have weight 1. IN_ORDER: added to the share if both expressions stand at a
 * similar place in their files. NEIGHBOUR: added for each of the two neighbours of an expression
 * that is paired with a neighbour of the other. */
static const double ALIKE = 0.4, MAYBE = 0.5, IN_ORDER = 0.1, NEIGHBOUR = 0.15;

/* Do token i of one file and token k of the other have the same text? */
static int same_word(const struct code *c, int i, const struct code *o, int k)
{
    size_t len = c->tokens[i].len;
    return len == o->tokens[k].len &&
           !memcmp(c->text + start_of(c, i), o->text + start_of(o, k), len);
}

/* ---- pieces ---- */

static int add_words(struct side *s, int first, int last)
{
    int count = 0;
    for (int i = first; i <= last; i++, count++) {
        int axis = code_is(s->code, i + 1, ".") && i + 2 <= last && s->code->tokens[i + 2].len == 1;
        int dots = axis && (code_is(s->code, i, "threadIdx") || code_is(s->code, i, "blockIdx") ||
                               code_is(s->code, i, "blockDim") || code_is(s->code, i, "gridDim"));
        *VEC_PUSH(s->words, s->word_count, s->word_cap) =
            (struct word){i, dots ? i + 2 : i, code_symbol(s->code, i), NULL};
        i += 2 * dots;
    }
    return count;
}

static void add_piece(
    struct side *s, enum piece_kind kind, int first, int last, int statement, int symbol)
{
    int lambda = code_is(s->code, first, "[") && kind != PIECE_SIZE;
    if (first < 0 || last < first || lambda) return;
    int word = (int)s->word_count, words = add_words(s, first, last);
    *VEC_PUSH(s->pieces, s->piece_count, s->piece_cap) =
        (struct piece){kind, first, last, statement, symbol, -1, word, words};
}

/* Add the initializers and array sizes of a declaration as pieces; for statement -1, the values of
 * the file's constants. */
static void declared_pieces(struct side *s, int statement)
{
    const struct code *c = s->code;
    for (int k = 0; k < c->symbol_count; k++) {
        const struct symbol *x = &c->symbols[k];
        if (x->statement != statement || x->parameter) continue;
        int at = x->name + 1, open = at;
        while (x->dims && code_is(c, at, "[")) at = c->tokens[at].pair + 1;
        if (statement < 0)
            add_piece(s, PIECE_CONSTANT, x->init[0], x->init[1], -1, k);
        else
            add_piece(s, PIECE_VALUE, x->init[0], x->init[1], statement, k);
        if (statement >= 0) add_piece(s, PIECE_SIZE, open, at - 1, statement, k);
    }
}

static void find_subscripts(struct side *s)
{
    const struct code *c = s->code;
    for (int i = 0; i + 1 < c->count; i++) {
        int symbol = code_is(c, i + 1, "[") ? code_symbol(c, i) : -1;
        if (symbol >= 0 && c->symbols[symbol].kind == SYMBOL_POINTER &&
            c->symbols[symbol].name != i)
            add_piece(
                s, PIECE_SUBSCRIPT, i + 2, c->tokens[i + 1].pair - 1, code_statement(c, i), symbol);
    }
}

static void find_pieces(struct side *s, const struct code *c, const char *kernel)
{
    *s = (struct side){.code = c};
    declared_pieces(s, -1);
    for (int i = 0; i < c->item_count; i++) {
        const struct item *x = &c->items[i];
        if (x->kind == ITEM_DEFINE) add_piece(s, PIECE_CONSTANT, x->name + 1, x->last, -1, -1);
        if (x->kind == ITEM_LAUNCH && code_is(c, x->name, kernel))
            add_piece(s, PIECE_LAUNCH, x->name + 1, x->last, -1, -1);
    }
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *x = &c->statements[i];
        declared_pieces(s, i);
        if (x->kind == STATEMENT_EXPRESSION)
            add_piece(s, PIECE_STATEMENT, x->first, x->last - 1, i, -1);
        if (x->kind == STATEMENT_RETURN)
            add_piece(s, PIECE_RETURN, x->first + 1, x->last - 1, i, -1);
        add_piece(s, PIECE_CONDITION, x->cond[0], x->cond[1], i, -1);
        add_piece(s, PIECE_STEP, x->step[0], x->step[1], i, -1);
    }
    find_subscripts(s);
}

/* ---- what tokens mean ---- */

/* The value of a number, or of a constant whose value is one number, as text "#32"; NULL: the
 * token is neither. */
static const char *number_of(const struct code *c, int token, char text[32])
{
    int at = token, k = code_named(c, ITEM_DEFINE, token), s = code_symbol(c, token);
    if (k >= 0 && c->items[k].last == c->items[k].name + 1)
        at = c->items[k].last;
    else if (s >= 0 && c->symbols[s].constant && c->symbols[s].init[0] >= 0 &&
             c->symbols[s].init[0] == c->symbols[s].init[1])
        at = c->symbols[s].init[0];
    if (c->tokens[at].kind != TOKEN_NUMBER) return NULL;
    snprintf(text, 32, "#%g", strtod(c->text + start_of(c, at), NULL));
    return text;
}

/* The first token of a variable's initializer if that is exactly threadIdx.x, blockIdx.y or the
 * like. Else -1. */
static int axis_of(const struct code *c, int symbol)
{
    const struct symbol *s = &c->symbols[symbol];
    int first = s->init[0];
    int is = s->kind == SYMBOL_INT && first >= 0 && s->init[1] == first + 2 &&
             (code_is(c, first, "threadIdx") || code_is(c, first, "blockIdx"));
    return is ? first : -1;
}

static char *meaning(const struct align *a, const struct side *s, const struct word *w)
{
    const struct code *c = s->code;
    char number[32];
    int symbol = w->symbol, axis = symbol < 0 ? -1 : axis_of(c, symbol);
    if (number_of(c, w->first, number)) return xstrdup(number);
    if (axis >= 0) return code_text(c, axis, axis + 2);
    if (symbol < 0) return code_text(c, w->first, w->last);
    if (s == &a->own) return xasprintf("@%.*s", WORD(c, w->first));
    if (a->names[symbol] < 0) return xasprintf("?%.*s", WORD(c, w->first));
    axis = axis_of(a->own.code, a->names[symbol]);
    if (axis >= 0) return code_text(a->own.code, axis, axis + 2);
    return xasprintf("@%.*s", WORD(a->own.code, a->own.code->symbols[a->names[symbol]].name));
}

static void set_meanings(struct align *a, struct side *s)
{
    for (size_t i = 0; i < s->word_count; i++) {
        free(s->words[i].means);
        s->words[i].means = meaning(a, s, &s->words[i]);
    }
}

/* Is the token a name that has no equivalent in the learner's file yet? */
static int has_no_pair(const struct word *other)
{
    return other->symbol >= 0 && *other->means == '?';
}

/* The likeness of two tokens: 1 if they mean the same; MAYBE if the second is a name without an
 * equivalent yet, of the same kind as the first; else 0. */
static double alike(const struct align *a, const struct word *own, const struct word *other)
{
    if (!strcmp(own->means, other->means)) return 1;
    if (!has_no_pair(other) || own->symbol < 0 || *own->means != '@') return 0;
    const struct symbol *x = &a->own.code->symbols[own->symbol],
                        *y = &a->other.code->symbols[other->symbol];
    return x->kind == y->kind && x->dims == y->dims ? MAYBE : 0;
}

/* ---- tokens in common ---- */

/* Longest common subsequence of two expressions' tokens, weighted by alike(). Element i *
 * (other->words + 1) + k is the best weight of the tokens from i and from k on. The caller frees
 * it. */
static double *common_words(
    const struct align *a, const struct piece *own, const struct piece *other)
{
    int n = own->words, m = other->words;
    double *of = xcalloc((size_t)(n + 1) * (size_t)(m + 1), sizeof *of);
    for (int i = n - 1; i >= 0; i--)
        for (int k = m - 1; k >= 0; k--) {
            double both = alike(a, &a->own.words[own->word + i], &a->other.words[other->word + k]);
            double best = of[(i + 1) * (m + 1) + k], next = of[i * (m + 1) + k + 1];
            if (next > best) best = next;
            if (both > 0 && both + of[(i + 1) * (m + 1) + k + 1] >= best)
                best = both + of[(i + 1) * (m + 1) + k + 1];
            of[i * (m + 1) + k] = best;
        }
    return of;
}

/* Does the longest common subsequence in `of`, the table made by common_words, match token i of one
 * expression with token k of the other? */
static int on_the_way(const struct align *a, const struct piece *own, const struct piece *other,
    const double *of, int i, int k)
{
    int m = other->words;
    double both = i < own->words && k < m
                      ? alike(a, &a->own.words[own->word + i], &a->other.words[other->word + k])
                      : 0;
    return both > 0 && of[i * (m + 1) + k] == both + of[(i + 1) * (m + 1) + k + 1];
}

static double likeness(const struct align *a, const struct piece *own, const struct piece *other)
{
    double *of = common_words(a, own, other), share = 2 * of[0] / (own->words + other->words);
    free(of);
    int alike_enough = share >= ALIKE;
    double at = (double)(own - a->own.pieces) / (double)a->own.piece_count,
           there = (double)(other - a->other.pieces) / (double)a->other.piece_count,
           apart = at > there ? at - there : there - at;
    /* expressions with equal text, such as several __syncthreads(), are told apart by the pairs
     * of their neighbours */
    const int *pairs = a->before + (own - a->own.pieces);
    int k = (int)(other - a->other.pieces), first = own == a->own.pieces,
        last = own + 1 == a->own.pieces + a->own.piece_count;
    share += NEIGHBOUR * (!first && pairs[-1] >= 0 && pairs[-1] == k - 1);
    share += NEIGHBOUR * (!last && pairs[1] >= 0 && pairs[1] == k + 1);
    int same = own->symbol >= 0 && other->symbol >= 0 && a->names[other->symbol] == own->symbol;
    return alike_enough || same ? share + IN_ORDER * (1 - apart) + same : 0;
}

/* ---- pairs ---- */

struct score {
    double is;
    int own, other;
};

static int by_score(const void *x, const void *y)
{
    const struct score *a = x, *b = y;
    return a->is > b->is      ? -1
           : a->is < b->is    ? 1
           : a->own != b->own ? a->own - b->own
                              : a->other - b->other;
}

/* Is the statement an if whose body begins with return, continue or break? */
static int leaves(const struct code *c, int statement)
{
    const struct statement *s = &c->statements[statement];
    if (s->kind != STATEMENT_IF) return 0;
    int first = c->statements[s->body].first + (c->statements[s->body].kind == STATEMENT_BLOCK);
    return code_is(c, first, "return") || code_is(c, first, "continue") ||
           code_is(c, first, "break");
}

/* May two expressions be paired? They must be of the same kind. Values of constants are paired
 * only if the constants have the same name. */
static int may_pair(const struct align *a, const struct piece *x, const struct piece *y)
{
    if (x->kind != y->kind) return 0;
    if (x->kind == PIECE_CONDITION)
        return leaves(a->own.code, x->statement) == leaves(a->other.code, y->statement);
    if (x->kind == PIECE_SUBSCRIPT) return a->names[y->symbol] == x->symbol;
    if (x->kind != PIECE_CONSTANT) return 1;
    const struct code *c = a->own.code, *o = a->other.code;
    int own = x->symbol < 0 ? x->first - 1 : c->symbols[x->symbol].name,
        other = y->symbol < 0 ? y->first - 1 : o->symbols[y->symbol].name;
    return same_word(c, own, o, other);
}

static void pair_pieces(struct align *a)
{
    size_t count = 0, cap = 0;
    struct score *list = NULL;
    for (size_t i = 0; i < a->own.piece_count; i++) a->before[i] = a->own.pieces[i].pair;
    for (size_t k = 0; k < a->other.piece_count; k++) a->other.pieces[k].pair = -1;
    for (size_t i = 0; i < a->own.piece_count; i++)
        for (size_t k = 0; k < a->other.piece_count; k++) {
            const struct piece *x = &a->own.pieces[i], *y = &a->other.pieces[k];
            double is = !may_pair(a, x, y) ? 0 : x->kind == PIECE_CONSTANT ? 2 : likeness(a, x, y);
            if (is > 0) *VEC_PUSH(list, count, cap) = (struct score){is, (int)i, (int)k};
        }
    for (size_t i = 0; i < a->own.piece_count; i++) a->own.pieces[i].pair = -1;
    if (count) qsort(list, count, sizeof *list, by_score);
    for (size_t n = 0; n < count; n++) {
        struct piece *x = &a->own.pieces[list[n].own], *y = &a->other.pieces[list[n].other];
        if (x->pair < 0 && y->pair < 0) x->pair = list[n].other, y->pair = list[n].own;
    }
    free(list);
}

/* ---- names ---- */

/* Find which names of the two files are equivalent. Two names that stand between the same tokens
 * get one vote, two names whose declarations are paired get three; most votes win. */
static void pair_names(struct align *a)
{
    int rows = a->other.code->symbol_count, cols = a->own.code->symbol_count;
    int *votes = xcalloc((size_t)rows * (size_t)cols + 1, sizeof *votes);
    for (size_t n = 0; n < a->own.piece_count; n++) {
        const struct piece *x = &a->own.pieces[n],
                           *y = x->pair < 0 ? NULL : &a->other.pieces[x->pair];
        if (!y) continue;
        if (x->symbol >= 0 && y->symbol >= 0) votes[y->symbol * cols + x->symbol] += 3;
        double *of = common_words(a, x, y);
        for (int i = 0, k = 0; i < x->words && k < y->words;) {
            const struct word *own = &a->own.words[x->word + i],
                              *other = &a->other.words[y->word + k];
            if (on_the_way(a, x, y, of, i, k)) {
                if (has_no_pair(other) && own->symbol >= 0)
                    votes[other->symbol * cols + own->symbol]++;
                i++, k++;
            } else if (of[(i + 1) * (y->words + 1) + k] >= of[i * (y->words + 1) + k + 1])
                i++;
            else
                k++;
        }
        free(of);
    }
    for (;;) {
        int best = 0, at = -1;
        for (int i = 0; i < rows * cols; i++) {
            int taken = a->names[i / cols] >= 0;
            for (int k = 0; k < rows && !taken; k++)
                taken = a->names[k] == i % cols && a->other.code->symbols[k].statement ==
                                                       a->other.code->symbols[i / cols].statement;
            if (!taken && votes[i] > best) best = votes[i], at = i;
        }
        if (at < 0) break;
        a->names[at / cols] = at % cols;
    }
    free(votes);
}

/* Pair the parameters of functions that have the same name by position, and their variables by
 * name. */
static void known_names(struct align *a)
{
    const struct code *c = a->own.code, *o = a->other.code;
    for (int i = 0; i < o->symbol_count; i++) {
        const struct symbol *y = &o->symbols[i];
        int f = code_function(o, y->name), place = 0;
        for (int k = 0; k < i; k++)
            place += o->symbols[k].parameter && code_function(o, o->symbols[k].name) == f;
        for (int k = 0, at = 0; k < c->symbol_count && a->names[i] < 0; k++) {
            const struct symbol *x = &c->symbols[k];
            int g = code_function(c, x->name);
            int same = x->kind == y->kind && same_word(c, x->name, o, y->name);
            int twins = f >= 0 && g >= 0 && same_word(c, c->items[g].name, o, o->items[f].name);
            if (y->parameter && x->parameter && twins && at++ == place)
                a->names[i] = k;
            else if (same && x->parameter == y->parameter && (twins || (f < 0 && g < 0)))
                a->names[i] = k;
        }
    }
}

void align_read(
    struct align *a, const struct code *own, const struct code *other, const char *kernel)
{
    find_pieces(&a->own, own, kernel);
    find_pieces(&a->other, other, kernel);
    a->names = xcalloc((size_t)other->symbol_count + 1, sizeof *a->names);
    a->before = xcalloc(a->own.piece_count + 1, sizeof *a->before);
    for (int i = 0; i < other->symbol_count; i++) a->names[i] = -1;
    known_names(a);
    set_meanings(a, &a->own);
    for (int round = 0; round < ROUNDS; round++) {
        set_meanings(a, &a->other);
        pair_pieces(a);
        pair_names(a);
    }
    set_meanings(a, &a->other);
    pair_pieces(a);
}

static void side_free(struct side *s)
{
    for (size_t i = 0; i < s->word_count; i++) free(s->words[i].means);
    free(s->words), free(s->pieces);
}

void align_free(struct align *a)
{
    side_free(&a->own);
    side_free(&a->other);
    free(a->names), free(a->before);
    *a = (struct align){0};
}

/* ---- runs: tokens that only one of two paired expressions has ---- */

int align_runs(const struct align *a, const struct piece *own, struct run *out, int most)
{
    const struct piece *other = &a->other.pieces[own->pair];
    const struct word *x = a->own.words + own->word, *y = a->other.words + other->word;
    double *of = common_words(a, own, other);
    int count = 0, i = 0, k = 0, open = 0;
    while (i < own->words || k < other->words) {
        int same = on_the_way(a, own, other, of, i, k);
        if (same) open = 0;
        if (!same && !open) {
            if (count == most) break;
            out[count].first = i < own->words ? x[i].first : own->last + 1;
            out[count].from = k < other->words ? y[k].first : other->last + 1;
            out[count].last = out[count].first - 1, out[count].to = out[count].from - 1;
            open = 1, count++;
        }
        int m = other->words + 1;
        int left = same || k == other->words ||
                   (i < own->words && of[(i + 1) * m + k] >= of[i * m + k + 1]),
            right = same || !left;
        if (open && left) out[count - 1].last = x[i].last;
        if (open && right) out[count - 1].to = y[k].last;
        i += left, k += right;
    }
    free(of);
    return count;
}

int align_equal(const struct align *a, const struct piece *own)
{
    const struct piece *y = own->pair < 0 ? NULL : &a->other.pieces[own->pair];
    if (!y || own->words != y->words) return 0;
    for (int i = 0; i < own->words; i++)
        if (strcmp(a->own.words[own->word + i].means, a->other.words[y->word + i].means)) return 0;
    return 1;
}

/* ---- the other file's text in the learner's names ---- */

/* The learner's text for a constant of the other file: the same name if the learner's file has
 * it, else the name of its only constant with that value, else the number. NULL: the token is
 * not a constant. */
static char *constant_text(const struct align *a, int token)
{
    const struct code *c = a->own.code, *o = a->other.code;
    char number[32], own[32];
    int twin = -1, twins = 0;
    if (o->tokens[token].kind == TOKEN_NUMBER || !number_of(o, token, number)) return NULL;
    for (int k = 0; k < c->count; k++) {
        if (same_word(c, k, o, token)) return code_word(c, k);
        if (c->tokens[k].kind != TOKEN_NAME || !number_of(c, k, own) || strcmp(own, number))
            continue;
        twins += twin < 0 || !code_same(c, twin, k);
        twin = k;
    }
    return twins == 1 ? code_word(c, twin) : xstrdup(number + 1);
}

/* Is the token a name that the kit's headers provide, or that of a function or macro that the
 * learner's file has, too? */
static int is_shared(const struct align *a, int token)
{
    const struct code *c = a->own.code, *o = a->other.code;
    int own = code_named(o, ITEM_FUNCTION, token) < 0 && code_named(o, ITEM_MACRO, token) < 0;
    for (int k = 0; k < c->item_count && !own; k++)
        own = c->items[k].name >= 0 && same_word(c, c->items[k].name, o, token);
    return own;
}

static int add_text(const struct align *a, int from, int to, int depth, struct buf *out);

/* Append a token of the other file, written with the learner's names. A variable without a
 * counterpart in the learner's file is replaced by its initializer. Returns -1 if the token cannot
 * be written so. */
static int add_word(const struct align *a, int token, int depth, struct buf *out)
{
    enum { DEEPEST = 2 };
    const struct code *o = a->other.code;
    int symbol = code_symbol(o, token), own = symbol < 0 ? -1 : a->names[symbol];
    int loop = symbol >= 0 && o->symbols[symbol].statement >= 0 &&
               o->statements[o->symbols[symbol].statement].kind == STATEMENT_FOR;
    char *text = constant_text(a, token);
    if (!text && own >= 0) text = code_word(a->own.code, a->own.code->symbols[own].name);
    if (!text && symbol < 0 && is_shared(a, token)) text = code_word(o, token);
    if (text) {
        buf_printf(out, "%s", text);
        free(text);
        return 0;
    }
    const struct symbol *s = symbol < 0 ? NULL : &o->symbols[symbol];
    if (!s || s->init[0] < 0 || s->statement < 0 || depth == DEEPEST ||
        code_is(o, s->init[0], "{") || loop)
        return -1;
    int bare = s->init[0] == s->init[1] || axis_of(o, symbol) >= 0;
    buf_printf(out, bare ? "" : "(");
    int bad = add_text(a, s->init[0], s->init[1], depth + 1, out);
    buf_printf(out, bare ? "" : ")");
    return bad;
}

static int add_text(const struct align *a, int from, int to, int depth, struct buf *out)
{
    const struct code *o = a->other.code;
    int bad = 0;
    for (int i = from; i <= to && !bad; i++) {
        if (i > from && start_of(o, i) > end_of(o, i - 1)) buf_printf(out, " ");
        bad = add_word(a, i, depth, out);
    }
    return bad;
}

char *align_text(const struct align *a, int from, int to)
{
    struct buf b = {0};
    buf_add(&b, "", 0);
    if (!add_text(a, from, to, 0, &b)) return b.data ? b.data : xstrdup("");
    buf_free(&b);
    return NULL;
}
