/* similar_text.c - a text as grams that outlive a disguise.
 *
 *     for (int i = 0; i < 32; ++i) sum += a[i];    int n0 = N ; while ( n0 < N ) n1 += n2 [ n0 ] ; ++ n0 ;
 *     int j = 0;                                   the same
 *     while (j < 4 * 8) { s = s + in[j]; j++; }
 *
 * Comments, lines of the preprocessor, braces and qualifiers are left out. A number is N, and so is
 * what is computed from numbers alone. A name is its number within the gram, so x[i] + y[i] is not
 * x[i] + y[j].
 */
#include "grading/similar.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TOKENS_MOST = 20000, STATEMENT_LEAST = 6, STATEMENT_MOST = 60 };

/* Words that nobody can rename; the grams keep them. */
static const char *const kept[] = {"if", "else", "while", "do", "for", "return", "break",
    "continue", "switch", "case", "int", "float", "double", "char", "void", "bool", "struct",
    "enum", "template", "typename", "sizeof", "__global__", "__shared__", "__constant__",
    "__syncthreads", "__syncwarp", "__ldg", "min", "max", "fmaf", "threadIdx", "blockIdx",
    "blockDim", "gridDim", "LAUNCH", "PREDICT", "BLOCK", "COVERS", "ROLLED", NULL};
static const char *const dropped[] = {"const", "static", "inline", "__inline__", "__forceinline__",
    "volatile", "__restrict__", "restrict", "register", "extern", "__device__", "constexpr",
    "ROLLED", NULL};
static const char *const integers[] = {"unsigned", "long", "short", "size_t", "auto", "signed",
    "int32_t", "uint32_t", "ptrdiff_t", NULL};

/* NAME: at is the place of its first occurrence among the text's names. Others: the hash of their
 * text. */
enum { NAME, NUMBER, WORD };
struct token {
    int kind; /* NAME, NUMBER or WORD */
    uint64_t id;
    int line;
};
struct tokens {
    struct token *list;
    size_t count, cap;
};

static uint64_t hash_of(const char *s, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u;
    while (n--) h = (h ^ (unsigned char)*s++) * 0x100000001b3u;
    return h ^ h >> 29;
}
#define WORD_ID(s) hash_of(s, sizeof(s) - 1)

static int among(const char *const *words, const char *s, size_t n)
{
    for (; *words; words++)
        if (strlen(*words) == n && !strncmp(*words, s, n)) return 1;
    return 0;
}

/* ---- lexer ---- */

/* Past white space, comments and lines of the preprocessor. */
static const char *skip(const char *p, int *line, int *at_start)
{
    for (;; p++) {
        if (*p == '\n')
            ++*line, *at_start = 1;
        else if (*p == '#' && *at_start) {
            while (*p && *p != '\n')
                *line += *p == '\\' && p[1] == '\n', p += *p == '\\' && p[1] ? 2 : 1;
            p--;
        } else if (p[0] == '/' && p[1] == '/')
            p += strcspn(p, "\n") - 1;
        else if (p[0] == '/' && p[1] == '*') {
            const char *end = strstr(p + 2, "*/");
            if (!end) return p + strlen(p);
            for (; p < end; p++) *line += *p == '\n';
            p++;
        } else if (!isspace((unsigned char)*p))
            return p;
    }
}

static size_t length_of(const char *p)
{
    static const char *const long_ones[] = {"<<=", ">>=", "++", "--",
        "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "==", "!=", "<=", ">=", "&&", "||", "<<",
        ">>", "->", "::", NULL};
    size_t n = 0;
    if (isalpha((unsigned char)*p) || *p == '_') {
        while (isalnum((unsigned char)p[n]) || p[n] == '_') n++;
        return n;
    }
    if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]))) {
        while (isalnum((unsigned char)p[n]) || p[n] == '.') n++;
        return n;
    }
    if (*p == '"' || *p == '\'') {
        for (n = 1; p[n] && p[n] != *p && p[n] != '\n'; n++) n += p[n] == '\\' && p[n + 1];
        return n + (p[n] == *p);
    }
    for (const char *const *w = long_ones; *w; w++)
        if (!strncmp(p, *w, strlen(*w))) return strlen(*w);
    return 1;
}

static void add(struct tokens *t, int kind, uint64_t id, int line)
{
    if (t->count < TOKENS_MOST)
        *VEC_PUSH(t->list, t->count, t->cap) = (struct token){kind, id, line};
}

