/* code_parse.c - the body of a function as a tree of statements, and the names that it declares.
 *
 *     for (int i = 0; i < k; i++)      for: cond "i < k", step "i++"; symbol i until the end of the for
 *         sum += a[i];                 expression: its body
 *
 * A declaration is recognized by its first words: a type that C or CUDA knows, or two
 * names in a row. */
#include "explain/code.h"

#include <stdlib.h>
#include <string.h>

struct parser {
    struct code *code;
    int function; /* the item of the function that is being parsed */
    size_t statements_cap, symbols_cap;
};

/* ---- types ---- */

static int is_one_of(const struct code *c, int token, const char *const *words)
{
    for (; *words; words++)
        if (code_is(c, token, *words)) return 1;
    return 0;
}

static const char *const qualifiers[] = {"const", "static", "volatile", "extern", "__shared__",
    "constexpr", "register", "__constant__", "__device__", "struct", "__restrict__", "restrict",
    "typename", NULL};
static const char *const whole[] = {"int", "unsigned", "long", "short", "char", "size_t", "signed",
    "bool", "int32_t", "uint32_t", "int64_t", "uint64_t", "uint", "ptrdiff_t", NULL};
static const char *const real[] = {"float", "double", "half", "__half", NULL};

static int is_name(const struct code *c, int token)
{
    return token < c->count && c->tokens[token].kind == TOKEN_NAME;
}

/* Does __align__(16) or alignas(16) begin at token i? */
static int is_alignment(const struct code *c, int i)
{
    return (code_is(c, i, "__align__") || code_is(c, i, "alignas")) && code_is(c, i + 1, "(");
}

/* Does a definition such as enum { TILE = 32 } begin at token i? */
static int is_enum(const struct code *c, int i)
{
    return code_is(c, i, "enum") && (code_is(c, i + 1, "{") || code_is(c, i + 2, "{"));
}

/* Does a declaration begin at token i? */
static int declares(const struct code *c, int i)
{
    if (is_alignment(c, i) || is_enum(c, i)) return 1;
    if (is_one_of(c, i, qualifiers) || is_one_of(c, i, whole) || is_one_of(c, i, real) ||
        code_is(c, i, "auto"))
        /* a type followed by ( begins a declaration only in a form such as float (*row)[TILE] */
        return !code_is(c, i + 1, "(") || code_is(c, i + 2, "*");
    if (!is_name(c, i) || code_is(c, i, "return") || code_is(c, i, "else") || code_is(c, i, "goto"))
        return 0;
    /* a pointer or a reference: tiles &s = stage[0]; */
    int mark = code_is(c, i + 1, "*") || code_is(c, i + 1, "&");
    return is_name(c, i + 1) || (mark && is_name(c, i + 2) && code_is(c, i + 3, "="));
}

/* Returns the index of the first token after the type that begins at i. *kind: SYMBOL_INT,
 * SYMBOL_FLOAT or SYMBOL_OTHER. *constant is set to 1 if the type is const. */
static int pass_type(const struct code *c, int i, enum symbol_kind *kind, int *constant)
{
    int known = 0;
    *kind = SYMBOL_OTHER;
    for (*constant = 0;; i++) {
        if (is_alignment(c, i))
            i = c->tokens[i + 1].pair;
        else if (code_is(c, i, "const") || code_is(c, i, "constexpr"))
            *constant = 1;
        else if (is_one_of(c, i, qualifiers))
            continue;
        else if (is_one_of(c, i, whole))
            *kind = SYMBOL_INT, known = 1;
        else if (is_one_of(c, i, real))
            *kind = SYMBOL_FLOAT, known = 1;
        else if (!known && is_name(c, i))
            *kind = SYMBOL_OTHER, known = 1;
        else
            return i;
    }
}

/* ---- names ---- */

static void add_symbol(struct parser *p, struct symbol s)
{
    size_t count = (size_t)p->code->symbol_count;
    *VEC_PUSH(p->code->symbols, count, p->symbols_cap) = s;
    p->code->symbol_count = (int)count;
}

/* Declare the name at token i, which follows its type, with its array sizes and initializer,
 * such as [TILE][TILE] = 0. Returns the index of the token after them. */
