/* code.c - cut a kernel file into tokens, and the tokens into top-level items.
 *
 *     #define TILE 32                          define:    "#define" "TILE" "32"
 *     LAUNCH(matmul, BLOCK(TILE, TILE), ...)   launch:    of matmul
 *     __global__ void matmul(...) { ... }      function:  name, ( and {
 *
 * Comments are skipped. Functions that the kernel calls, directly or not, are marked used. */
#include "explain/code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- tokens ---- */

struct lexer {
    struct code *code;
    size_t at, cap;
    int line;
    int define; /* index of the token "#define" whose replacement is being read; -1: none is */
};

static struct token *push(struct lexer *l, enum token_kind kind, size_t len)
{
    size_t count = (size_t)l->code->count;
    struct token *t = VEC_PUSH(l->code->tokens, count, l->cap);
    l->code->count = (int)count;
    *t = (struct token){kind, l->at, len, l->line, -1, l->define};
    for (size_t i = 0; i < len; i++) l->line += l->code->text[l->at + i] == '\n';
    l->at += len;
    return t;
}

/* The length of text up to the first newline that no backslash precedes. */
static size_t logical_line(const char *text)
{
    size_t n = 0;
    while (text[n] && !(text[n] == '\n' && (n == 0 || text[n - 1] != '\\'))) n++;
    return n;
}

/* Can a macro be edited as text? It can if it has a replacement, its parentheses match, and there
 * is no # or ##. text: what follows the macro's name. */
static int is_plain(const char *text)
{
    size_t n = logical_line(text);
    const char *value = memchr(text, ')', n);
    int depth = 0;
    for (size_t i = 0; i < n && depth >= 0; i++) {
        depth += strchr("([{", text[i]) != NULL;
        depth -= strchr(")]}", text[i]) != NULL;
        if (text[i] == '#') return 0;
    }
    return !depth && value && (size_t)(value + 1 - text) + strspn(value + 1, " \t\\\n") < n;
}

/* Read a line that begins with #. A #define that can be edited becomes several tokens, any other
 * such line one token. */
static void directive(struct lexer *l)
{
    const char *text = l->code->text + l->at, *name = text + 1 + strspn(text + 1, " \t");
    size_t word = strcspn(name, " \t\n");
    const char *end = name + word + strspn(name + word, " \t");
    size_t called = 0;
    while (isalnum((unsigned char)end[called]) || end[called] == '_') called++;
    if (word == 6 && !strncmp(name, "define", word) && called &&
        (end[called] != '(' || is_plain(end + called))) {
        push(l, TOKEN_DIRECTIVE, (size_t)(name + word - text));
        l->define = l->code->count - 1;
    } else {
        push(l, TOKEN_DIRECTIVE, logical_line(text));
    }
}

static size_t comment(const char *text)
{
    const char *end;
    if (text[0] != '/' || (text[1] != '/' && text[1] != '*')) return 0;
    end = text[1] == '/' ? strchr(text, '\n') : strstr(text + 2, "*/");
    return end ? (size_t)(end - text) + (text[1] == '*' ? 2 : 0) : strlen(text);
}

static size_t quoted(const char *text)
{
    size_t n = 1;
    while (text[n] && text[n] != *text && text[n] != '\n')
        n += text[n] == '\\' && text[n + 1] ? 2 : 1;
    return text[n] == *text ? n + 1 : n;
}

static size_t mark(const char *text)
{
    static const char *const longer[] = {"<<=", ">>=", "...", "<=", ">=", "==", "!=", "&&", "||",
        "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "->", "::", "<<", ">>"};
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
        if (!strncmp(text, longer[i], strlen(longer[i]))) return strlen(longer[i]);
    return 1;
}

static size_t number(const char *text)
{
    size_t n = 1;
    while (isalnum((unsigned char)text[n]) || text[n] == '.' ||
           (strchr("+-", text[n]) && text[n] && strchr("eE", text[n - 1]) && text[1] != 'x'))
        n++;
    return n;
}

size_t code_length(const char *text)
{
    size_t n = 0;
    if (isdigit((unsigned char)*text)) return number(text);
    while (isalnum((unsigned char)text[n]) || text[n] == '_') n++;
    return n ? n : mark(text);
}

static void lex(struct code *c)
{
    struct lexer l = {.code = c, .line = 1, .define = -1};
    for (int fresh = 1; c->text[l.at];) { /* fresh: only blanks precede position l.at in its line */
        const char *at = c->text + l.at;
        size_t n = comment(at);
        if (n || isspace((unsigned char)*at) || (*at == '\\' && at[1] == '\n')) {
            n = n ? n : *at == '\\' ? 2 : 1;
            if (*at == '\n') fresh = 1, l.define = -1;
            for (size_t i = 0; i < n; i++) l.line += at[i] == '\n';
            l.at += n;
            continue;
        }
        if (*at == '#' && fresh)
            directive(&l);
        else if (isalpha((unsigned char)*at) || *at == '_') {
            while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
            push(&l, TOKEN_NAME, n);
        } else if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1])))
            push(&l, TOKEN_NUMBER, number(at));
        else if (*at == '"' || *at == '\'')
            push(&l, TOKEN_STRING, quoted(at));
        else
            push(&l, TOKEN_MARK, mark(at));
        fresh = 0;
    }
}

