/* mutate_names.c - the names, numbers and tests that can be put at a place of a kernel. */
#include "explain/mutate.h"

#include <stdlib.h>
#include <string.h>

/* Add a text to n, which takes ownership of it; a duplicate is freed. */
static void names_add(struct names *n, char *text)
{
    for (size_t i = 0; i < n->count; i++)
        if (!strcmp(n->text[i], text)) {
            free(text);
            return;
        }
    *VEC_PUSH(n->text, n->count, n->cap) = text;
}

void names_free(struct names *n)
{
    for (size_t i = 0; i < n->count; i++) free(n->text[i]);
    free(n->text);
    *n = (struct names){0};
}

/* ---- integers ---- */

int name_is_whole(const struct code *c, int i)
{
    return c->tokens[i].kind == TOKEN_NUMBER &&
           strcspn(c->text + start_of(c, i), ".eEfF") >= c->tokens[i].len;
}

/* Is the value of a #define an integer, such as 32 or (TILE + 1)? */
static int is_integer(const struct code *c, const struct item *x)
{
    if (x->kind != ITEM_DEFINE || x->last < x->first + 2) return 0;
    for (int i = x->name + 1; i <= x->last; i++) {
        int name = x->last > x->name + 1 && code_named(c, ITEM_DEFINE, i) >= 0;
        int mark = c->tokens[i].kind == TOKEN_MARK && strchr("+-*/()", c->text[start_of(c, i)]);
        if (!name_is_whole(c, i) && !name && !mark) return 0;
    }
    return 1;
}

int name_is_int(const struct code *c, int token)
{
    int s = code_symbol(c, token), d = s < 0 ? code_named(c, ITEM_DEFINE, token) : -1;
    return (s >= 0 && c->symbols[s].kind == SYMBOL_INT) || (d >= 0 && is_integer(c, &c->items[d]));
}

/* Is the name that of an integer parameter of the kernel, such as rows, that no local variable
 * hides? */
int name_is_dim(const struct code *c, const char *name)
{
    for (int i = 0; i < c->symbol_count; i++)
        if (c->symbols[i].kind == SYMBOL_INT && code_is(c, c->symbols[i].name, name))
            return c->symbols[i].parameter && !c->symbols[i].constant;
    return 0;
}

int name_is_constant(const char *name) { return *name >= 'A' && *name <= 'Z'; }

static void add_integers(struct names *n, const struct code *c, int token)
{
    for (int i = 0; i < c->symbol_count; i++) {
        const struct symbol *s = &c->symbols[i];
        if (s->kind != SYMBOL_INT || code_is(c, s->type, "bool")) continue;
        if (token < s->from || token > s->to) continue;
        if (code_symbol(c, token) >= 0 && s->init[0] >= 0 && token >= s->init[0] &&
            token <= s->init[1])
            continue;
        names_add(n, code_word(c, s->name));
    }
    for (int i = 0; i < c->item_count; i++)
        if (is_integer(c, &c->items[i])) names_add(n, code_word(c, c->items[i].name));
}

/* Keep only the names of one class: parameters, constants or other variables. */
static void keep(struct names *n, const struct code *c, char class)
{
    size_t kept = 0;
    for (size_t i = 0; i < n->count; i++) {
        int dim = name_is_dim(c, n->text[i]), constant = name_is_constant(n->text[i]);
        char is = constant ? 'c' : dim ? 'd' : 'l';
        if (class == 'v' || class == is)
            n->text[kept++] = n->text[i];
        else
            free(n->text[i]);
    }
    n->count = kept;
}

static void add_numbers(struct names *n, const struct code *c, int token)
{
    int whole = c->tokens[token].kind != TOKEN_NUMBER || name_is_whole(c, token);
    for (int k = 0; k < c->count; k++)
        if (c->tokens[k].kind == TOKEN_NUMBER && name_is_whole(c, k) == whole)
            names_add(n, code_word(c, k));
}

