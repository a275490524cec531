/* kernel_spec.h - the comments in which a kernel of tests/kernels says how it is run and what comes
 * of it.
 *
 *     //! run   scale grid=2 block=64,2 shared=256 budget=1000    kernel scale; extents left out are 1
 *     //! run   scale grid=4 cluster=2       the same in clusters of blocks
 *     //! arg   in f32[128] = i * 2              a buffer and what it holds; args in the kernel's order
 *     //! arg   list i32[4] = {1, -2, 0x7f}      the rest is 0
 *     //! arg   out f32[128] poison              all bits set: a NaN, -1; counts as unwritten
 *     //! arg   n i32 128                        a scalar
 *     //! arg   p f32,i32,f64 = {1, 2, 3}        a struct by value
 *     //! want  out = in[i] * 2                  what out holds afterwards, exactly; also {list}
 *     //! want  out[5] = 7        want out[8..15] = i
 *     //! count gld_requests 4                   a counter, by any name that model_metric_find takes
 *     //! count clang inst_executed 20           under one front end only
 *     //! fault "reads in[128]"                  the message; its line ends in "// fault scale"
 *     //! launch_fault "threads"                 refused before it starts
 *     //! simulated "the order of atomics"       hardware leaves it open: no GPU is asked for it
 *     //! refuse "recursion"                     outside of a run: refused when loaded; its line ends in
 *                                                "// refused"
 *     //! only clang                             the file is for this front end
 *
 * A buffer without a want must be left as it was. Expressions are those of C, over i (the element's
 * index), scalar arguments and initial contents (in[i + 1]), with a // b for whole division, min(a,
 * b), max(a, b), abs(a), sqrt(a), popc(a).
 */
#ifndef LOCKSTEP_TESTS_KERNEL_SPEC_H
#define LOCKSTEP_TESTS_KERNEL_SPEC_H

#include "base/base.h"
#include "half.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPEC_ARGS = 12, SPEC_CHECKS = 40, SPEC_FIELDS = 8, SPEC_RUNS = 40 };

enum spec_type {
    T_I8,
    T_U8,
    T_I16,
    T_U16,
    T_I32,
    T_U32,
    T_I64,
    T_U64,
    T_F32,
    T_F64,
    T_F16,
    T_BF16,
    T_COUNT
};
static const struct {
    const char *name;
    unsigned bytes;
} spec_types[T_COUNT] = {{"i8", 1}, {"u8", 1}, {"i16", 2}, {"u16", 2}, {"i32", 4}, {"u32", 4},
    {"i64", 8}, {"u64", 8}, {"f32", 4}, {"f64", 8}, {"f16", 2}, {"bf16", 2}};

struct spec_arg {
    char name[32];
    enum spec_type type;
    size_t count; /* elements; 0: passed by value */
    size_t bytes;
    unsigned char *data;
    int poison;
};
struct spec_check { /* a line with want or count */
    char *left, *right;
    int line;
};
struct spec_run {
    char kernel[64];
    int line;
    unsigned grid[3], block[3];
    size_t shared;
    unsigned cluster[3]; /* zeros: none */
    uint64_t budget;
    struct spec_arg args[SPEC_ARGS];
    int arg_count;
    struct spec_check wants[SPEC_CHECKS], counts[SPEC_CHECKS];
    int want_count, counter_count;
    char *fault, *launch_fault, *simulated;
};
struct spec {
    const char *file;
    const char *source;
    struct spec_run runs[SPEC_RUNS];
    int run_count;
    char *refuse, *only;
    int line; /* number of the line being read */
};

static void spec_fail(const struct spec *s, const char *why, const char *at)
    __attribute__((noreturn));
static void spec_fail(const struct spec *s, const char *why, const char *at)
{
    BUG("%s:%d: %s: %s", s->file, s->line, why, at);
}

/* ---- values: long double holds every 64-bit integer and every double ---- */

static void spec_put(enum spec_type t, unsigned char *at, long double v)
{
    union {
        int64_t i;
        uint64_t u;
        float f;
        double d;
    } x = {0};
    if (t == T_F32)
        x.f = (float)v;
    else if (t == T_F64)
        x.d = (double)v;
    else if (t == T_F16)
        x.u = half_rounded(v, 'n', 10, 15);
    else if (t == T_BF16)
        x.u = half_rounded(v, 'n', 7, 127);
    else if (v < 0)
        x.i = (int64_t)v;
    else
        x.u = (uint64_t)v;
    memcpy(at, &x, spec_types[t].bytes);
}