/* Set the field pair of all brackets. -1: they do not match. */
static int pair_brackets(struct code *c)
{
    int *open = xcalloc((size_t)c->count + 1, sizeof *open), depth = 0, bad = 0;
    for (int i = 0; i < c->count && !bad; i++) {
        const struct token *t = &c->tokens[i];
        char is = t->kind == TOKEN_MARK && t->len == 1 ? c->text[t->at] : 0;
        if (is && strchr("([{", is))
            open[depth++] = i;
        else if (is && strchr(")]}", is)) {
            static const char pairs[] = "()[]{}";
            bad = !depth || strchr(pairs, c->text[c->tokens[open[depth - 1]].at])[1] != is;
            if (bad) break;
            c->tokens[i].pair = open[--depth];
            c->tokens[open[depth]].pair = i;
        }
    }
    free(open);
    return bad || depth ? -1 : 0;
}

/* ---- the text of tokens ---- */

int code_is(const struct code *c, int token, const char *text)
{
    if (token < 0 || token >= c->count) return 0;
    const struct token *t = &c->tokens[token];
    return t->len == strlen(text) && !memcmp(c->text + t->at, text, t->len);
}

int code_same(const struct code *c, int a, int b)
{
    const struct token *x = &c->tokens[a], *y = &c->tokens[b];
    return x->len == y->len && !memcmp(c->text + x->at, c->text + y->at, x->len);
}

char *code_word(const struct code *c, int token)
{
    return xstrndup(c->text + c->tokens[token].at, c->tokens[token].len);
}

char *code_text(const struct code *c, int first, int last)
{
    struct buf out = {0};
    buf_add(&out, "", 0);
    for (int i = first; i <= last; i++) {
        const struct token *t = &c->tokens[i];
        if (t->kind == TOKEN_DIRECTIVE || (i > first && c->tokens[i - 1].kind == TOKEN_DIRECTIVE))
            buf_add(&out, "\n", 1);
        else if (i > first && t->at > c->tokens[i - 1].at + c->tokens[i - 1].len)
            buf_add(&out, " ", 1);
        buf_add(&out, c->text + t->at, t->len);
    }
    return out.data ? out.data : xstrdup("");
}

/* ---- top-level items ---- */

static struct item *add_item(struct code *c, size_t *cap, enum item_kind kind, int first, int last)
{
    size_t count = (size_t)c->item_count;
    struct item *x = VEC_PUSH(c->items, count, *cap);
    c->item_count = (int)count;
    *x = (struct item){kind, first, last, -1, -1, -1, 0};
    return x;
}

/* The index of the name before the ( of the parameters of a function whose body begins with the
 * token `brace`. -1: this { does not begin a function. */
static int function_name(const struct code *c, int first, int brace)
{
    int close = brace - 1;
    if (code_is(c, first, "struct") || code_is(c, first, "namespace") || code_is(c, first, "enum"))
        return -1;
    if (close <= first || !code_is(c, close, ")")) return -1;
    int name = c->tokens[close].pair - 1;
    return name >= first && c->tokens[name].kind == TOKEN_NAME ? name : -1;
}

/* Add the function, LAUNCH line or other top-level item that begins with the token `first`. Returns
 * the index of the token after the item. */