static void lex(struct tokens *t, const char *p)
{
    int line = 1, start = 1;
    while (*(p = skip(p, &line, &start))) {
        size_t n = length_of(p);
        int word = isalpha((unsigned char)*p) || *p == '_';
        start = 0;
        if (word && t->count && t->list[t->count - 1].id == WORD_ID(".") && n == 1 &&
            strchr("xyz", *p))
            t->list[t->count - 1] =
                (struct token){WORD, hash_of(p, n) ^ 1, line}; /* threadIdx.x: two tokens */
        else if (word && among(integers, p, n))
            add(t, WORD, WORD_ID("int"), line);
        else if (word && among(dropped, p, n)) {
        } else if (word)
            add(t, among(kept, p, n) ? WORD : NAME, hash_of(p, n), line);
        else if (isdigit((unsigned char)*p) || (*p == '.' && n > 1))
            add(t, NUMBER, 0, line);
        else
            add(t, WORD, hash_of(p, n), line);
        p += n;
    }
}

/* ---- one form ---- */

static int is(const struct tokens *t, size_t i, uint64_t id)
{
    return i < t->count && t->list[i].kind == WORD && t->list[i].id == id;
}
/* Counted from the end: 1 is the last. */
static struct token *back(struct tokens *t, size_t n)
{
    return n <= t->count ? &t->list[t->count - n] : NULL;
}
static int back_is(struct tokens *t, size_t n, uint64_t id)
{
    return n <= t->count && is(t, t->count - n, id);
}
static int back_kind(struct tokens *t, size_t n, int kind)
{
    return n <= t->count && back(t, n)->kind == kind;
}

static int is_operator(struct tokens *t, size_t n)
{
    return back_is(t, n, WORD_ID("*")) || back_is(t, n, WORD_ID("+")) ||
           back_is(t, n, WORD_ID("-")) || back_is(t, n, WORD_ID("/")) ||
           back_is(t, n, WORD_ID("<<")) || back_is(t, n, WORD_ID("|"));
}

/* Fold what the last token completes. */
static void fold(struct tokens *t)
{
    for (int again = 1; again;) {
        again = 0;
        if (back_kind(t, 1, NUMBER) && is_operator(t, 2) && back_kind(t, 3, NUMBER)) /* N * N */
            t->count -= 2, again = 1;
        if (back_is(t, 1, WORD_ID(")")) && back_kind(t, 2, NUMBER) && back_is(t, 3, WORD_ID("(")) &&
            !back_kind(t, 4, NAME)) {
            t->list[t->count - 3] = *back(t, 2); /* ( N ) */
            t->count -= 2, again = 1;
        }
    }
    /* unsigned int */
    if (back_is(t, 1, WORD_ID("int")) && back_is(t, 2, WORD_ID("int"))) t->count--;
    if (back_is(t, 1, WORD_ID("++")) && back_kind(t, 2, NAME)) { /* i ++ */
        struct token name = *back(t, 2);
        *back(t, 2) = *back(t, 1), *back(t, 1) = name;
    }
    if (back_is(t, 1, WORD_ID(";")) && back_kind(t, 2, NUMBER) && back_is(t, 3, WORD_ID("+=")) &&
        back_kind(t, 4, NAME)) { /* i += 1 */
        struct token name = *back(t, 4), end = *back(t, 1);
        *back(t, 4) = (struct token){WORD, WORD_ID("++"), name.line};
        *back(t, 3) = name, *back(t, 2) = end;
        t->count--;
    }
    if (back_is(t, 1, WORD_ID("+")) && back_kind(t, 2, NAME) && back_is(t, 3, WORD_ID("=")) &&
        back_kind(t, 4, NAME) && back(t, 2)->id == back(t, 4)->id) { /* i = i + */
        back(t, 3)->id = WORD_ID("+=");
        t->count -= 2;
    }
}

static void put(struct tokens *out, const struct token *t)
{
    add(out, t->kind, t->id, t->line);
    fold(out);
}

static size_t closing(const struct tokens *t, size_t i)
{
    for (size_t depth = 0; i < t->count; i++) {
        depth += is(t, i, WORD_ID("("));
        if (is(t, i, WORD_ID(")")) && !--depth) return i;
    }
    return t->count;
}

static void put_range(struct tokens *out, const struct tokens *t, size_t from, size_t to)
{
    for (; from < to && from < t->count; from++) put(out, &t->list[from]);
}

static size_t statement(struct tokens *out, const struct tokens *t, size_t i, int depth);

