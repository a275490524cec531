/* similar_text.c - a text as fingerprints that outlive a disguise.
 *
 *     for (int i = 0; i < 32; ++i) sum += a[i] * b[i];      sum = sum + a i * b i
 *     int j = 0;                                            the same
 *     while (j < 4 * 8) { s = s + (in[j] * w[j]); j++; }
 *
 * Macros are expanded. Comments, brackets, keywords and types are left out, and so is a statement that names
 * fewer than two things: a counter's step, a constant, a barrier. What is computed from numbers is a number.
 */
#include "grading/similar.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { RUN = 8, STATEMENT_LEAST = 6, STATEMENT_MOST = 60, ARGUMENTS_MOST = 8 };
enum { EXPANSIONS_MOST = 20000, NESTED_MOST = 100, TARGET_MOST = 16 };

static const char left_out[] =
    " else do return break continue case goto int float double char void bool struct enum template typename "
    "unsigned signed long short size_t auto int32_t uint32_t ptrdiff_t const static inline __inline__ extern "
    "__forceinline__ volatile __restrict__ restrict register constexpr __device__ __global__ ROLLED ";
static const char headers[] = " if for while switch "; /* a parenthesis follows, whose end ends a statement */
static const char fixed[] =
    " __shared__ __constant__ __ldg min max fmaf threadIdx blockIdx blockDim gridDim ";

enum kind { NAME, FIXED, NUMBER, SIGN, HEADER };
enum { DIRECTIVE = 1 }; /* the sign # at the beginning of a line; one of '\n' ends that line */
struct token {
    enum kind kind;
    uint64_t id; /* of a sign its bytes, else the hash of its text */
    int line, call; /* call: a parenthesis follows at once */
};
struct macro {
    uint64_t name;
    size_t parameters, body, end; /* places in raw */
};
struct text {
    struct token *raw, *out; /* as it stands; in one form */
    size_t raw_count, raw_cap, count, cap;
    size_t from; /* of out: where this statement begins */
    struct macro *macros;
    size_t macro_count, macro_cap, expansions;
    int depth, header, nested; /* open parentheses; those at the last header; of macros */
    int used_at;               /* the line where the outermost macro is used */
    struct grams statements;
};

/* ---- tokens ---- */

static int listed(const char *words, const char *p, size_t n)
{
    for (const char *w = words + 1; *w; w = strchr(w, ' ') + 1)
        if (*w == *p && !strncmp(w, p, n) && w[n] == ' ') return 1;
    return 0;
}

static uint64_t hash_of(const char *p, size_t n)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; n--; p++)
        if (*p != '\\' && *p != '\n') h = (h ^ (unsigned char)*p) * 0x100000001b3u;
    return h;
}

static int spliced(const char *p) { return p[0] == '\\' && p[1] == '\n'; }
static int in_word(const char *p) { return isalnum((unsigned char)*p) || *p == '_' || spliced(p); }

/* Fill in kind and id; returns the length, 0 for a word that is left out. */
static size_t read_token(struct token *t, const char *p)
{
    static const char digraphs[] = "<:[:>]<%{%>}%:#";
    size_t n = 0;
    t->kind = NUMBER;
    if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1])))
        while (in_word(p + n) || p[n] == '.') n++;
    else if (in_word(p)) {
        while (in_word(p + n)) n += 1 + (size_t)spliced(p + n);
        t->id = hash_of(p, n);
        t->kind = listed(headers, p, n) ? HEADER : listed(fixed, p, n) ? FIXED : NAME;
        t->call = p[n] == '(';
    } else if (*p == '"' || *p == '\'') {
        for (n = 1; p[n] && p[n] != *p && p[n] != '\n'; n++) n += p[n] == '\\' && p[n + 1];
        n += p[n] == *p;
    } else {
        int two = p[1] == '=' || (p[0] == p[1] && strchr("+-<>&|", *p)) || (*p == '-' && p[1] == '>');
        t->kind = SIGN, t->id = (unsigned char)*p + (two ? (unsigned)p[1] << 8 : 0), n = 1 + (size_t)two;
        for (const char *d = digraphs; *d; d += 3)
            if (!strncmp(p, d, 2)) t->id = (unsigned char)d[2], n = 2;
    }
    return n;
}