static int take_item(struct code *c, size_t *cap, int first)
{
    int variable = 0, i = first;
    struct item *x;
    if (c->tokens[first].kind == TOKEN_DIRECTIVE) {
        while (i + 1 < c->count && c->tokens[i + 1].define == first) i++;
        x = add_item(c, cap, i > first ? ITEM_DEFINE : ITEM_OTHER, first, i);
        if (i > first) x->name = first + 1;
        const struct token *name = &c->tokens[first + 1];
        if (i > first + 2 && code_is(c, first + 2, "(") &&
            c->tokens[first + 2].at == name->at + name->len)
            x->kind = ITEM_MACRO, x->open = first + 2, x->body = c->tokens[first + 2].pair + 1;
        return i + 1;
    }
    if (code_is(c, first + 1, "(") &&
        (code_is(c, first, "LAUNCH") || code_is(c, first, "LAUNCH_SHARED") ||
            code_is(c, first, "PREDICT"))) {
        i = c->tokens[first + 1].pair;
        x = add_item(c, cap, code_is(c, first, "PREDICT") ? ITEM_PREDICT : ITEM_LAUNCH, first, i);
        x->name = first + 2;
        return code_is(c, i + 1, ";") ? i + 2 : i + 1;
    }
    if (code_is(c, first, "TENSOR_MAP") && code_is(c, first + 1, "(")) {
        i = c->tokens[first + 1].pair;
        add_item(c, cap, ITEM_OTHER, first, i);
        return code_is(c, i + 1, ";") ? i + 2 : i + 1;
    }
    for (; i < c->count && !code_is(c, i, ";"); i++) {
        variable |= code_is(c, i, "__constant__") || code_is(c, i, "__device__") ||
                    code_is(c, i, "__shared__");
        if (code_is(c, i, "{") && function_name(c, first, i) >= 0) {
            x = add_item(c, cap, ITEM_FUNCTION, first, c->tokens[i].pair);
            x->name = function_name(c, first, i);
            x->open = x->name + 1;
            x->body = i;
            return x->last + 1;
        }
        if (c->tokens[i].pair > i) i = c->tokens[i].pair;
    }
    if (i == c->count) i--;
    int called = 0; /* becomes 1 for a function that is declared without a body */
    for (int k = first; k < i; k++) called |= code_is(c, k, "(");
    add_item(c, cap, variable && !called ? ITEM_VARIABLE : ITEM_OTHER, first, i);
    return i + 1;
}

/* Set `used` of a function and of all that it calls, directly or not. */
static void mark_used(struct code *c, struct item *f)
{
    f->used = 1;
    for (int i = f->first; i <= f->last; i++)
        for (int k = 0; k < c->item_count && c->tokens[i].kind == TOKEN_NAME; k++) {
            struct item *x = &c->items[k];
            int called = x->kind == ITEM_FUNCTION || x->kind == ITEM_MACRO;
            if (called && !x->used && code_same(c, i, x->name)) mark_used(c, x);
        }
}

int code_read(struct code *c, const char *text, const char *kernel)
{
    size_t cap = 0;
    struct item *run = NULL;
    *c = (struct code){.text = text};
    lex(c);
    if (pair_brackets(c)) return -1;
    for (int i = 0; i < c->count;) i = take_item(c, &cap, i);
    for (int i = 0; i < c->item_count; i++) {
        struct item *x = &c->items[i];
        const char *word = text + c->tokens[x->first].at;
        if (x->kind == ITEM_OTHER && *word == '#' &&
            !strncmp(word + 1 + strspn(word + 1, " \t"), "if", 2))
            return -1;
        if (x->kind == ITEM_FUNCTION && code_is(c, x->name, kernel)) run = x;
    }
    if (!run) return -1;
    mark_used(c, run);
    for (int i = 0; i < c->item_count; i++)
        if (c->items[i].kind == ITEM_FUNCTION && c->items[i].used) code_statements(c, i);
    code_names(c);
    return 0;
}

void code_free(struct code *c)
{
    free(c->tokens), free(c->items), free(c->statements), free(c->symbols);
    *c = (struct code){0};
}

/* ---- what a token refers to ---- */

int code_symbol(const struct code *c, int token)
{
    int best = -1;
    if (c->tokens[token].kind != TOKEN_NAME || code_is(c, token - 1, ".") ||
        code_is(c, token - 1, "->"))
        return -1;
    for (int i = 0; i < c->symbol_count; i++) {
        const struct symbol *s = &c->symbols[i];
        if (token >= s->from && token <= s->to && code_same(c, s->name, token) &&
            (best < 0 || s->from >= c->symbols[best].from))
            best = i;
    }
    return best;
}