static int declare(
    struct parser *p, int i, int type, enum symbol_kind kind, int constant, int from, int to)
{
    struct code *c = p->code;
    struct symbol s = {.kind = kind,
        .type = type,
        .from = from,
        .to = to,
        .constant = constant,
        .whole = kind == SYMBOL_INT,
        .init = {-1, -1},
        .statement = c->statement_count - 1};
    for (; code_is(c, i, "*") || code_is(c, i, "&") || is_one_of(c, i, qualifiers); i++)
        if (code_is(c, i, "*"))
            s.kind = SYMBOL_POINTER, s.constant_target = constant, s.constant = 0;
    s.name = i;
    if (!is_name(c, i)) return i + 1;
    for (i++; code_is(c, i, "["); i = c->tokens[i].pair + 1) s.kind = SYMBOL_ARRAY, s.dims++;
    if (code_is(c, i, "=")) {
        s.init[0] = i + 1;
        s.init[1] = code_expression_end(c, i + 1, to);
        i = s.init[1] + 1;
    } else if (code_is(c, i, "(") || code_is(c, i, "{")) {
        i = c->tokens[i].pair + 1;
    }
    if (s.from < 0) s.from = i;
    add_symbol(p, s);
    return i;
}

/* Declare the constants of the enum at token i. Returns the index of the token after its }. */
static int enumeration(struct parser *p, int i, int to)
{
    struct code *c = p->code;
    int type = i, open = code_is(c, i + 1, "{") ? i + 1 : i + 2, end = c->tokens[open].pair;
    for (i = open + 1; i < end && is_name(c, i);) {
        i = declare(p, i, type, SYMBOL_INT, 1, -1, to);
        if (code_is(c, i, ",")) i++;
    }
    return end + 1;
}

/* Declare the names of the declaration at token i, which ends with a semicolon. They can be used up
 * to token `to`. Returns the index of the token after the declaration. */
static int declaration(struct parser *p, int i, int to)
{
    struct code *c = p->code;
    enum symbol_kind kind;
    int constant, type = i;
    if (is_enum(c, i)) return enumeration(p, i, to);
    for (i = pass_type(c, i, &kind, &constant); i < to && !code_is(c, i, ";");) {
        /* of two adjacent names the second is declared, even if pass_type took it for a part of
         * the type */
        i = declare(p, i, type, kind, constant, -1, to);
        while (i < to && !code_is(c, i, ",") && !code_is(c, i, ";")) i++;
        if (code_is(c, i, ",")) i++;
    }
    return i;
}

/* Declare the parameters, in tokens first to last, of a function or of its template. They can be
 * used up to token `to`. */
static void parameters(struct parser *p, int first, int last, int to, int constant)
{
    struct code *c = p->code;
    for (int i = first; i <= last;) {
        enum symbol_kind kind;
        int is_const, type = i;
        i = pass_type(c, i, &kind, &is_const);
        int before = c->symbol_count;
        if (i <= last) i = declare(p, i, type, kind, constant || is_const, first, to);
        if (c->symbol_count > before) c->symbols[before].parameter = 1;
        while (i <= last && !code_is(c, i, ",")) i++;
        i++;
    }
}

/* ---- statements ---- */

static int statement(struct parser *p, int i, int parent, int to);

static int add(struct parser *p, enum statement_kind kind, int lead, int first, int parent)
{
    size_t count = (size_t)p->code->statement_count;
    *VEC_PUSH(p->code->statements, count, p->statements_cap) = (struct statement){.kind = kind,
        .lead = lead,
        .first = first,
        .last = first,
        .parent = parent,
        .function = p->function,
        .open = -1,
        .body = -1,
        .other = -1,
        .cond = {-1, -1},
        .step = {-1, -1}};
    return (p->code->statement_count = (int)count) - 1;
}

static int semicolon(const struct code *c, int i, int to)
{
    while (i < to && !code_is(c, i, ";")) i = c->tokens[i].pair > i ? c->tokens[i].pair + 1 : i + 1;
    return i;
}

/* Parse for (init; cond; step) body. Names declared in init can be used up to the end of the
 * body, which is not known when they are declared, so the symbols are updated afterwards. */