static int is(const struct text *t, size_t i, uint64_t sign)
{
    return i < t->raw_count && t->raw[i].kind == SIGN && t->raw[i].id == sign;
}

static void lex(struct text *t, const char *p)
{
    int line = 1, start = 1, directive = 0;
    for (size_t n; *p; p += n) {
        struct token k = {.line = line};
        n = 1;
        if (spliced(p)) n = 2, line++;
        else if (!strncmp(p, "//", 2)) n = strcspn(p, "\n");
        else if (!strncmp(p, "/*", 2)) {
            const char *end = strstr(p + 2, "*/");
            n = end ? (size_t)(end + 2 - p) : strlen(p);
            for (size_t i = 0; i < n; i++) line += p[i] == '\n';
        } else if (*p == '\n') {
            if (directive) *VEC_PUSH(t->raw, t->raw_count, t->raw_cap) = (struct token){SIGN, '\n', line};
            line++, start = 1, directive = 0;
        } else if (!isspace((unsigned char)*p)) {
            n = read_token(&k, p);
            if (k.kind == NAME && n == 1 && strchr("xyz", *p) && is(t, t->raw_count - 1, '.')) k.kind = FIXED;
            if (start && k.kind == SIGN && k.id == '#') k.id = DIRECTIVE, directive = 1;
            start = 0;
            if (k.kind != NAME || !listed(left_out, p, n)) *VEC_PUSH(t->raw, t->raw_count, t->raw_cap) = k;
        }
    }
}

/* ---- grams ---- */

/* Names count as their numbers within the run: two runs are equal if renaming makes them equal. */
static void add_gram(struct grams *g, const struct token *t, size_t n, int weight)
{
    uint64_t seen[STATEMENT_MOST], h = 0x9e3779b97f4a7c15u * n;
    struct gram *gram = VEC_PUSH(g->list, g->count, g->cap);
    size_t names = 0;
    *gram = (struct gram){0, t->line, t->line, weight};
    for (size_t i = 0; i < n; i++) {
        uint64_t id = t[i].id;
        if (t[i].kind == NAME) {
            for (id = 0; id < names && seen[id] != t[i].id; id++) {}
            if (id == names) seen[names++] = t[i].id;
        }
        h = (h ^ (id + (uint64_t)t[i].kind * 0x51ed27u)) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
        if (t[i].line < gram->first) gram->first = t[i].line;
        if (t[i].line > gram->last) gram->last = t[i].line;
    }
    gram->hash = h;
}

static void end_statement(struct text *t)
{
    const struct token *first = NULL;
    size_t others = 0, n = t->count - t->from;
    for (const struct token *k = t->out + t->from; k < t->out + t->count; k++) {
        if (k->kind > FIXED) continue;
        if (!first) first = k;
        others += k->id != first->id;
    }
    if (!others) t->count = t->from;
    else if (n >= STATEMENT_LEAST && n <= STATEMENT_MOST)
        add_gram(&t->statements, t->out + t->from, n, (int)n / 2);
    t->from = t->count;
}

static void keep(struct text *t, struct token k)
{
    if (t->used_at) k.line = t->used_at;
    *VEC_PUSH(t->out, t->count, t->cap) = k;
}

static void put(struct text *t, const struct token *k)
{
    char c = k->kind == SIGN && k->id < 128 ? (char)k->id : 'a';
    uint64_t operator = k->id & 255;
    size_t n = t->count - t->from;
    if (k->kind == HEADER) t->header = t->depth + 1;
    else if (c == '(' || c == '[') t->depth++;
    else if (c == ')' || c == ']') {
        if (t->header && t->depth == t->header) end_statement(t), t->header = 0;
        t->depth -= t->depth > 0;
    } else if (c == ';' || c == '\n' || (c == ',' && !t->depth)) {
        end_statement(t);
        if (!t->header) t->depth = 0;
    } else if (strchr("{}.#", c)) return;
    else if (k->kind == SIGN && k->id >> 8 == '=' && strchr("+-*/%&|^", (int)operator) && n <= TARGET_MOST) {
        keep(t, (struct token){SIGN, '=', k->line}); /* a op= b: a = a op b */
        for (size_t i = 0; i < n; i++) keep(t, t->out[t->from + i]);
        keep(t, (struct token){SIGN, operator, k->line});
    } else {
        keep(t, *k);
        const struct token *end = t->out + t->count;
        if (n > 1 && end[-1].kind == NUMBER && end[-2].kind == SIGN && end[-3].kind == NUMBER) t->count -= 2;
    }
}