/* Add the integer variables of the for loops that contain the token. */
static void add_loops(struct names *n, const struct code *c, int token)
{
    for (int p = code_statement(c, token); p >= 0; p = c->statements[p].parent)
        for (int k = 0; k < c->symbol_count && c->statements[p].kind == STATEMENT_FOR; k++)
            if (c->symbols[k].statement == p && c->symbols[k].kind == SYMBOL_INT &&
                !(token >= c->symbols[k].init[0] && token <= c->symbols[k].init[1]))
                names_add(n, code_word(c, c->symbols[k].name));
}

/* ---- other names ---- */

/* The token that names the element type in a symbol's declaration. */
static int type_word(const struct code *c, const struct symbol *s)
{
    static const char *const qualifiers[] = {
        "const", "static", "__shared__", "extern", "volatile", NULL};
    int i = s->type;
    for (int k = 0; qualifiers[k]; k++)
        if (code_is(c, i, qualifiers[k]))
            i++, k = -1;
        else if (code_is(c, i + 1, "(")) /* skip the parentheses of an attribute */
            i = c->tokens[i + 1].pair + 1, k = -1;
    return i;
}

/* Add the other symbols that have the type of the symbol at a token: pointers, arrays, floats,
 * structures. */
static void add_twins(struct names *n, const struct code *c, int token)
{
    int own = code_symbol(c, token), at = code_statement(c, token);
    if (own < 0 || c->symbols[own].kind == SYMBOL_INT) return;
    const struct symbol *s = &c->symbols[own];
    int stored = at >= 0 && c->statements[at].kind == STATEMENT_EXPRESSION &&
                 c->statements[at].first == token;
    for (int k = 0; k < c->symbol_count; k++) {
        const struct symbol *o = &c->symbols[k];
        if (o->kind != s->kind || o->dims != s->dims || o->whole != s->whole || token < o->from ||
            token > o->to || !code_same(c, type_word(c, s), type_word(c, o)) ||
            (stored && o->constant_target))
            continue;
        names_add(n, code_word(c, o->name));
    }
}

static void add_floats(struct names *n, const struct code *c, int token)
{
    for (int i = 0; i < c->symbol_count; i++) {
        const struct symbol *v = &c->symbols[i];
        if (v->kind == SYMBOL_FLOAT && !v->parameter && !v->constant && token >= v->from &&
            token <= v->to)
            names_add(n, code_word(c, v->name));
    }
}

/* Add the device functions that the kernel calls. */
static void add_functions(struct names *n, const struct code *c, int token)
{
    for (int k = 0; k < c->item_count; k++)
        if (c->items[k].kind == ITEM_FUNCTION && c->items[k].used && k != code_function(c, token) &&
            !code_is(c, c->items[k].first, "__global__"))
            names_add(n, code_word(c, c->items[k].name));
}

/* ---- tests ---- */

static int usable(const struct symbol *s, int token) { return token >= s->from && token <= s->to; }

/* Add tests such as "row < rows", for each variable and each dimension. */
static void add_simple_tests(struct names *n, const struct code *c, int token)
{
    for (int i = 0; i < c->symbol_count; i++)
        for (int k = 0; k < c->symbol_count; k++) {
            const struct symbol *v = &c->symbols[i], *d = &c->symbols[k];
            if (v->kind == SYMBOL_INT && d->kind == SYMBOL_INT && !v->parameter && d->parameter &&
                !d->constant && usable(v, token) && usable(d, token))
                names_add(n, xasprintf("%.*s < %.*s", WORD(c, v->name), WORD(c, d->name)));
        }
}

/* Add the conditions of the other statements of the function that contains s. */
static void add_conditions(struct names *n, const struct code *c, const struct statement *s)
{
    for (int i = 0; i < c->statement_count; i++) {
        const struct statement *x = &c->statements[i];
        if (x == s || x->kind != STATEMENT_IF || x->function != s->function) continue;
        int returns = x->body >= 0 && code_is(c, c->statements[x->body].first, "return");
        names_add(n, xasprintf(returns ? "!(%.*s)" : "%.*s", SPAN(c, x->cond[0], x->cond[1])));
    }
}

