/* mutate.c - edits of a kernel by the rows of mutations.def.
 *
 *     pattern   $u1 / $u2                        a hole ($...) matches tokens of its class; the same hole
 *     k / TILE                                   twice must match the same tokens
 *     becomes   (($u1 + $u2 - 1) / $u2)          items common to both, in this order, are kept
 *     ((k + TILE - 1) / TILE)                    so this is three splices: "((", " + TILE - 1)", ")"
 *
 * A hole that may end at several tokens is tried with the longest match first. */
#include "explain/mutate.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct mutation rows[] = {
#define ROW(likely, pattern, becomes, says) {likely, pattern, becomes, says},
#include "explain/mutations.def"
#undef ROW
};

/* ---- rows ---- */

enum { ITEMS = 32 };
/* An item of a pattern or of its replacement ("becomes"): a literal token, $ a hole, @ a generated
 * text, # a number that is computed from that in the pattern. */
struct part {
    char kind, class, id; /* kind: one of the characters $ @ #; 0 for a literal token */
    const char *text;
    size_t len;
    int space; /* is there a blank before the item? */
};
struct phrase {
    struct part items[ITEMS];
    int count;
};
/* Kinds of places in a kernel, as flags. A row has the flags of the places in which its pattern is
 * searched for; a token has those of the places in which it lies. */
enum { IN_BODY = 1, IN_SIZE = 2, IN_CONSTANT = 4, AT_STEP = 8, AT_TEST = 16, AT_FIRST = 32 };
struct row {
    const struct mutation *is;
    int where, budget, wrong, lanes, loop;
    struct phrase pattern, becomes;
    /* for each item of the replacement (becomes): index of the same item of the pattern, which is
     * kept in the source; -1: none */
    int kept[ITEMS];
    /* the letter that is the class of the item @ in the replacement; 0: the replacement has no @ */
    char generated;
};

static void phrase_read(struct phrase *t, const char *text)
{
    t->count = 0;
    for (int space = 0; *text && t->count < ITEMS;) {
        if (*text == ' ') {
            space = 1, text++;
            continue;
        }
        struct part *p = &t->items[t->count++];
        *p = (struct part){.text = text, .space = space};
        if (strchr("$@", *text)) {
            p->kind = text[0], p->class = text[1];
            p->id = text[2] >= '0' && text[2] <= '9' ? text[2] : 0;
            p->len = p->id ? 3 : 2;
        } else if (*text == '#' && text[1] && strchr("+-*/", text[1])) {
            p->kind = '#', p->class = text[1], p->id = text[2], p->len = 3;
        } else {
            p->len = code_length(text);
        }
        text += p->len, space = 0;
    }
}

static int same_item(const struct part *a, const struct part *b)
{
    return a->kind == b->kind && a->len == b->len && !memcmp(a->text, b->text, a->len);
}

static int weight(const struct part *p) { return p->kind ? 1 : 2; }

/* Set r->kept by the longest common subsequence of pattern and becomes, in which a literal
 * weighs twice as much as a hole. */
static void align(struct row *r)
{
    static _Thread_local int most[ITEMS + 1][ITEMS + 1];
    const struct phrase *a = &r->pattern, *b = &r->becomes;
    memset(most, 0, sizeof most);
    for (int i = a->count - 1; i >= 0; i--)
        for (int k = b->count - 1; k >= 0; k--) {
            int longer = most[i + 1][k] > most[i][k + 1] ? most[i + 1][k] : most[i][k + 1];
            int same = same_item(&a->items[i], &b->items[k])
                           ? most[i + 1][k + 1] + weight(&a->items[i])
                           : 0;
            most[i][k] = same > longer ? same : longer;
        }
    for (int k = 0; k < b->count; k++) r->kept[k] = -1;
    for (int i = 0, k = 0; i < a->count && k < b->count;)
        if (same_item(&a->items[i], &b->items[k]) &&
            most[i][k] == most[i + 1][k + 1] + weight(&a->items[i]))
            r->kept[k++] = i++;
        else if (most[i + 1][k] >= most[i][k + 1])
            i++;
        else
            k++;
}