/* ---- macros ---- */

struct call {
    const struct macro *macro;
    size_t from[ARGUMENTS_MOST], to[ARGUMENTS_MOST]; /* of raw: the arguments */
    const struct call *outer;                         /* of the macro in whose body they stand */
};

/* Note a macro; returns the place of its body, or the end of another directive. */
static size_t directive(struct text *t, size_t i)
{
    size_t end = i;
    while (end < t->raw_count && !is(t, end, '\n')) end++;
    if (i + 2 >= end || t->raw[i + 1].id != hash_of("define", 6)) return end;
    struct macro *m = VEC_PUSH(t->macros, t->macro_count, t->macro_cap);
    *m = (struct macro){t->raw[i + 2].id, i + 3, i + 3, end};
    if (t->raw[i + 2].call)
        while (m->body < end && !is(t, m->body++, ')')) {}
    return m->body;
}

/* The place after the arguments of a call whose parenthesis is at i. */
static size_t arguments(const struct text *t, struct call *c, size_t i, size_t to)
{
    size_t n = 0;
    int depth = 0;
    c->from[0] = i + 1;
    for (; i < to; i++) {
        depth += is(t, i, '(') - is(t, i, ')');
        if (depth && !(depth == 1 && is(t, i, ','))) continue;
        if (n < ARGUMENTS_MOST) c->to[n++] = i;
        if (!depth) return i + 1;
        if (n < ARGUMENTS_MOST) c->from[n] = i + 1;
    }
    return to;
}

static void expand(struct text *t, size_t i, size_t to, const struct call *in);

/* Expand a parameter or a macro at i; returns the place after it, i if it is neither. */
static size_t expand_name(struct text *t, size_t i, size_t to, const struct call *in)
{
    uint64_t name = t->raw[i].id;
    size_t p = in ? in->macro->parameters : 0, number = 0, m = t->macro_count;
    for (; in && p < in->macro->body; p++) {
        if (t->raw[p].kind == NAME && t->raw[p].id == name && number < ARGUMENTS_MOST)
            return expand(t, in->from[number], in->to[number], in->outer), i + 1;
        number += is(t, p, ',');
    }
    while (m && t->macros[m - 1].name != name) m--;
    if (!m) return i;
    struct macro macro = t->macros[m - 1];
    if (macro.body > macro.parameters && !is(t, i + 1, '(')) return i;
    if (t->expansions++ >= EXPANSIONS_MOST) return i;
    struct call call = {.macro = &macro, .outer = in};
    size_t next = macro.body > macro.parameters ? arguments(t, &call, i + 1, to) : i + 1;
    int outermost = !t->used_at;
    if (outermost) t->used_at = t->raw[i].line;
    expand(t, macro.body, macro.end, &call);
    if (outermost) t->used_at = 0;
    return next;
}

static void expand(struct text *t, size_t i, size_t to, const struct call *in)
{
    if (t->nested++ < NESTED_MOST)
        while (i < to) {
            size_t next = i;
            if (is(t, i, DIRECTIVE)) next = directive(t, i), end_statement(t);
            else if (t->raw[i].kind == NAME) next = expand_name(t, i, to, in);
            if (next == i) put(t, &t->raw[next++]);
            i = next;
        }
    t->nested--;
}

struct grams grams_read(const char *source)
{
    struct text t = {0};
    struct grams g = {0};
    lex(&t, source);
    expand(&t, 0, t.raw_count, NULL);
    end_statement(&t);
    for (size_t i = 0; i + RUN <= t.count; i++) add_gram(&g, t.out + i, RUN, 1);
    for (size_t i = 0; i < t.statements.count; i++) *VEC_PUSH(g.list, g.count, g.cap) = t.statements.list[i];
    free(t.raw), free(t.out), free(t.macros), free(t.statements.list);
    return g;
}
