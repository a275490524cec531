/* declared.c - finds the dimensions of an array in the learner's source, since PTX only has its
 * size.
 *
 *     #define TILE 32      or a name that the file does not define: the one value that fits the size
 *     __shared__ float a_tile[TILE][TILE + 1], b_tile[TILE][TILE];
 *                      │     │     └ a constant expression: numbers, + - * / and names of constants
 *                      name  dimension 0                    └ a second array of the same statement
 *
 * PTX states how many bytes an array has, so a declaration with another size is not the right one.
 * This is a text search, not a compiler: if it cannot evaluate a declaration, the array has no
 * known dimensions, and messages then state byte offsets. */
#include "sim/check/declared.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The next occurrence of the n characters of word as a whole word, from `from` up to `to`; NULL:
 * there is none. If to is NULL, the whole rest of the text is searched. */
static const char *find_word(
    const char *text, const char *from, const char *to, const char *word, size_t n)
{
    for (const char *at = from; (at = strstr(at, word)) && (!to || at < to); at++)
        if ((at == text || !is_word(at[-1])) && !is_word(at[n])) return at;
    return NULL;
}

/* ---- constant expressions ---- */

/* A trial value for the one name of a declaration that the file does not define. name: NULL until
 * such a name is read. */
struct guess {
    const char *name;
    size_t length;
    long long value;
};

/* A reader of constant expressions. deep: depth of names defined by other names; left: how many
 * more names the reader may look up; both limit recursion. bad: the expression could not be
 * evaluated. guess: NULL: a name that the file does not define cannot be evaluated. */
struct reader {
    const char *text, *at;
    int deep, bad, *left;
    struct guess *guess;
};

static long long sum_of(struct reader *r);

static void skip(struct reader *r) { r->at += strspn(r->at, " \t\r\n"); }

/* The value of a named constant: "#define NAME 32" or "NAME = 32". */
static long long constant_of(struct reader *r, const char *name, size_t n)
{
    char *word = xstrndup(name, n);
    long long value = 0;
    int found = 0;
    for (const char *at = r->text; !found && (at = find_word(r->text, at, NULL, word, n));
         at += n) {
        const char *after = at + n + strspn(at + n, " \t"), *before = at;
        while (before > r->text && strchr(" \t", before[-1])) before--;
        int defined = before - r->text >= 7 && !strncmp(before - 7, "#define", 7) && after > at + n;
        if (!defined && (*after != '=' || after[1] == '=')) continue;
        struct reader inner = {r->text, after + !defined, r->deep + 1, 0, r->left, r->guess};
        value = inner.deep < 8 && --*r->left > 0 ? sum_of(&inner) : (inner.bad = 1);
        found = !inner.bad;
    }
    free(word);
    struct guess *g = r->guess;
    if (!found && g && (!g->name || (g->length == n && !memcmp(g->name, name, n)))) {
        g->name = name, g->length = n;
        return g->value;
    }
    r->bad |= !found;
    return value;
}

static long long factor_of(struct reader *r)
{
    skip(r);
    if (*r->at == '(') {
        r->at++;
        long long v = sum_of(r);
        skip(r);
        r->bad |= *r->at != ')';
        r->at += *r->at == ')';
        return v;
    }
    if (isdigit((unsigned char)*r->at)) {
        char *end;
        long long v = strtoll(r->at, &end, 0);
        r->at = end + strspn(end, "uUlL");
        return v;
    }
    size_t n = 0;
    while (is_word(r->at[n])) n++;
    r->bad |= !n;
    const char *name = r->at;
    r->at += n;
    return n ? constant_of(r, name, n) : 0;
}

static long long product_of(struct reader *r)
{
    long long v = factor_of(r);
    for (skip(r);
         !r->bad && (*r->at == '*' || (*r->at == '/' && r->at[1] != '/' && r->at[1] != '*'));
         skip(r)) {
        char op = *r->at++;
        long long with = factor_of(r);
        if (op == '*')
            r->bad |= __builtin_mul_overflow(v, with, &v);
        else if (with)
            v /= with;
        else
            r->bad = 1;
    }
    return v;
}

static long long sum_of(struct reader *r)
{
    long long v = product_of(r);
    for (skip(r); !r->bad && (*r->at == '+' || *r->at == '-'); skip(r)) {
        char op = *r->at++;
        long long with = product_of(r);
        r->bad |=
            op == '+' ? __builtin_add_overflow(v, with, &v) : __builtin_sub_overflow(v, with, &v);
    }
    return v;
}

/* ---- declarations ---- */

/* Reads the dimensions that follow an array's name. One dimension that cannot be evaluated, such as
 * a template's parameter, is set to 0; it follows from the array's bytes (fill_in). Returns
 * the text behind them; NULL: they cannot be read. */
static const char *dimensions(
    const char *text, const char *at, struct guess *guess, struct declared *out)
{
    size_t all = 1;
    int unknown = 0;
    out->count = 0;
    for (at += strspn(at, " \t"); *at == '['; at += strspn(at, " \t")) {
        int left = 100;
        struct reader r = {text, at + 1, 0, 0, &left, guess};
        long long n = sum_of(&r);
        skip(&r);
        int bad = r.bad || *r.at != ']', names = is_word(at[1]) || at[1] == '(';
        const char *end = bad ? strchr(at, ']') : r.at;
        if (!end || (bad && (unknown++ || !names)) || (!bad && (n < 1 || n > 1 << 24))) return NULL;
        if (out->count == DECLARED_DIMS) return NULL;
        all *= bad ? 1 : (size_t)n;
        out->dim[out->count++] = bad ? 0 : (long)n;
        at = end + 1;
    }
    out->elements = all;
    return out->count ? at : NULL;
}

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++) line += *text == '\n';
    return line;
}