/* for (A; B; C) body: A ; while ( B ) body C ; */
static size_t loop(struct tokens *out, const struct tokens *t, size_t i, int depth)
{
    size_t close = closing(t, i + 1), part[2] = {close, close}, parts = 0;
    for (size_t j = i + 2; j < close && parts < 2; j++)
        if (is(t, j, WORD_ID(";"))) part[parts++] = j;
    struct token word = {WORD, WORD_ID("while"), i < t->count ? t->list[i].line : 0}, end = word;
    end.id = WORD_ID(";");
    if (parts < 2) return put(out, &word), i + 1;
    put_range(out, t, i + 2, part[0] + 1);
    put(out, &word);
    put(out, &t->list[i + 1]);
    put_range(out, t, part[0] + 1, part[1]);
    put(out, &t->list[close < t->count ? close : part[1]]);
    size_t next = statement(out, t, close + 1, depth + 1);
    put_range(out, t, part[1] + 1, close);
    put(out, &end);
    return next;
}

/* Put a statement; returns the place after it. Braces are left out. */
static size_t statement(struct tokens *out, const struct tokens *t, size_t i, int depth)
{
    enum { DEPTH_MOST = 200 };
    if (i >= t->count) return i;
    if (depth > DEPTH_MOST) return put(out, &t->list[i]), i + 1;
    if (is(t, i, WORD_ID("for")) && is(t, i + 1, WORD_ID("("))) return loop(out, t, i, depth);
    if ((is(t, i, WORD_ID("if")) || is(t, i, WORD_ID("while"))) && is(t, i + 1, WORD_ID("("))) {
        size_t close = closing(t, i + 1);
        put_range(out, t, i, close + 1);
        return statement(out, t, close + 1, depth + 1);
    }
    if (is(t, i, WORD_ID("{"))) {
        for (i++; i < t->count && !is(t, i, WORD_ID("}"));) i = statement(out, t, i, depth + 1);
        return i + 1;
    }
    for (; i < t->count && !is(t, i, WORD_ID("{")) && !is(t, i, WORD_ID("}")); i++) {
        put(out, &t->list[i]);
        if (is(t, i, WORD_ID(";")) || is(t, i, WORD_ID("else"))) return i + 1;
    }
    return i;
}

/* ---- grams ---- */

static uint64_t gram_hash(const struct token *t, size_t n)
{
    uint64_t seen[STATEMENT_MOST], h = 0x9e3779b97f4a7c15u * n;
    size_t names = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t id = t[i].id;
        if (t[i].kind == NAME) {
            for (id = 0; id < names && seen[id] != t[i].id; id++) {}
            if (id == names) seen[names++] = t[i].id;
        }
        h = (h ^ (id + (uint64_t)t[i].kind * 0x51ed27u)) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h;
}

static struct gram gram_of(const struct token *t, size_t n)
{
    struct gram g = {gram_hash(t, n), t->line, t->line};
    for (size_t i = 1; i < n; i++) {
        if (t[i].line < g.first) g.first = t[i].line;
        if (t[i].line > g.last) g.last = t[i].line;
    }
    return g;
}

void grams_read(struct grams *g, const char *text)
{
    struct tokens raw = {0}, out = {0};
    *g = (struct grams){0};
    lex(&raw, text);
    for (size_t i = 0; i < raw.count;) {
        size_t next = statement(&out, &raw, i, 0);
        i = next > i ? next : i + 1; /* a stray brace */
    }
    g->list = xcalloc(2 * out.count + 1, sizeof *g->list);
    for (size_t i = 0; i + GRAM <= out.count; i++) g->list[g->runs++] = gram_of(&out.list[i], GRAM);
    g->count = g->runs;
    for (size_t from = 0, i = 0; i < out.count; i++) {
        if (!is(&out, i, WORD_ID(";"))) continue;
        size_t n = i - from;
        if (n >= STATEMENT_LEAST && n <= STATEMENT_MOST)
            g->list[g->count++] = gram_of(&out.list[from], n);
        from = i + 1;
    }
    free(raw.list), free(out.list);
}

void grams_free(struct grams *g)
{
    free(g->list);
    *g = (struct grams){0};
}

/* ---- what was given ---- */

static int by_hash(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

void known_add(struct known *k, const char *text)
{
    struct grams g;
    grams_read(&g, text);
    for (size_t i = 0; i < g.count; i++) *VEC_PUSH(k->list, k->count, k->cap) = g.list[i].hash;
    grams_free(&g);
}

void known_close(struct known *k)
{
    if (k->count) qsort(k->list, k->count, sizeof *k->list, by_hash);
}

int known_has(const struct known *k, uint64_t hash)
{
    return k->count && bsearch(&hash, k->list, k->count, sizeof *k->list, by_hash);
}