static int loop(struct parser *p, int me, int to)
{
    struct code *c = p->code;
    int open = c->statements[me].first + 1, close = c->tokens[open].pair, symbols = c->symbol_count;
    c->statements[me].open = open;
    int i = declares(c, open + 1) ? declaration(p, open + 1, close) : semicolon(c, open + 1, close);
    int cond = i + 1, end = semicolon(c, cond, close), declared = c->symbol_count;
    if (end > cond) c->statements[me].cond[0] = cond, c->statements[me].cond[1] = end - 1;
    if (close > end + 1) c->statements[me].step[0] = end + 1, c->statements[me].step[1] = close - 1;
    for (int k = symbols; k < declared; k++) c->symbols[k].to = to;
    int body = c->statement_count, next = statement(p, close + 1, me, to);
    c->statements[me].body = body;
    for (int k = symbols; k < declared; k++) c->symbols[k].to = next - 1;
    return next;
}

/* Parse an if or while: its condition in parentheses, its body, and the else of an if. */
static int condition(struct parser *p, int me, int to)
{
    struct code *c = p->code;
    int open = c->statements[me].first + 1, body = c->statement_count,
        is_if = code_is(c, open - 1, "if");
    if (!code_is(c, open, "(")) return semicolon(c, open, to) + 1;
    c->statements[me].open = open;
    c->statements[me].cond[0] = open + 1, c->statements[me].cond[1] = c->tokens[open].pair - 1;
    int next = statement(p, c->tokens[open].pair + 1, me, to);
    c->statements[me].body = body;
    if (!is_if || !code_is(c, next, "else")) return next;
    body = c->statement_count;
    next = statement(p, next + 1, me, to);
    c->statements[me].other = body;
    return next;
}

static int block(struct parser *p, int me, int to)
{
    int close = p->code->tokens[p->code->statements[me].first].pair;
    (void)to;
    for (int i = p->code->statements[me].first + 1; i < close;) i = statement(p, i, me, close);
    return close + 1;
}

static enum statement_kind kind_of(const struct code *c, int i)
{
    if (code_is(c, i, "{")) return STATEMENT_BLOCK;
    if (code_is(c, i, "if")) return STATEMENT_IF;
    if (code_is(c, i, "for") && code_is(c, i + 1, "(")) return STATEMENT_FOR;
    if (code_is(c, i, "while")) return STATEMENT_WHILE;
    if (code_is(c, i, "return")) return STATEMENT_RETURN;
    if (code_is(c, i, "do") || code_is(c, i, "switch") || code_is(c, i, "break") ||
        code_is(c, i, "continue") || code_is(c, i, "goto") || code_is(c, i, "case") ||
        code_is(c, i, "asm") || code_is(c, i, "struct"))
        return STATEMENT_OTHER;
    return declares(c, i) ? STATEMENT_DECLARATION : STATEMENT_EXPRESSION;
}

/* If token i begins a declaration that defines a lambda, auto ask = [&](int step) { ... };, the
 * index of the lambda's {. Else -1. */
static int lambda_body(const struct code *c, int i)
{
    if (!code_is(c, i, "auto") || !code_is(c, i + 2, "=") || !code_is(c, i + 3, "[")) return -1;
    int open = c->tokens[i + 3].pair + 1;
    int body = code_is(c, open, "(") ? c->tokens[open].pair + 1 : -1;
    if (code_is(c, body, "mutable")) body++;
    return code_is(c, body, "{") ? body : -1;
}

/* Parse a declaration that defines a lambda: the lambda's block is the body of statement `me`.
 * Returns the index of the token after the declaration. */
static int lambda(struct parser *p, int me, int to)
{
    struct code *c = p->code;
    int first = c->statements[me].first, open = c->tokens[first + 3].pair + 1,
        body = lambda_body(c, first);
    int next = declaration(p, first, to) + 1, block = c->statement_count;
    parameters(p, open + 1, c->tokens[open].pair - 1, c->tokens[body].pair, 0);
    statement(p, body, me, to);
    c->statements[me].open = body - 1;
    c->statements[me].body = block;
    return next;
}

/* Parse one statement that ends at or before token `to`. Returns the index of the token after the
 * statement. */
/* Parse NAME(...) { ... }, a macro that is followed by a block. */
static int macro_block(struct parser *p, int me, int to)
{
    struct code *c = p->code;
    int body = c->statement_count, open = c->statements[me].first + 1;
    c->statements[me].kind = STATEMENT_OTHER;
    c->statements[me].open = open;
    int next = statement(p, c->tokens[open].pair + 1, me, to);
    c->statements[me].body = body;
    return next;
}