static long double spec_get(enum spec_type t, const unsigned char *at)
{
    union {
        int8_t b;
        int16_t s;
        int32_t i;
        int64_t l;
        uint64_t u;
        float f;
        double d;
    } x = {.u = 0};
    memcpy(&x, at, spec_types[t].bytes);
    switch (t) {
    case T_I8: return x.b;
    case T_I16: return x.s;
    case T_I32: return x.i;
    case T_I64: return x.l;
    case T_F32: return x.f;
    case T_F64: return x.d;
    case T_F16: return half_value((uint16_t)x.u, 10, 15);
    case T_BF16: return half_value((uint16_t)x.u, 7, 127);
    default: return x.u;
    }
}

/* ---- expressions: precedence climbing ---- */

struct expr {
    const struct spec *spec;
    const struct spec_run *run;
    const char *at;
    size_t i;
};

static long double expr_value(struct expr *x, int level);

static int expr_take(struct expr *x, const char *op)
{
    x->at += strspn(x->at, " ");
    if (strncmp(x->at, op, strlen(op))) return 0;
    x->at += strlen(op);
    return 1;
}

static void expr_need(struct expr *x, const char *op)
{
    if (!expr_take(x, op)) spec_fail(x->spec, "expected", op);
}

static long double expr_call(struct expr *x, const char *name, size_t n)
{
    static const char *const names[] = {"min", "max", "abs", "sqrt", "popc"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (strlen(names[k]) != n || strncmp(names[k], name, n)) continue;
        long double a = expr_value(x, 0), b = k < 2 ? (expr_need(x, ","), expr_value(x, 0)) : 0;
        expr_need(x, ")");
        switch (k) {
        case 0: return a < b ? a : b;
        case 1: return a > b ? a : b;
        case 2: return fabsl(a);
        case 3: return sqrtl(a);
        default: return __builtin_popcountll((uint64_t)a);
        }
    }
    spec_fail(x->spec, "no such function", name);
}

static long double expr_name(struct expr *x)
{
    const char *name = x->at;
    size_t n = 0;
    while (isalnum((unsigned char)name[n]) || name[n] == '_') n++;
    x->at += n;
    if (n == 1 && *name == 'i') return x->i;
    if (expr_take(x, "(")) return expr_call(x, name, n);
    if ((n == 3 && !strncmp(name, "nan", 3)) || (n == 3 && !strncmp(name, "inf", 3)))
        return *name == 'n' ? (long double)NAN : (long double)INFINITY;
    for (int k = 0; k < x->run->arg_count; k++) {
        const struct spec_arg *a = &x->run->args[k];
        if (strlen(a->name) != n || strncmp(a->name, name, n)) continue;
        if (!a->count) return spec_get(a->type, a->data);
        expr_need(x, "[");
        long double at = expr_value(x, 0);
        expr_need(x, "]");
        if (at < 0 || at >= a->count) return 0; /* out of range, in the unused side of a ?: */
        return spec_get(a->type, a->data + (size_t)at * spec_types[a->type].bytes);
    }
    spec_fail(x->spec, "no such name", name);
}

static long double expr_primary(struct expr *x)
{
    x->at += strspn(x->at, " ");
    if (expr_take(x, "-")) return -expr_primary(x);
    if (expr_take(x, "!")) return !expr_primary(x);
    if (expr_take(x, "~")) return ~(int64_t)expr_primary(x);
    if (expr_take(x, "(")) {
        long double v = expr_value(x, 0);
        expr_need(x, ")");
        return v;
    }
    if (!isdigit((unsigned char)*x->at)) return expr_name(x);
    char *end;
    long double v = strtold(x->at, &end);
    x->at = end;
    return v;
}

static long double expr_apply(int op, long double a, long double b)
{
    int64_t m = (int64_t)a, n = (int64_t)b;
    switch (op) {
    case 0: return a != 0 || b != 0;
    case 1: return a != 0 && b != 0;
    case 2: return m | n;
    case 3: return m ^ n;
    case 4: return m & n;
    case 5: return a == b;
    case 6: return a != b;
    case 7: return a <= b;
    case 8: return a >= b;
    case 9: return (int64_t)((uint64_t)m << (n & 63));
    case 10: return m >> (n & 63);
    case 11: return a < b;
    case 12: return a > b;
    case 13: return a + b;
    case 14: return a - b;
    case 15: return n ? (long double)(m / n) : 0;
    case 16: return a * b;
    case 17: return a / b;
    default: return n ? (long double)(m % n) : 0;
    }
}