/* Add tests for a subscript whose [ is at token `open`: for row * cols + col, "row < rows && col
 * < cols" with each pair of dimensions; for a sum base + e, "base + e < n". */
static void add_index_tests(struct names *n, const struct code *c, int open)
{
    int close = c->tokens[open].pair, star = -1, plus = -1;
    for (int i = open + 1; i < close; i++) {
        if (code_is(c, i, "*") && star < 0) star = i;
        if (code_is(c, i, "+") && (plus < 0 || star > plus)) plus = i;
        if (c->tokens[i].pair > i) i = c->tokens[i].pair;
    }
    struct names dims = {0};
    add_integers(&dims, c, open), keep(&dims, c, 'd');
    int within = star >= 0 && code_is(c, open + 1, "(") && c->tokens[open + 1].pair == star - 1;
    for (size_t a = 0; a < dims.count && plus >= 0; a++) {
        if (star < 0 || star > plus) {
            names_add(n, xasprintf("%.*s < %s", SPAN(c, open + 1, close - 1), dims.text[a]));
            continue;
        }
        char *row =
            xasprintf("%.*s < %s", SPAN(c, open + 1 + within, star - 1 - within), dims.text[a]);
        for (size_t b = 0; b < dims.count; b++) {
            char *column = xasprintf("%.*s < %s", SPAN(c, plus + 1, close - 1), dims.text[b]);
            names_add(n, xasprintf("%s && %s", row, column));
            names_add(n, column);
        }
        names_add(n, row);
    }
    names_free(&dims);
}

/* Add all tests that could guard the statement that contains a token. */
static void add_tests(struct names *n, const struct code *c, int token)
{
    int at = code_statement(c, token);
    if (at >= 0) {
        const struct statement *x = &c->statements[at];
        add_conditions(n, c, x);
        /* for an if, the subscripts in its body are used */
        int first = x->kind == STATEMENT_IF ? x->cond[1] + 1 : x->first;
        for (int i = first; i < x->last; i++) {
            int symbol = code_is(c, i + 1, "[") ? code_symbol(c, i) : -1;
            if (symbol >= 0 && c->symbols[symbol].kind == SYMBOL_POINTER)
                add_index_tests(n, c, i + 1);
        }
    }
    add_simple_tests(n, c, token);
}

/* ---- all classes ---- */

static void add_listed(struct names *n, const char *list)
{
    for (const char *at = list; *at; at += strcspn(at, " ") + (at[strcspn(at, " ")] == ' '))
        names_add(n, xstrndup(at, strcspn(at, " ")));
}

struct names names_at(const struct edits *l, char class, int token, const char *is)
{
    const struct code *c = l->code;
    struct names n = {0};
    switch (class) {
    case 'v':
    case 'd':
    case 'c':
    case 'l':
        add_integers(&n, c, token);
        keep(&n, c, class);
        break;
    case 'n': add_numbers(&n, c, token); break;
    case 'k': add_listed(&n, "2 4 8 16 32 1"); break;
    case 'K': add_listed(&n, "4 1 2 8"); break;
    case 'M': add_listed(&n, "1 3 7 15 31"); break;
    case 'x': add_listed(&n, "x y"); break;
    case 'm': add_listed(&n, "x y z w"); break;
    case 'b': add_listed(&n, "threadIdx blockIdx blockDim gridDim"); break;
    case 'p': add_twins(&n, c, token); break;
    case 'f': add_floats(&n, c, token); break;
    case 'F': add_functions(&n, c, token); break;
    case 'L': add_loops(&n, c, token); break;
    default: add_tests(&n, c, token);
    }
    for (size_t i = 0; i < n.count; i++)
        if (is && !strcmp(n.text[i], is)) {
            free(n.text[i]);
            memmove(&n.text[i], &n.text[i + 1], (--n.count - i) * sizeof *n.text);
            break;
        }
    return n;
}
