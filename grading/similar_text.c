/* similar_text.c - a text as runs of statements that outlive a disguise.
 *
 *     for (int i = 0; i < 32; ++i) sum += a[i] * b;        sum += a [ i ] * b
 *     int k = 0;                                           (shorter statements say nothing)
 *     while (k < 4 * 8) { total += in[k] * scale; k++; }   the same, with other names
 *
 * Left out are comments, white space, parentheses, types and words of loops. A number is 0, as is
 * what is computed from numbers alone. A statement ends at ; , { } and behind a condition. The body
 * of a macro is read as code.
 */
#include "grading/similar.h"
#include "grading/tokens.h"

#include <stdlib.h>
#include <string.h>

/* In tokens. A longer statement is cut. */
enum { STATEMENT_LEAST = 4, STATEMENT_MOST = 100, RUN_LEAST = 8 };

static const char *const dropped[] = {"for", "while", "switch", "do", "else", "const", "static",
    "inline", "__inline__", "__forceinline__", "volatile", "__restrict__", "register", "__device__",
    "constexpr", "ROLLED", "_Pragma", "int", "float", "double", "char", "void", "bool", "unsigned",
    "long", "short", "size_t", "auto", "int32_t", "uint32_t", "(", ")", NULL};

struct reader {
    struct token *list; /* those that count */
    size_t count;
    size_t before, from; /* where the statement before and this one begin */
    struct runs *runs;
    size_t student;
    uint64_t whole; /* the sum of the statements' hashes */
};

/* A name counts as the distance to where it stood before, so renaming changes nothing. */
static uint64_t run_hash(const struct token *t, size_t n)
{
    uint64_t h = n;
    for (size_t i = 0; i < n; i++) {
        size_t ago = 1;
        while (ago <= i && t[i - ago].hash != t[i].hash) ago++;
        h = (h ^ (t[i].kind != TOKEN_WORD ? t[i].hash : ago <= i ? ago : 0)) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h;
}

static void add_run(struct reader *r, size_t from)
{
    const struct token *t = &r->list[from];
    size_t n = r->count - from;
    if (n >= RUN_LEAST)
        *VEC_PUSH(r->runs->list, r->runs->count, r->runs->cap) =
            (struct run){run_hash(t, n), t[0].line, t[n - 1].line, r->student, 0};
}

static void end_statement(struct reader *r)
{
    if (r->count - r->from < STATEMENT_LEAST) {
        r->count = r->from;
        return;
    }
    if (r->before < r->from) add_run(r, r->before);
    add_run(r, r->from);
    r->whole += run_hash(&r->list[r->from], r->count - r->from);
    r->before = r->from, r->from = r->count;
}

/* Does a token end a statement: does it separate two, or is it a ) before a word, as behind a
 * condition? */
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

static void add(struct reader *r, struct token t, int is_member)
{
    const struct token *now = &r->list[r->count];
    int number = t.kind == TOKEN_NUMBER;
    if (number && r->count - r->from >= 2 && now[-2].kind == TOKEN_NUMBER &&
        strchr("+-*", *now[-1].at)) {
        r->count--; /* what is computed from two numbers is a number */
        return;
    }
    if (number) t.hash = 0;
    if (is_member) t.kind = TOKEN_OPERATOR; /* what it is called counts */
    r->list[r->count++] = t;
}

uint64_t runs_read(struct runs *out, size_t student, const char *text)
{
    struct tokens t;
    tokens_read(&t, text);
    struct reader r = {.list = t.list, .runs = out, .student = student};
    for (size_t i = 0; i < t.count; i++) {
        int end = ends(&t.list[i], i + 1 == t.count);
        if (end || r.count - r.from == STATEMENT_MOST) end_statement(&r);
        if (!end && !is_dropped(&t.list[i])) add(&r, t.list[i], i && *t.list[i - 1].at == '.');
    }
    end_statement(&r);
    tokens_free(&t);
    return r.whole;
}