/* Evaluates operators of at least this precedence; level 0 includes ?:. */
static long double expr_value(struct expr *x, int level)
{
    /* longer operators before those that they begin with */
    static const struct {
        const char *op;
        int level;
    } ops[] = {
        {"||", 1},
        {"&&", 2},
        {"|", 3},
        {"^", 4},
        {"&", 5},
        {"==", 6},
        {"!=", 6},
        {"<=", 7},
        {">=", 7},
        {"<<", 8},
        {">>", 8},
        {"<", 7},
        {">", 7},
        {"+", 9},
        {"-", 9},
        {"//", 10},
        {"*", 10},
        {"/", 10},
        {"%", 10},
    };
    long double v = expr_primary(x);
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        const char *before = x->at;
        if (!expr_take(x, ops[k].op)) continue;
        if (ops[k].level < (level ? level : 1)) {
            x->at = before;
            break;
        }
        v = expr_apply((int)k, v, expr_value(x, ops[k].level + 1));
        k = (size_t)-1;
    }
    if (!level && expr_take(x, "?")) {
        long double yes = expr_value(x, 0);
        expr_need(x, ":");
        long double no = expr_value(x, 0);
        return v != 0 ? yes : no;
    }
    return v;
}

static long double spec_eval(
    const struct spec *s, const struct spec_run *r, const char *text, size_t i)
{
    struct expr x = {s, r, text, i};
    long double v = expr_value(&x, 0);
    x.at += strspn(x.at, " ");
    if (*x.at && *x.at != ',' && *x.at != '}') spec_fail(s, "left over", x.at);
    return v;
}

/* Element i of "expr" or of "{a, b, c}"; 0 past a list's end. */
static long double spec_element(
    const struct spec *s, const struct spec_run *r, const char *text, size_t i)
{
    text += strspn(text, " ");
    if (*text != '{') return spec_eval(s, r, text, i);
    struct expr x = {s, r, text + 1, i};
    for (size_t k = 0;; k++) {
        if (expr_take(&x, "}")) return 0;
        long double v = expr_value(&x, 0);
        if (k == i) return v;
        expr_take(&x, ",");
    }
}

/* ---- reading ---- */

static enum spec_type spec_type_of(const struct spec *s, const char *name, size_t n)
{
    for (int t = 0; t < T_COUNT; t++)
        if (strlen(spec_types[t].name) == n && !strncmp(spec_types[t].name, name, n))
            return (enum spec_type)t;
    spec_fail(s, "no such type", name);
}

/* A struct by value: f32,i32,f64 = {1, 2, 3}, each field at a multiple of its size. */
static void spec_struct(const struct spec *s, struct spec_run *r, struct spec_arg *a,
    const char *types, const char *values)
{
    size_t most = 1;
    a->data = xcalloc(SPEC_FIELDS, 8);
    for (size_t i = 0; *types && i < SPEC_FIELDS; i++) {
        size_t n = strcspn(types, ", "), size;
        enum spec_type t = spec_type_of(s, types, n);
        size = spec_types[t].bytes;
        most = size > most ? size : most;
        a->bytes = (a->bytes + size - 1) / size * size;
        spec_put(t, a->data + a->bytes, spec_element(s, r, values, i));
        a->bytes += size;
        types += n + (types[n] == ',');
        if (types[-1] != ',') break;
    }
    a->bytes = (a->bytes + most - 1) / most * most;
}

static void spec_arg(struct spec *s, struct spec_run *r, char *rest)
{
    char type[64];
    int n = 0;
    if (r->arg_count == SPEC_ARGS) spec_fail(s, "too many arguments", rest);
    struct spec_arg *a = &r->args[r->arg_count];
    if (sscanf(rest, "%31s %63s %n", a->name, type, &n) != 2)
        spec_fail(s, "expected a name and a type", rest);
    rest += n;
    if (strchr(type, ',')) {
        spec_struct(s, r, a, type, strchr(rest, '{'));
        r->arg_count++;
        return;
    }
    char *bracket = strchr(type, '[');
    a->type = spec_type_of(s, type, strcspn(type, "["));
    a->count = bracket ? strtoul(bracket + 1, NULL, 10) : 0;
    size_t size = spec_types[a->type].bytes, elements = a->count ? a->count : 1;
    a->bytes = elements * size;
    a->data = xcalloc(elements, size);
    if (a->count && *rest != '=' && strncmp(rest, "poison", 6))
        spec_fail(s, "expected = or poison", rest);
    a->poison = a->count && *rest != '=';
    for (size_t i = 0; i < elements; i++) {
        if (a->poison)
            memset(a->data + i * size, 0xff, size);
        else
            spec_put(a->type, a->data + i * size, spec_element(s, r, rest + (*rest == '='), i));
    }
    r->arg_count++;
}

static void spec_extent(const struct spec *s, unsigned out[3], const char *text)
{
    out[0] = out[1] = out[2] = 1;
    if (sscanf(text, "%u,%u,%u", &out[0], &out[1], &out[2]) < 1)
        spec_fail(s, "expected an extent", text);
}