int code_line(const struct code *c, size_t at)
{
    int line = 1 - c->before;
    for (size_t i = 0; i < at; i++) line += c->text[i] == '\n';
    return line;
}

int code_statement(const struct code *c, int token)
{
    int best = -1;
    for (int i = 0; i < c->statement_count; i++)
        if (token >= c->statements[i].first && token <= c->statements[i].last &&
            (best < 0 || c->statements[i].first >= c->statements[best].first))
            best = i;
    return best;
}

int code_item(const struct code *c, int token)
{
    for (int i = 0; i < c->item_count; i++)
        if (token >= c->items[i].first && token <= c->items[i].last) return i;
    return -1;
}

int code_function(const struct code *c, int token)
{
    for (int i = 0; i < c->item_count; i++)
        if (c->items[i].kind == ITEM_FUNCTION && token >= c->items[i].first &&
            token <= c->items[i].last)
            return i;
    return -1;
}

int code_named(const struct code *c, enum item_kind kind, int token)
{
    for (int k = 0; k < c->item_count && token >= 0 && token < c->count; k++)
        if (c->items[k].kind == kind && code_same(c, c->items[k].name, token)) return k;
    return -1;
}

int code_call(const struct code *c, int token)
{
    int open = token + 1;
    if (code_is(c, open, "<")) /* template arguments precede the (, as in turn<32>( */
        while (open < c->count && !code_is(c, open, "(") && !code_is(c, open, ";")) open++;
    int f = code_is(c, open, "(") ? code_named(c, ITEM_FUNCTION, token) : -1;
    return f >= 0 && c->items[f].name != token ? open : -1;
}

int code_is_angle(const struct code *c, int token)
{
    int open = token;
    if (code_is(c, token, ">"))
        while (
            open > 0 && !code_is(c, open, "<") && !code_is(c, open, ";") && !code_is(c, open, "("))
            open--;
    return (code_is(c, token, "<") || code_is(c, token, ">")) && code_is(c, open, "<") &&
           code_call(c, open - 1) >= token;
}

int code_constant(const struct code *c, int token)
{
    /* in #define NAME VALUE a blank follows the name; in a macro with parameters, ( follows the
     * name at once */
    int define = c->tokens[token].define;
    if (define >= 0 && end_of(c, define + 1) < start_of(c, define + 2)) return 1;
    for (int i = 0; i < c->symbol_count; i++)
        if (c->symbols[i].statement < 0 && token >= c->symbols[i].init[0] &&
            token <= c->symbols[i].init[1])
            return 1;
    return 0;
}

int code_expression_end(const struct code *c, int token, int last)
{
    int i = token, choices = 0;
    for (; i <= last; i++) {
        if (code_is(c, i, ",") || code_is(c, i, ";") || code_is(c, i, ")") || code_is(c, i, "]") ||
            code_is(c, i, "}") || (code_is(c, i, ":") && choices-- == 0))
            break;
        choices += code_is(c, i, "?");
        if (c->tokens[i].pair > i) i = c->tokens[i].pair;
    }
    return i - 1;
}

long code_open(const char *text, size_t len)
{
    enum { ROUND = 1, SQUARE = 1 << 8, CURLY = 1 << 16, CHOICE = 1 << 24 };
    long open = 0;
    for (size_t i = 0; i < len; i++) {
        int colon = text[i] == ':';
        if (colon && i + 1 < len && text[i + 1] == ':') i++, colon = 0;
        open += ROUND * ((text[i] == '(') - (text[i] == ')')) +
                SQUARE * ((text[i] == '[') - (text[i] == ']')) +
                CURLY * ((text[i] == '{') - (text[i] == '}')) + CHOICE * ((text[i] == '?') - colon);
    }
    return open;
}

int code_ends_operand(const struct code *c, int i)
{
    return c->tokens[i].kind == TOKEN_NAME || c->tokens[i].kind == TOKEN_NUMBER ||
           code_is(c, i, ")") || code_is(c, i, "]");
}

int code_loop_variable(const struct code *c, int token)
{
    int s = code_symbol(c, token), d = s < 0 ? -1 : c->symbols[s].statement;
    return d >= 0 && c->statements[d].kind == STATEMENT_FOR;
}