/* The start of the statement that contains position at. */
static const char *statement(const char *text, const char *at)
{
    while (at > text && !strchr(";{}", at[-1])) at--;
    return at + strspn(at, " \t\r\n");
}

/* Bytes of an element of the array, from the type in its declaration "__shared__ float ..."; 0: an
 * unknown type. */
static size_t element_of(const char *mark, const char *name)
{
    static const struct {
        const char *type;
        size_t bytes;
    } types[] = {{"float", 4}, {"double", 8}, {"char", 1}, {"short", 2}, {"float2", 8},
        {"float4", 16}, {"int2", 8}, {"int4", 16}, {"long", 8}, {"int", 4}, {"unsigned", 4}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (find_word(mark, mark, name, types[i].type, strlen(types[i].type)))
            return types[i].bytes;
    return 0;
}

/* If one dimension is 0 (unknown), computes it from the others and the array's size in bytes.
 * Returns 1; 0 if that is not possible. */
static int fill_in(struct declared *d, size_t bytes, size_t element)
{
    for (int i = 0; i < d->count; i++)
        if (!d->dim[i]) {
            size_t unit = d->elements * element;
            if (!unit || bytes % unit || !bytes) return 0;
            d->dim[i] = (long)(bytes / unit);
            d->elements *= (size_t)d->dim[i];
        }
    return 1;
}

/* Reads the declaration of a variable without dimensions. Returns 0 if it is none, or if the
 * variable has more than 16 bytes: then it is a structure. */
static int scalar(const char *after, size_t bytes, struct declared *out)
{
    after += strspn(after, " \t");
    if (!strchr(";,", *after) || !bytes || bytes > 16) return 0;
    *out = (struct declared){.count = 1, .scalar = 1, .dim = {1}, .elements = 1};
    return 1;
}

/* Reads dimensions with a name that the file does not define, such as LOCKSTEP_TILE: tries values
 * for it until the array has its size. Returns 0 if no value fits. */
static int guessed(
    const char *text, const char *at, size_t bytes, size_t element, struct declared *out)
{
    enum { MOST = 1024 };
    for (int value = 1; value <= MOST && element; value++) {
        struct guess g = {.value = value};
        if (dimensions(text, at, &g, out) && g.name && out->elements * element == bytes) return 1;
    }
    return 0;
}

int declared_array(
    const char *text, const char *name, const char *function, size_t bytes, struct declared *out)
{
    const char *from = function && text ? strstr(text, function) : NULL;
    for (int again = 0; text && again < 2; again++, from = text)
        for (const char *at = from; at && (at = find_word(text, at, NULL, name, strlen(name)));
             at++) {
            const char *start = statement(text, at), *mark = strstr(start, "__shared__");
            if (!mark || mark > at) continue;
            const char *after = at + strlen(name);
            out->scalar = 0;
            size_t element = element_of(mark, at);
            if (!bytes) continue;
            if (!scalar(after, bytes, out) && !dimensions(text, after, NULL, out) &&
                !guessed(text, after, bytes, element, out))
                continue;
            if (!fill_in(out, bytes, element) || bytes % out->elements) continue;
            out->element = bytes / out->elements;
            out->line = line_of(text, at);
            return 1;
        }
    return 0;
}

/* The body of a function: a pointer to its opening brace, with *end at the closing one; NULL: there
 * is none. */
static const char *body_of(const char *text, const char *function, const char **end)
{
    const char *at = text;
    while ((at = find_word(text, at, NULL, function, strlen(function)))) {
        const char *after = at += strlen(function);
        after += strspn(after, " \t\r\n");
        const char *open = *after == '(' ? strpbrk(after, "{;") : NULL;
        if (!open || *open == ';') continue;
        int depth = 0;
        for (*end = open; **end; ++*end) {
            depth += (**end == '{') - (**end == '}');
            if (!depth) return open;
        }
        return NULL;
    }
    return NULL;
}

/* Looks for statements "TYPE name[..]" in the function's body. A match with further words before
 * the bracket, as in an expression, is no declaration. */
int declared_own(
    const char *text, const char *function, struct declared *out, char *name, size_t size)
{
    static const char *const types[] = {
        "float", "double", "int", "unsigned", "char", "short", "long", "float4"};
    static const size_t widths[] = {4, 8, 4, 4, 1, 2, 8, 16};
    const char *end = NULL, *at = text ? body_of(text, function, &end) : NULL;
    int count = 0;
    for (; at && at < end; at += strcspn(at, ";{}\n") + 1) {
        at += strspn(at, " \t\r\n;{}");
        const char *p = !strncmp(at, "volatile ", 9) ? at + 9 : at;
        for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
            size_t n = strlen(types[i]), word = 0;
            struct declared d = {0};
            if (strncmp(p, types[i], n) || p[n] != ' ') continue;
            const char *own = p + n + strspn(p + n, " ");
            while (is_word(own[word])) word++;
            if (!word || word >= size || !dimensions(text, own + word, NULL, &d) ||
                !fill_in(&d, 0, 0))
                continue;
            if (count++) continue;
            *out = d;
            out->element = widths[i];
            out->line = line_of(text, at);
            memcpy(name, own, word);
            name[word] = 0;
        }
    }
    return count;
}
