/* similar_text.c - split a text into runs (one statement, or two in a row) that stay the same under
 * a disguise.
 *
 *     for (int i = 0; i < 32; ++i) sum += a[i] * b;        sum += a [ i ] * b
 *     int k = 0;                                           (shorter statements say nothing)
 *     while (k < 4 * 8) { total += in[k] * scale; k++; }   the same, with other names
 *
 * Left out are comments, white space, parentheses, types and words of loops. Every number counts as
 * 0, and so does an expression of numbers alone. A statement ends at ; , { } and behind a
 * condition. The body of a macro is read as code.
 */
#include "grading/similar.h"
#include "grading/tokens.h"

#include <stdlib.h>
#include <string.h>

/* Lengths in tokens. A longer statement is split. */
enum { STATEMENT_LEAST = 4, STATEMENT_MOST = 100, RUN_LEAST = 8 };

static const char *const dropped[] = {"for", "while", "switch", "do", "else", "const", "static",
    "inline", "__inline__", "__forceinline__", "volatile", "__restrict__", "register", "__device__",
    "constexpr", "ROLLED", "_Pragma", "int", "float", "double", "char", "void", "bool", "unsigned",
    "long", "short", "size_t", "auto", "int32_t", "uint32_t", "(", ")", NULL};

/* Add a run of statements, of n tokens, unless it is too short. Returns its hash. A name is hashed
 * as the distance to its previous occurrence, so renaming changes nothing. */
static uint64_t add_run(struct runs *out, size_t student, const struct token *t, size_t n)
{
    uint64_t h = n;
    for (size_t i = 0; i < n; i++) {
        size_t ago = 1;
        while (ago <= i && t[i - ago].hash != t[i].hash) ago++;
        h = (h ^ (t[i].kind != TOKEN_WORD ? t[i].hash : ago <= i ? ago : 0)) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    if (n >= RUN_LEAST)
        *VEC_PUSH(out->list, out->count, out->cap) =
            (struct run){h, t[0].line, t[n - 1].line, student, 0};
    return h;
}

/* Does a token end a statement? A separator does, and a ) before a word, as after a condition; so
 * does each token of a directive. */
static int ends(const struct token *t, int is_last)
{
    return t->in_directive || strchr(";,{}", *t->at) ||
           (*t->at == ')' && !is_last && t[1].kind == TOKEN_WORD);
}

static int is_dropped(const struct token *t)
{
    for (const char *const *d = dropped; *d; d++)
        if (token_is(t, *d)) return 1;
    return t->kind == TOKEN_LITERAL;
}

/* Append a token to the n tokens of a statement. An operation on two numbers becomes one number;
 * the name of a member is kept. Returns the new number of tokens. */
static size_t append(struct token *statement, size_t n, struct token t, int is_member)
{
    const struct token *last = &statement[n] - 1;
    int is_number = t.kind == TOKEN_NUMBER;
    if (is_number && n >= 2 && last[-1].kind == TOKEN_NUMBER && strchr("+-*", *last->at))
        return n - 1;
    if (is_number) t.hash = 0;
    if (is_member) t.kind = TOKEN_OPERATOR;
    statement[n] = t;
    return n + 1;
}

/* Each statement is built in place, over its own tokens in t.list: no second list is needed. */
uint64_t runs_read(struct runs *out, size_t student, const char *text)
{
    struct tokens t;
    uint64_t whole = 0;
    size_t before = 0, from = 0, n = 0; /* starts of the previous and this statement; its tokens */
    tokens_read(&t, text);
    for (size_t i = 0; i <= t.count; i++) {
        int end = i == t.count || ends(&t.list[i], i + 1 == t.count);
        if ((end && n >= STATEMENT_LEAST) || n == STATEMENT_MOST) {
            if (before < from) add_run(out, student, &t.list[before], from + n - before);
            whole += add_run(out, student, &t.list[from], n);
            before = from, from += n, n = 0;
        }
        if (end)
            n = 0;
        else if (!is_dropped(&t.list[i]))
            n = append(&t.list[from], n, t.list[i], i && *t.list[i - 1].at == '.');
    }
    tokens_free(&t);
    return whole;
}