static void row_read(struct row *r, const struct mutation *m)
{
    static const struct {
        const char *word;
        int where;
    } places[] = {{"size: ", IN_SIZE}, {"constant: ", IN_CONSTANT}, {"step: ", AT_STEP},
        {"test: ", AT_TEST}, {"first: ", AT_FIRST}};
    const char *text = m->pattern;
    *r = (struct row){.is = m, .where = IN_BODY};
    if ((r->budget = !strncmp(text, "budget: ", 8))) text += 8;
    if ((r->wrong = !strncmp(text, "wrong: ", 7))) text += 7;
    if ((r->lanes = !strncmp(text, "lanes: ", 7))) text += 7;
    if ((r->loop = !strncmp(text, "loop: ", 6))) text += 6;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (!strncmp(text, places[i].word, strlen(places[i].word)))
            r->where = places[i].where, text += strlen(places[i].word);
    phrase_read(&r->pattern, text);
    phrase_read(&r->becomes, m->becomes);
    for (int i = 0; i < r->becomes.count; i++)
        if (r->becomes.items[i].kind == '@') r->generated = r->becomes.items[i].class;
    align(r);
}

/* ---- which tokens a hole matches ---- */

enum { ENDS = 16 };
struct match {
    const struct code *c;
    const struct row *row;
    int at[ITEMS][2]; /* for each item of the pattern: the first and last token that it matches */
};

static int is_one_of(const struct code *c, int i, const char *marks)
{
    return i >= 0 && i < c->count && c->tokens[i].kind == TOKEN_MARK && c->tokens[i].len == 1 &&
           strchr(marks, c->text[start_of(c, i)]) != NULL;
}