static int statement(struct parser *p, int i, int parent, int to)
{
    struct code *c = p->code;
    int lead = i;
    while (i < to && (c->tokens[i].kind == TOKEN_DIRECTIVE || c->tokens[i].define >= 0 ||
                         code_is(c, i, "ROLLED")))
        i++;
    if (i >= to) return to;
    enum statement_kind kind = kind_of(c, i);
    int me = add(p, kind, lead, i, parent), next;
    if (kind == STATEMENT_BLOCK)
        next = block(p, me, to);
    else if (kind == STATEMENT_FOR)
        next = loop(p, me, to);
    else if (kind == STATEMENT_IF || kind == STATEMENT_WHILE)
        next = condition(p, me, to);
    else if (lambda_body(c, i) >= 0)
        next = lambda(p, me, to);
    else if (kind == STATEMENT_DECLARATION)
        next = declaration(p, i, to) + 1;
    else if (kind == STATEMENT_EXPRESSION && code_is(c, i + 1, "(") &&
             code_is(c, c->tokens[i + 1].pair + 1, "{"))
        next = macro_block(p, me, to);
    else
        next = semicolon(c, i, to) + 1;
    c->statements[me].last = next - 1;
    return next;
}

void code_statements(struct code *c, int item)
{
    struct parser p = {c, item, (size_t)c->statement_count, (size_t)c->symbol_count};
    const struct item *f = &c->items[item];
    if (code_is(c, f->first, "template") && code_is(c, f->first + 1, "<")) {
        int last = f->first + 2;
        while (last < f->name && !code_is(c, last, ">")) last++;
        parameters(&p, f->first + 2, last - 1, f->last, 1);
    }
    parameters(&p, f->open + 1, c->tokens[f->open].pair - 1, f->last, 0);
    statement(&p, f->body, -1, f->last + 1);
}

/* ---- outside of functions ---- */

/* Declare the names of a top-level constant: const int TILE = 32; or enum { TILE = 32 }; */
static void constants(struct parser *p, const struct item *x)
{
    struct code *c = p->code;
    int before = c->symbol_count;
    if (is_enum(c, x->first)) {
        enumeration(p, x->first, c->count - 1);
    } else if (!is_name(c, x->first) || !declares(c, x->first) || code_is(c, x->first, "struct")) {
        return;
    } else {
        declaration(p, x->first, x->last);
    }
    int kept = before;
    for (int k = before; k < c->symbol_count; k++) {
        struct symbol s = c->symbols[k];
        if (s.kind != SYMBOL_INT || !s.constant || s.init[0] < 0) continue;
        s.statement = -1, s.to = c->count - 1;
        c->symbols[kept++] = s;
    }
    c->symbol_count = kept;
}

/* Declare the parameters of a macro and, in its replacement, the parameters of the functions
 * that use it. */
static void macro(struct parser *p, const struct item *x)
{
    struct code *c = p->code;
    int functions = c->symbol_count;
    for (int i = x->open + 1; i < x->body - 1; i++) {
        struct symbol s = {.kind = SYMBOL_INT,
            .name = i,
            .from = x->body,
            .to = x->last,
            .type = i,
            .init = {-1, -1},
            .statement = -1};
        for (int k = x->body; k < x->last; k++)
            if (code_same(c, k, i) && code_is(c, k + 1, "[")) s.kind = SYMBOL_POINTER;
        if (is_name(c, i)) add_symbol(p, s);
    }
    for (int i = 0; i < functions; i++) {
        struct symbol s = c->symbols[i];
        int f = s.parameter ? code_function(c, s.name) : -1, used = 0;
        for (int k = f < 0 ? 0 : c->items[f].body; f >= 0 && k < c->items[f].last; k++)
            used |= code_same(c, k, x->name);
        for (int k = functions; k < c->symbol_count; k++)
            used &= !code_same(c, c->symbols[k].name, s.name);
        s.from = x->body, s.to = x->last, s.statement = -1;
        if (used) add_symbol(p, s);
    }
}

void code_names(struct code *c)
{
    struct parser p = {c, -1, (size_t)c->statement_count, (size_t)c->symbol_count};
    for (int i = 0; i < c->item_count; i++) {
        if (c->items[i].kind == ITEM_OTHER) constants(&p, &c->items[i]);
        if (c->items[i].kind == ITEM_MACRO && c->items[i].used) macro(&p, &c->items[i]);
    }
}