static void spec_start(struct spec *s, char *rest)
{
    if (s->run_count == SPEC_RUNS) spec_fail(s, "too many runs", rest);
    struct spec_run *r = &s->runs[s->run_count++];
    r->line = s->line;
    for (int i = 0; i < 3; i++) r->grid[i] = r->block[i] = 1;
    char *word = strtok(rest, " ");
    snprintf(r->kernel, sizeof r->kernel, "%s", word ? word : "");
    while ((word = strtok(NULL, " "))) {
        if (!strncmp(word, "grid=", 5))
            spec_extent(s, r->grid, word + 5);
        else if (!strncmp(word, "block=", 6))
            spec_extent(s, r->block, word + 6);
        else if (!strncmp(word, "cluster=", 8))
            spec_extent(s, r->cluster, word + 8);
        else if (!strncmp(word, "shared=", 7))
            r->shared = strtoul(word + 7, NULL, 10);
        else if (!strncmp(word, "budget=", 7))
            r->budget = strtoul(word + 7, NULL, 10);
        else
            spec_fail(s, "no such setting", word);
    }
}

static void spec_add_check(
    struct spec *s, struct spec_check *list, int *count, char *left, char *right)
{
    if (*count == SPEC_CHECKS) spec_fail(s, "too many checks", left);
    left[strcspn(left, " ")] = 0;
    list[(*count)++] =
        (struct spec_check){xstrdup(left), xstrdup(right + strspn(right, " ")), s->line};
}

static char *spec_quoted(const struct spec *s, const char *rest)
{
    const char *end = strrchr(rest, '"');
    if (*rest != '"' || end == rest) spec_fail(s, "expected text in quotes", rest);
    return xstrndup(rest + 1, (size_t)(end - rest - 1));
}

static void spec_line(struct spec *s, char *text)
{
    char word[32];
    int n = 0;
    if (sscanf(text, "%31s %n", word, &n) != 1) return;
    char *rest = text + n;
    struct spec_run *r = s->run_count ? &s->runs[s->run_count - 1] : NULL;
    if (!strcmp(word, "run")) {
        spec_start(s, rest);
    } else if (!strcmp(word, "only")) {
        s->only = xstrndup(rest, strcspn(rest, " \n"));
    } else if (!strcmp(word, "refuse")) {
        s->refuse = spec_quoted(s, rest);
    } else if (!r) {
        spec_fail(s, "comes before the first run", text);
    } else if (!strcmp(word, "arg")) {
        spec_arg(s, r, rest);
    } else if (!strcmp(word, "want")) {
        char *equals = strchr(rest, '=');
        if (!equals) spec_fail(s, "expected =", rest);
        *equals = 0;
        spec_add_check(s, r->wants, &r->want_count, rest, equals + 1);
    } else if (!strcmp(word, "count")) {
        char *last = strrchr(rest, ' ');
        if (!last) spec_fail(s, "expected a counter and its value", rest);
        *last = 0;
        /* a front end's name may precede the counter's name: kept as "clang:counter" */
        char *space = strchr(rest, ' ');
        if (space) *space = ':';
        spec_add_check(s, r->counts, &r->counter_count, rest, last + 1);
    } else if (!strcmp(word, "fault")) {
        r->fault = spec_quoted(s, rest);
    } else if (!strcmp(word, "simulated")) {
        r->simulated = spec_quoted(s, rest);
    } else if (!strcmp(word, "launch_fault")) {
        r->launch_fault = spec_quoted(s, rest);
    } else {
        spec_fail(s, "no such word", word);
    }
}

/* Reads all //! lines of a file. The caller frees the result with spec_free. */
static struct spec *spec_read(const char *file, const char *source)
{
    struct spec *s = xcalloc(1, sizeof *s);
    s->file = file;
    s->source = source;
    for (const char *p = source; *p; p += *p == '\n') {
        size_t n = strcspn(p, "\n");
        s->line++;
        if (!strncmp(p, "//! ", 4)) {
            char *line = xstrndup(p + 4, n - 4);
            spec_line(s, line);
            free(line);
        }
        p += n;
    }
    return s;
}

/* Returns the number of the line that ends in mark, from 1; 0 if there is none. */
static int spec_mark(const struct spec *s, const char *mark)
{
    int line = 1;
    for (const char *p = s->source; *p; p += *p == '\n', line++) {
        size_t n = strcspn(p, "\n"), m = strlen(mark);
        if (n >= m && !strncmp(p + n - m, mark, m) && strncmp(p, "//!", 3)) return line;
        p += n;
    }
    return 0;
}

static void spec_free(struct spec *s)
{
    for (int i = 0; i < s->run_count; i++) {
        struct spec_run *r = &s->runs[i];
        for (int k = 0; k < r->arg_count; k++) free(r->args[k].data);
        for (int k = 0; k < r->want_count; k++) free(r->wants[k].left), free(r->wants[k].right);
        for (int k = 0; k < r->counter_count; k++)
            free(r->counts[k].left), free(r->counts[k].right);
        free(r->fault);
        free(r->launch_fault);
        free(r->simulated);
    }
    free(s->refuse);
    free(s->only);
    free(s);
}

#endif