/* Is the token a word such as if or int, which is neither an operand nor a function? */
static int is_keyword(const struct code *c, int i)
{
    static const char *const words[] = {"if", "for", "while", "switch", "return", "int", "float",
        "double", "unsigned", "bool", "const"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (code_is(c, i, words[k])) return 1;
    return 0;
}

/* The last token of the operand that begins at token i: a name with its subscripts and members,
 * a number, or a parenthesized expression, which may be a cast with its operand. -1: none begins
 * there. */
static int operand_end(const struct code *c, int i)
{
    if (i < 0 || i >= c->count) return -1;
    int end = i;
    if (code_is(c, i, "(")) {
        end = c->tokens[i].pair;
        int cast = c->tokens[i + 1].kind == TOKEN_NAME && code_symbol(c, i + 1) < 0 &&
                   code_named(c, ITEM_DEFINE, i + 1) < 0 && !code_is(c, i + 2, ".");
        int after = cast ? operand_end(c, end + 1) : -1;
        if (after >= 0) return after;
    } else if ((c->tokens[i].kind != TOKEN_NAME && c->tokens[i].kind != TOKEN_NUMBER) ||
               is_keyword(c, i)) {
        return -1;
    }
    while (c->tokens[i].kind != TOKEN_NUMBER) {
        if (code_is(c, end + 1, "[") ||
            (code_is(c, end + 1, "(") && c->tokens[end].kind == TOKEN_NAME))
            end = c->tokens[end + 1].pair;
        else if (code_is(c, end + 1, ".") || code_is(c, end + 1, "->"))
            end += 2;
        else
            break;
    }
    return end;
}

/* The tokens at which a chain of operands from token i, joined by these operators, may end; the
 * shortest chain first. Returns how many there are. */
static int chain_ends(const struct code *c, int i, const char *operators, int ends[ENDS])
{
    int count = 0;
    for (int end = operand_end(c, i); end >= 0 && count < ENDS; end = operand_end(c, end + 2)) {
        ends[count++] = end;
        if (!is_one_of(c, end + 1, operators)) break;
    }
    return count;
}

/* The tokens at which a sum that begins at token i may end: the ends of its terms, the nearest
 * first. Returns how many there are. */
static int sum_ends(const struct code *c, int i, int ends[ENDS])
{
    int all[ENDS], count = chain_ends(c, i, "+-*/%", all), kept = 0;
    for (int k = 0; k < count; k++)
        if (!is_one_of(c, all[k] + 1, "*/%")) ends[kept++] = all[k];
    return kept;
}

/* The last token before the next && || ? ) ; or , at the nesting level of token i. */
static int test_end(const struct code *c, int i)
{
    int end = i;
    for (; end < c->count; end++) {
        if (is_one_of(c, end, "?);,") || code_is(c, end, "&&") || code_is(c, end, "||")) break;
        if (c->tokens[end].pair > end) end = c->tokens[end].pair;
    }
    return end - 1;
}

static int is_declared(const struct code *c, int i)
{
    for (int k = 0; k < c->symbol_count; k++)
        if (c->symbols[k].name == i) return 1;
    return 0;
}

/* Is the name that is declared at i used in a subscript? */
static int is_subscript(const struct code *c, int i)
{
    for (int k = i + 1; k < c->count; k++)
        for (int at = k + 1; code_is(c, k, "[") && at < c->tokens[k].pair; at++)
            if (code_same(c, at, i) && code_function(c, at) == code_function(c, i)) return 1;
    return 0;
}

/* Is the name at i modified by an operator beside it, such as ++ or =? */
static int is_changed(const struct code *c, int i)
{
    static const char *const ways[] = {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "++", "--"};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        if (code_is(c, i + 1, ways[k])) return 1;
    return code_is(c, i - 1, "++") || code_is(c, i - 1, "--");
}

static int is_builtin(const struct code *c, int i)
{
    return (code_is(c, i, "threadIdx") || code_is(c, i, "blockIdx") || code_is(c, i, "blockDim") ||
               code_is(c, i, "gridDim")) &&
           code_is(c, i + 1, ".");
}

/* Is the token a name or number of this class (a letter of mutations.def)? */
static int is_word(const struct code *c, char class, int i)
{
    const struct token *t = &c->tokens[i];
    int s = code_symbol(c, i);
    enum symbol_kind kind = s < 0 ? SYMBOL_OTHER : c->symbols[s].kind;
    const char *at = c->text + start_of(c, i);
    if (strchr("vdcl", class)) {
        if (t->kind != TOKEN_NAME || !name_is_int(c, i) || is_declared(c, i)) return 0;
        char *name = code_word(c, i);
        int constant = name_is_constant(name), dim = name_is_dim(c, name);
        free(name);
        return class == 'v' || class == (constant ? 'c' : dim ? 'd' : 'l');
    }
    switch (class) {
    case 'n': return t->kind == TOKEN_NUMBER;
    case 'i': return name_is_whole(c, i);
    case 'j': return name_is_whole(c, i) && strtol(at, NULL, 0) <= 8;
    case 'x': return t->len == 1 && (*at == 'x' || *at == 'y') && is_builtin(c, i - 2);
    case 'm':
        return t->len == 1 && strchr("xyzw", *at) && code_is(c, i - 1, ".") &&
               !is_builtin(c, i - 2);
    case 'b': return is_builtin(c, i);
    case 'p': return s >= 0 && kind == SYMBOL_POINTER && !is_declared(c, i);
    case 'a': return s >= 0 && kind == SYMBOL_ARRAY && !is_declared(c, i);
    case 'o': return s >= 0 && kind != SYMBOL_INT && !is_declared(c, i);
    case 'N': return is_declared(c, i);
    case 'I': return is_declared(c, i) && !is_subscript(c, i);
    case 'w':
        return t->kind == TOKEN_NAME && code_is(c, i + 1, "(") &&
               code_named(c, ITEM_FUNCTION, i) < 0 && !is_keyword(c, i);
    case 'F': return code_call(c, i) >= 0;
    case 'U':
        return t->kind == TOKEN_DIRECTIVE && strcspn(at, "u") < t->len &&
               !strncmp(at + strcspn(at, "u"), "unroll ", 7);
    default: return 0;
    }
}

static int statement_at(const struct code *c, int i)
{
    for (int k = 0; k < c->statement_count; k++)
        if (c->statements[k].lead == i && c->statements[k].parent >= 0 &&
            c->statements[k].kind != STATEMENT_BLOCK)
            return k;
    return -1;
}

/* The tokens at which a hole of this class that begins at token i may end, the likeliest token
 * last. Returns how many there are; 0: a hole cannot begin at i. */
static int hole_ends(const struct code *c, char class, int i, int ends[ENDS])
{
    int s;
    switch (class) {
    case 'u': return (ends[0] = operand_end(c, i)) >= 0;
    case 't': return chain_ends(c, i, "*/%", ends);
    case 's': return sum_ends(c, i, ends);
    case 'e': return (ends[0] = code_expression_end(c, i, c->count - 1)) >= i;
    case 'q': return (ends[0] = test_end(c, i)) >= i;
    case 'h': return code_is(c, i - 1, "(") && (ends[0] = c->tokens[i - 1].pair - 1) >= i;
    case 'B':
        if (!code_is(c, i, "__syncthreads")) return 0;
        /* fall through */
    case 'E':
    case 'S':
        return (s = statement_at(c, i)) >= 0 &&
               (class != 'E' || c->statements[s].kind == STATEMENT_EXPRESSION) &&
               (ends[0] = c->statements[s].last) >= 0;
    default: return ends[0] = i, is_word(c, class, i);
    }
}

/* ---- matching ---- */

static int same_tokens(const struct code *c, const int a[2], int first, int last)
{
    if (a[1] - a[0] != last - first) return 0;
    for (int k = 0; k <= last - first; k++)
        if (!code_same(c, a[0] + k, first + k)) return 0;
    return 1;
}

/* Do tokens first to last contain only names of integers, whole numbers, builtins and operators? */
static int is_integral(const struct code *c, int first, int last)
{
    for (int i = first; i <= last; i++) {
        int name = c->tokens[i].kind == TOKEN_NAME && !is_builtin(c, i) && !is_builtin(c, i - 2);
        int number = c->tokens[i].kind == TOKEN_NUMBER;
        if ((name && !name_is_int(c, i)) || (number && !name_is_whole(c, i))) return 0;
    }
    return 1;
}

/* Is the operator at i a sign, or the * or & of a pointer? */
static int is_unary(const struct code *c, int i)
{
    int name = c->tokens[i - 1].kind == TOKEN_NAME && code_symbol(c, i - 1) < 0 &&
               code_named(c, ITEM_DEFINE, i - 1) < 0 && !code_is(c, i - 2, ".");
    return name || !code_ends_operand(c, i - 1);
}

static int is_literal(const struct match *m, const struct part *p, int i)
{
    const struct code *c = m->c;
    if (c->tokens[i].len != p->len || memcmp(c->text + start_of(c, i), p->text, p->len)) return 0;
    const struct phrase *t = &m->row->pattern;
    int first = p == t->items, one = p->len == 1;
    /* in a pattern, "*$p" is the * of a pointer, and "* $u" is a multiplication */
    if (first && one && strchr("*&-+", *p->text))
        return is_unary(c, i) == (t->count > 1 && !t->items[1].space);
    if (first && one && *p->text == '=' && t->count == 1)
        return !is_declared(c, i - 1) && c->tokens[i + 1].kind != TOKEN_NUMBER;
    int item = code_item(c, i);
    if (*p->text == '}' && item >= 0 && c->items[item].last == i) return 0;
    return !strchr("<>", *p->text) || p->len > 1 || !code_is_angle(c, i);
}

/* If hole k is the first item of the pattern: may it begin at token i? It may not follow an
 * operator that binds more tightly than the hole's own operator: in a * b + c, a hole for a sum
 * cannot begin at b. */
static int begins(const struct match *m, int k, int i)
{
    const struct phrase *t = &m->row->pattern;
    char class = t->items[k].class;
    const struct part *next = k + 1 < t->count ? &t->items[k + 1] : NULL;
    if (k) return 1;
    if (class == 'q' || class == 'e')
        return is_one_of(m->c, i - 1, "([,?=!;{") || code_is(m->c, i - 1, "return") ||
               code_is(m->c, i - 1, "&&") || code_is(m->c, i - 1, "||") ||
               code_is(m->c, i - 1, "+=");
    if (!strchr("uts", class)) return 1;
    int product =
            class == 't' || class == 's' || (next && !next->kind && strchr("*/%", *next->text)),
        sum = class == 's' || (next && !next->kind && strchr("+-", *next->text) && class != 't');
    return !code_ends_operand(m->c, i - 1) && !code_is(m->c, i - 1, ".") &&
           !code_is(m->c, i - 1, "->") && !(product && is_one_of(m->c, i - 1, "*/%")) &&
           !(sum && is_one_of(m->c, i - 1, "+-*/%"));
}

/* May item k, the last one of the pattern, end at token `last`? It may not be followed by an
 * operator that binds more tightly: in a + b * c, a hole for a sum cannot end at b. */
static int ends_well(const struct match *m, int k, int last)
{
    char class = m->row->pattern.items[k].class;
    int next = last + 1;
    if (m->row->pattern.items[k].kind != '$') return 1;
    if (class == 't' || class == 's')
        return !is_one_of(m->c, next, class == 's' ? "+-*/%" : "*/%") && !is_changed(m->c, last) &&
               (m->row->pattern.count > 1 || is_integral(m->c, m->at[k][0], last));
    return !strchr("uvdcl", class) || !is_changed(m->c, last);
}

static int match_from(struct match *m, int k, int i)
{
    const struct phrase *t = &m->row->pattern;
    if (k == t->count) return ends_well(m, k - 1, m->at[k - 1][1]);
    const struct part *p = &t->items[k];
    if (i >= m->c->count) return 0;
    if (!p->kind) {
        m->at[k][0] = m->at[k][1] = i;
        return is_literal(m, p, i) && match_from(m, k + 1, i + 1);
    }
    int ends[ENDS], count = begins(m, k, i) ? hole_ends(m->c, p->class, i, ends) : 0, twice = -1;
    for (int b = 0; b < k; b++)
        if (same_item(&t->items[b], p)) twice = b;
    while (count-- > 0) {
        if (twice >= 0 && !same_tokens(m->c, m->at[twice], i, ends[count])) continue;
        if (p->class == 's' && !is_integral(m->c, i, ends[count])) continue;
        m->at[k][0] = i, m->at[k][1] = ends[count];
        if (match_from(m, k + 1, ends[count] + 1)) return 1;
    }
    return 0;
}

/* ---- the edit ---- */

/* The index of the hole in the row's pattern that has p's class and number; -1: there is none. */
static int hole_of(const struct row *r, const struct part *p)
{
    for (int i = 0; i < r->pattern.count; i++)
        if (same_item(&r->pattern.items[i], p)) return i;
    return -1;
}

/* Append the number that the pattern matched, with one added, doubled, ... as the item p says.
 * Returns 0 if the result is not usable. */
static int put_number(const struct match *m, const struct part *p, struct buf *out)
{
    for (int i = 0; i < m->row->pattern.count; i++) {
        int token = m->at[i][0];
        if (!m->row->pattern.items[i].kind || m->c->tokens[token].kind != TOKEN_NUMBER) continue;
        if (!name_is_whole(m->c, token)) return 0;
        long v = strtol(m->c->text + start_of(m->c, token), NULL, 0), by = p->id - '0';
        if (p->class == '/' && v % by) return 0;
        v = p->class == '+' ? v + by : p->class == '-' ? v - by : p->class == '*' ? v * by : v / by;
        buf_printf(out, "%ld", v);
        return v > 0 || (!v && !is_one_of(m->c, token - 1, "+-"));
    }
    return 0;
}

/* Append the texts of the items from .. to - 1 of a row's replacement (becomes). made: the text for
 * the item @. Returns 0 if an item has no text. */
static int put_items(const struct match *m, int from, int to, const char *made, struct buf *out)
{
    const struct row *r = m->row;
    for (int i = from; i < to; i++) {
        const struct part *p = &r->becomes.items[i];
        if (i > from && p->space) buf_add(out, " ", 1);
        int hole = p->kind == '$' ? hole_of(r, p) : -1;
        if (p->kind == '@')
            buf_printf(out, "%s", made);
        else if (p->kind == '#' && !put_number(m, p, out))
            return 0;
        else if (hole >= 0)
            buf_printf(out, "%.*s", SPAN(m->c, m->at[hole][0], m->at[hole][1]));
        else if (!p->kind)
            buf_add(out, p->text, p->len);
    }
    return 1;
}

/* Are all variables in a text in scope at a token? */
static int is_usable(const struct code *c, const char *text, int token)
{
    /* a macro may use the names of the functions that use it */
    if (code_function(c, token) < 0) return 1;
    int member = 0;
    for (size_t n; *text; text += n) {
        n = *text == ' ' ? 1 : code_length(text);
        int known = 0, usable = member;
        member = *text == '.' || !strncmp(text, "->", 2);
        int name = *text == '_' || isalpha((unsigned char)*text);
        for (int i = 0; i < c->symbol_count && name; i++) {
            const struct symbol *s = &c->symbols[i];
            if (c->tokens[s->name].len != n || memcmp(c->text + start_of(c, s->name), text, n))
                continue;
            known = 1, usable |= token >= s->from && token <= s->to;
        }
        if (known && !usable) return 0;
    }
    return 1;
}

/* Is an inserted text written directly before the token that follows it, rather than directly after
 * the token that precedes it? gap: the range of the inserted items in the row's replacement
 * (becomes); at: index of the pattern's item that follows them. */
static int belongs_to_next(const struct match *m, const int gap[2], int at)
{
    const struct row *r = m->row;
    const struct part *next = gap[1] < r->becomes.count ? &r->becomes.items[gap[1]] : NULL;
    if (at == 0 || !next) return at == 0;
    int parted = at < r->pattern.count && r->pattern.items[at].space;
    return is_one_of(m->c, m->at[at - 1][1], "(,[=<>;") || (parted && !next->space) ||
           next->class == 'S' || next->class == 'E';
}

/* Add the splice for the items between two items that are kept: the pattern's items in the range
 * `old` are replaced by the items in the range `new` of the row's replacement (becomes). Returns 0
 * if the new items have no text, or use a name that is not in scope. */
static int put_gap(struct edits *l, struct edit *e, const struct match *m, const int old[2],
    const int new[2], const char *made)
{
    const struct code *c = m->c;
    const struct row *r = m->row;
    struct buf text = {0};
    buf_add(&text, "", 0);
    int first = m->at[old[0] < r->pattern.count ? old[0] : old[0] - 1][0];
    int space = new[1] > new[0] && r->becomes.items[new[0]].space;
    int ok = put_items(m, new[0], new[1], made, &text) && is_usable(c, text.data, first);
    if (ok && old[1] > old[0]) {
        int joined = space && text.len && old[0] > 0 && end_of(c, first - 1) == start_of(c, first);
        edit_replace(l, e, first, m->at[old[1] - 1][1], "%s%s", joined ? " " : "", text.data);
    } else if (ok && text.len && belongs_to_next(m, new, old[0])) {
        int parted = new[1] < r->becomes.count && r->becomes.items[new[1]].space;
        edit_before(l, e, first, "%s%s", text.data, parted ? " " : "");
    } else if (ok && text.len) {
        first = m->at[old[0] - 1][1];
        /* 2 * 3 in place of 2 would only be another number, for which there are rows of their
         * own */
        ok = m->at[old[0] - 1][0] != first || c->tokens[first].kind != TOKEN_NUMBER ||
             *text.data != '*';
        edit_after(l, e, first, "%s%s", space ? " " : "", text.data);
    }
    if (e->token < 0 && e->count) e->token = first;
    buf_free(&text);
    return ok;
}

/* Add the edit for a match of a row. made: the text for the item @ of its replacement */
static void mutate(struct edits *l, const struct match *m, const char *made)
{
    const struct row *r = m->row;
    struct edit *e = edits_begin(l, r->is, r->is->likely, -1);
    int old = 0, ok = 1;
    for (int k = 0; k <= r->becomes.count && ok;) {
        int next = k;
        while (next < r->becomes.count && r->kept[next] < 0) next++;
        int until = next < r->becomes.count ? r->kept[next] : r->pattern.count;
        if (next > k || until > old)
            ok = put_gap(l, e, m, (int[]){old, until}, (int[]){k, next}, made);
        old = until + 1, k = next + 1;
    }
    if (e->token < 0) e->token = m->at[0][0];
    if (!ok || !e->count) edit_drop(e);
}

/* The text that the item @ of a row replaces: the text that the corresponding hole matched. The
 * caller frees it; NULL: none. */
static char *replaced(const struct match *m)
{
    const struct phrase *t = &m->row->pattern;
    for (int i = 0; i < t->count; i++)
        if (t->items[i].kind == '$' && (t->items[i].class == m->row->generated || t->count == 1))
            return code_text(m->c, m->at[i][0], m->at[i][1]);
    return NULL;
}

/* ---- all rows at all tokens ---- */

/* For each token, flags that say in which kinds of places (IN_BODY, ...) the token lies. The caller
 * frees the array. */
static char *places(const struct code *c)
{
    char *where = xcalloc((size_t)c->count + 1, 1);
    for (int k = 0; k < c->item_count; k++) {
        const struct item *x = &c->items[k];
        int body = (x->kind == ITEM_FUNCTION || x->kind == ITEM_MACRO) && x->used;
        for (int i = x->body + (x->kind == ITEM_FUNCTION); body && i <= x->last; i++)
            if (x->kind == ITEM_MACRO || (c->tokens[i].define < 0 && !code_constant(c, i)))
                where[i] |= IN_BODY;
        for (int i = x->name + 1; x->kind == ITEM_DEFINE && i <= x->last; i++)
            where[i] |= IN_CONSTANT;
    }
    for (int k = 0; k < c->symbol_count; k++) {
        const struct symbol *s = &c->symbols[k];
        if (s->statement < 0 && s->init[0] >= 0)
            for (int i = s->init[0]; i <= s->init[1]; i++) where[i] |= IN_CONSTANT;
        else if (s->kind == SYMBOL_INT && s->init[0] >= 0)
            where[s->init[0]] |= AT_FIRST;
        for (int at = s->name + 1; s->dims && code_is(c, at, "["); at = c->tokens[at].pair + 1)
            for (int i = at; i <= c->tokens[at].pair; i++)
                where[i] = (char)((where[i] & ~IN_BODY) | IN_SIZE);
    }
    for (int k = 0; k < c->statement_count; k++) {
        const struct statement *s = &c->statements[k];
        if (s->cond[0] >= 0) where[s->cond[0]] |= AT_TEST;
        if (s->step[0] >= 0) where[s->step[0]] |= AT_STEP;
    }
    for (int i = 1; i < c->count; i++)
        if (code_is(c, i, "=") || code_is(c, i, "return"))
            if (code_is(c, test_end(c, i + 1) + 1, "?")) where[i + 1] |= AT_TEST;
    return where;
}

static int in_loop(const struct code *c, int token)
{
    for (int p = code_statement(c, token); p >= 0; p = c->statements[p].parent)
        if (c->statements[p].kind == STATEMENT_FOR || c->statements[p].kind == STATEMENT_WHILE)
            return 1;
    return 0;
}

static int names_it(const struct code *c, const char *word)
{
    for (int i = 0; i < c->count; i++)
        if (code_is(c, i, word)) return 1;
    return 0;
}

/* Is a row worth trying on this file? A row with a barrier is tried only if the file has shared
 * memory and the finding, if there is one, is about barriers; one with threadIdx and its kin is not
 * tried on host C. */
static int is_wanted(const struct edits *l, const struct row *r)
{
    int barrier = strstr(r->is->pattern, "__syncthreads(") || strstr(r->is->pattern, "$B") ||
                  strstr(r->is->becomes, "__syncthreads(");
    const struct finding *f = &l->of->found;
    if (barrier && (!names_it(l->code, "__shared__") || (f->kind && !finding_of_barriers(f))))
        return 0;
    if (strchr(r->is->becomes, '^') && !names_it(l->code, "^")) return 0;
    if (r->lanes && f->kind != FOUND_LANES) return 0;
    if (l->of->host && (strstr(r->is->becomes, "Idx") || strstr(r->is->becomes, "Dim"))) return 0;
    return l->of->now ? !r->wrong : !r->budget;
}

static int is_in_block(const struct code *c, int token)
{
    int s = statement_at(c, token), parent = s < 0 ? -1 : c->statements[s].parent;
    return parent >= 0 && c->statements[parent].kind == STATEMENT_BLOCK;
}

/* Does a match that begins at token i lie in a place that the row allows, and fill a whole test or
 * step if the row asks for that? where: the flags of token i */
static int stands(const struct match *m, int where, int i)
{
    const struct row *r = m->row;
    const struct code *c = m->c;
    char first = r->pattern.items[0].class;
    int last = m->at[r->pattern.count - 1][1], s = code_statement(c, i);
    if (!(where & r->where) || (r->loop && !in_loop(c, i))) return 0;
    if (strchr("SB", first) && first && !is_in_block(c, i)) return 0;
    if (r->where == AT_TEST)
        return s < 0 || c->statements[s].cond[0] != i || c->statements[s].cond[1] == last;
    if (r->where == AT_STEP) return c->statements[s].step[1] == last;
    return 1;
}

static void row_everywhere(struct edits *l, const struct row *r, const char *where)
{
    struct match m = {.c = l->code, .row = r};
    for (int i = 0; i < l->code->count; i++) {
        if (!(where[i] & r->where) || !match_from(&m, 0, i) || !stands(&m, where[i], i)) continue;
        if (!r->generated) {
            mutate(l, &m, NULL);
            continue;
        }
        char *is = replaced(&m);
        struct names n = names_at(l, r->generated, i, is);
        for (size_t k = 0; k < n.count; k++) mutate(l, &m, n.text[k]);
        names_free(&n);
        free(is);
    }
}

void mutate_all(struct edits *l)
{
    char *where = places(l->code);
    struct row r;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        row_read(&r, &rows[i]);
        size_t first = l->count;
        if (is_wanted(l, &r)) row_everywhere(l, &r, where);
        /* if a row makes many edits, each is less likely */
        double share = log10((double)(l->count - first) + 1) / 2;
        for (size_t k = first; k < l->count; k++) l->list[k].cost += share;
    }
    free(where);
    mutate_swaps(l);
}
