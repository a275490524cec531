/* index_trace.c - how the faulting thread computed its index, in its own numbers.
 *
 *     "copy.cu:12: block (0,3) thread (0,13) reads in[4437]; ..."   the fault, from the simulator
 *     int row = blockIdx.y * blockDim.y + threadIdx.y;              declarations above line 12
 *     ... in[row * cols + col]                                      the index in line 12
 *          └──> row = 3 * 16 + 13 = 61, col = 0; rows = 61: row is not below rows, and no line tests it
 *
 * Nothing is reported unless the index computed from the source is that of the fault. One
 * variable that no declaration sets, such as a loop's, is solved for. */
#include "explain/index_trace.h"
#include "explain/subscript.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 40, NAME_MAX_ = 24, DEEP = 40 };

/* A name and its value. text: the expression in numbers that gave it ("3 * 16 + 13"), "" for a
 * parameter, builtin or #define. */
struct value {
    char name[NAME_MAX_], text[96];
    long long v;
    int used;
};
/* What is known at the line of the fault, and the state of the expression that is being
 * evaluated. unknown: the one name without a value, which is solved for; "": none. */
struct story {
    struct value known[NAMES];
    int count;
    const char *at;
    /* bad: the expression is not understood; deep: nesting level of its parentheses; many: more
     * than one name has no value */
    int bad, deep, many;
    char unknown[NAME_MAX_];
    long long guess;
    /* receives the expression with names replaced by their values; NULL: not wanted */
    struct buf *said;
};

static void know(struct story *s, const char *name, size_t n, long long v, const char *text)
{
    if (s->count == NAMES || n >= NAME_MAX_) return;
    struct value *k = &s->known[s->count++];
    *k = (struct value){.v = v};
    memcpy(k->name, name, n);
    snprintf(k->text, sizeof k->text, "%s", text);
}

static struct value *look_up(struct story *s, const char *name, size_t n)
{
    for (int i = s->count - 1; i >= 0; i--)
        if (strlen(s->known[i].name) == n && !strncmp(s->known[i].name, name, n))
            return &s->known[i];
    return NULL;
}

/* ---- expressions of + - * / % ( ), names and numbers; values above 2^40 are rejected ---- */

static long long sum_of(struct story *s);

static long long name_of(struct story *s)
{
    size_t n = text_name(s->at);
    struct value *k = look_up(s, s->at, n);
    long long v = k ? k->v : s->guess;
    if (k)
        k->used = 1;
    else if (n >= NAME_MAX_ ||
             (*s->unknown && (strlen(s->unknown) != n || strncmp(s->unknown, s->at, n))))
        s->bad = 1;
    else
        memcpy(s->unknown, s->at, n), s->unknown[n] = 0;
    s->at += n;
    if (s->said) buf_printf(s->said, "%lld", v);
    return v;
}

static void say(struct story *s, const char *text)
{
    if (s->said) buf_printf(s->said, "%s", text);
}

static long long factor_of(struct story *s)
{
    s->at += strspn(s->at, " \t");
    if (s->deep > DEEP) s->bad = 1;
    if (*s->at == '(' && !s->bad) {
        s->at++, s->deep++;
        say(s, "(");
        long long v = sum_of(s);
        s->bad |= *s->at != ')';
        s->at += *s->at == ')';
        s->deep--;
        say(s, ")");
        return v;
    }
    if (isalpha((unsigned char)*s->at) || *s->at == '_') return name_of(s);
    char *end = (char *)s->at;
    long long v = isdigit((unsigned char)*s->at) ? strtoll(s->at, &end, 0) : 0;
    s->bad |= end == s->at || v > (long long)1 << 40;
    s->at = end;
    if (s->said) buf_printf(s->said, "%lld", v);
    return v;
}

static int is_comment(const char *at) { return at[0] == '/' && (at[1] == '/' || at[1] == '*'); }

static long long product_of(struct story *s)
{
    long long v = factor_of(s);
    for (s->at += strspn(s->at, " \t");
         !s->bad && *s->at && strchr("*/%", *s->at) && !is_comment(s->at);
         s->at += strspn(s->at, " \t")) {
        const char op[4] = {' ', *s->at++, ' ', 0};
        say(s, op);
        long long with = factor_of(s);
        if (op[1] == '*')
            s->bad |= __builtin_mul_overflow(v, with, &v);
        else if (!with || (with == -1 && v == LLONG_MIN))
            s->bad = 1;
        else
            v = op[1] == '/' ? v / with : v % with;
    }
    return v;
}

static long long sum_of(struct story *s)
{
    long long v = product_of(s);
    while (!s->bad && (*s->at == '+' || *s->at == '-')) {
        const char op[4] = {' ', *s->at++, ' ', 0};
        say(s, op);
        long long with = product_of(s);
        s->bad |= op[1] == '+' ? __builtin_add_overflow(v, with, &v)
                               : __builtin_sub_overflow(v, with, &v);
    }
    return v;
}

/* Evaluate the expression from `at` up to one of the characters in `end`. Returns 0, or -1 if the
 * expression is not understood. */
static int evaluate(
    struct story *s, const char *at, const char *end, long long *v, struct buf *said)
{
    s->at = at;
    s->bad = s->deep = 0;
    s->said = said;
    *v = sum_of(s);
    return s->bad || !*s->at || !strchr(end, *s->at) ? -1 : 0;
}

/* ---- the source ---- */

/* Read the values that one line above the fault defines: "int row = ..., col = ...;" or "#define
 * TILE 32". A variable whose initializer cannot be evaluated stays unknown. */
static void read_line(struct story *s, const char *line)
{
    struct buf said = {0};
    long long v;
    const char *at = line + strspn(line, " \t");
    if (!strncmp(at, "#define ", 8)) {
        size_t n = text_name(at += 8);
        if (n && at[n] == ' ' && !evaluate(s, at + n, "\n/", &v, NULL) && !*s->unknown)
            know(s, at, n, v, "");
    }
    at += !strncmp(at, "const ", 6) ? 6 : 0;
    for (int more = !strncmp(at, "int ", 4) || !strncmp(at, "unsigned ", 9); more;) {
        at += strcspn(at, " ,") + 1;
        at += strspn(at, " ");
        size_t n = text_name(at);
        if (!n || strncmp(at + n, " = ", 3)) break;
        buf_free(&said);
        *s->unknown = 0;
        if (evaluate(s, at + n + 3, ",;", &v, &said) || *s->unknown) break;
        know(s, at, n, v, said.data);
        at = s->at;
        more = *at == ',';
    }
    *s->unknown = 0;
    buf_free(&said);
}

/* The start of a line of the text, counted from 1; NULL: the text has fewer lines. */
static const char *line_at(const char *text, int line)
{
    while (text && --line > 0)
        if ((text = strchr(text, '\n'))) text++;
    return text;
}

/* Does the source compare a < b or a >= b, in either order of the operands? */
static int is_tested(const char *text, const char *a, const char *b)
{
    static const char *const forms[] = {"%s < %s", "%s >= %s", "%s<%s", "%s>=%s"};
    static const char *const turned[] = {"%s > %s", "%s <= %s", "%s>%s", "%s<=%s"};
    char want[2 * NAME_MAX_ + 8];
    for (int i = 0; i < 4; i++) {
        snprintf(want, sizeof want, forms[i], a, b);
        if (strstr(text, want)) return 1;
        snprintf(want, sizeof want, turned[i], b, a);
        if (strstr(text, want)) return 1;
    }
    return 0;
}

/* ---- the fault ---- */

static void know_triple(struct story *s, const char *name, const unsigned v[3])
{
    char full[NAME_MAX_];
    for (int i = 0; i < 3; i++) {
        snprintf(full, sizeof full, "%s.%c", name, "xyz"[i]);
        know(s, full, strlen(full), v[i], "");
    }
}

/* Does the expression at `at` give the index of the fault, for some value of its only unknown name?
 * Returns the absolute value of the unknown name, or 0 if no name is unknown; -1: no value fits. */
static long long fits(struct story *s, const char *at, long long index)
{
    long long v, one, rest, slope, solved = 0;
    *s->unknown = 0;
    s->guess = 0;
    for (int i = 0; i < s->count; i++) s->known[i].used = 0;
    if (evaluate(s, at, "]", &v, NULL)) return -1;
    if (*s->unknown) {
        s->guess = 1;
        if (evaluate(s, at, "]", &one, NULL) || __builtin_sub_overflow(index, v, &rest) ||
            __builtin_sub_overflow(one, v, &slope) || !slope || rest == LLONG_MIN || rest % slope)
            return -1;
        solved = s->guess = rest / slope;
        if (evaluate(s, at, "]", &v, NULL)) return -1;
    }
    return v != index ? -1 : solved < 0 ? -solved : solved;
}

/* The [ of the array's subscript in the line that gives the index of the fault; NULL: none. If
 * several subscripts give that index, the one that needs the smallest value for an unknown name is
 * taken; that value becomes known, and the names in the subscript are marked as used. */
static const char *find_index(struct story *s, const char *line, const char *array, long long index)
{
    size_t n = strlen(array);
    const char *best = NULL;
    long long least = -1;
    for (const char *at = line; (at = strstr(at, array)) && at < line + strcspn(line, "\n");
         at += n) {
        if ((at > line && text_is_word(at[-1])) || at[n] != '[') continue;
        long long far = fits(s, at + n + 1, index);
        if (far >= 0 && (!best || far < least)) best = at + n, least = far;
    }
    if (best && fits(s, best + 1, index) >= 0 && *s->unknown) {
        know(s, s->unknown, strlen(s->unknown), s->guess, "");
        s->known[s->count - 1].used = 1;
    }
    return best;
}

/* The dimension of the problem that a used variable equals or exceeds: the dimension with a similar
 * name, as rows for row; or else the only dimension that any variable reaches. Returns -1 if there
 * is none, or there are several. *which: the variable. */
static int reached(
    const struct story *s, const struct problem *p, const int *dims, const struct value **which)
{
    int pairs = 0, found = -1;
    for (int i = 0; i < s->count; i++)
        for (int d = 0; p->dim_names[d]; d++) {
            const struct value *k = &s->known[i];
            if (!k->used || !*k->text || k->v < dims[d]) continue;
            found = d;
            *which = k;
            if (!strncmp(p->dim_names[d], k->name, strlen(k->name))) return d;
            pairs++;
        }
    return pairs == 1 ? found : -1;
}

/* Append a sentence if a used variable equals a dimension because the source tests <= instead of <,
 * or > instead of >=. Returns whether a sentence was appended. */
static int one_too_far(const struct story *s, const struct problem *p, const int *dims,
    const char *source, struct buf *why)
{
    char test[2 * NAME_MAX_ + 8];
    for (int i = 0; i < s->count; i++)
        for (int d = 0; p->dim_names[d]; d++) {
            const struct value *k = &s->known[i];
            if (!k->used || k->v != dims[d]) continue;
            for (int leaves = 0; leaves < 2; leaves++) {
                /* leaves: search for the form if (i > n) return; */
                snprintf(
                    test, sizeof test, "%s %s %s", k->name, leaves ? ">" : "<=", p->dim_names[d]);
                const char *at = strstr(source, test);
                if (!at || text_is_word(at[strlen(test)])) continue;
                buf_printf(why, ", and %s = %d: %s %s", p->dim_names[d], dims[d], test,
                    leaves ? "lets it pass" : "goes one too far");
                return 1;
            }
        }
    return 0;
}

/* Append that `name` is not below the dimension `dim`, and whether the source tests that. most:
 * the value of the dimension. */
static void tell_reached(
    const char *name, const char *dim, long long most, const char *source, struct buf *why)
{
    buf_printf(why, ", and %s = %lld: %s is not below %s", dim, most, name, dim);
    if (!is_tested(source, name, dim)) buf_printf(why, ", and no line tests that");
}

/* If the array whose subscript begins at `open` is a known matrix: append that the row or the
 * column of that subscript is not below its dimension, and whether the source tests that. Returns 1
 * if text was appended, else 0. */
static int past_the_edge(
    struct story *s, const struct problem *p, const char *open, const char *source, struct buf *why)
{
    struct subscript x;
    size_t n = 0;
    while (text_is_word(open[-1 - (long)n])) n++;
    const struct matrix *m = subscript_matrix(p, open - n, n);
    if (!m || !subscript_read(open, &x)) return 0;
    for (int down = 0; down < 2 && !strcmp(x.length, m->length); down++) {
        char text[80];
        const char *name = down ? m->rows : m->length, *part = down ? x.row : x.column;
        const struct value *most = look_up(s, name, strlen(name));
        long long v;
        snprintf(text, sizeof text, "%s]", part);
        if (!most || evaluate(s, text, "]", &v, NULL) || v < most->v) continue;
        tell_reached(part, name, most->v, source, why);
        return 1;
    }
    return 0;
}

/* Append the values of the variables in the subscript, as in "; there row = 3 * 16 + 13 = 61".
 * Returns how many variables that is. */
static int tell_values(struct story *s, const struct problem *p, struct buf *why)
{
    int told = 0;
    for (int i = 0; i < s->count; i++) {
        const struct value *k = &s->known[i];
        int is_dim = 0;
        for (int d = 0; p->dim_names[d]; d++) is_dim |= !strcmp(k->name, p->dim_names[d]);
        if (!k->used || is_dim || strchr(k->name, '.')) continue;
        buf_printf(why, "%s%s = ", told++ ? ", " : "; there ", k->name);
        if (*k->text && strspn(k->text, "0123456789") != strlen(k->text))
            buf_printf(why, "%s = ", k->text);
        buf_printf(why, "%lld", k->v);
    }
    return told;
}

/* Append the values of the variables, and which dimension one of them has reached. */
static void tell(struct story *s, const struct problem *p, const int *dims, const char *source,
    const char *open, struct buf *why)
{
    const struct value *k = NULL;
    if (!tell_values(s, p, why) || one_too_far(s, p, dims, source, why)) return;
    if (past_the_edge(s, p, open, source, why)) return;
    int d = p->two_dimensional ? -1 : reached(s, p, dims, &k);
    if (d >= 0) {
        tell_reached(k->name, p->dim_names[d], dims[d], source, why);
        return;
    }
    if (!p->dim_names[1]) { /* the array is a vector: show the whole index beside the length */
        char index[48];
        text_copy(index, sizeof index, open + 1, text_closing(open));
        buf_printf(why, "; this index is %s, and n = %d", index, dims[0]);
        return;
    }
    for (d = 0; p->dim_names[d]; d++)
        buf_printf(why, "%s%s = %d", d ? ", " : "; ", p->dim_names[d], dims[d]);
}

/* If the variables' values are not known: derive the row and the column from the index itself,
 * and append them. */
static void tell_place(const struct problem *p, const int *dims, const char *line,
    const char *array, long long index, const char *source, struct buf *why)
{
    struct subscript x;
    const struct matrix *m = subscript_matrix(p, array, strlen(array));
    const char *at = text_find(line, line, array), *open = at ? text_skip(at + strlen(array)) : "";
    long long length = 0, rows = 0;
    if (!m || index < 0 || *open != '[' || !subscript_read(open, &x) || strcmp(x.length, m->length))
        return;
    for (int d = 0; p->dim_names[d]; d++) {
        if (!strcmp(p->dim_names[d], m->length)) length = dims[d];
        if (!strcmp(p->dim_names[d], m->rows)) rows = dims[d];
    }
    if (!length || index / length < rows) return;
    buf_printf(
        why, "; there %s = %lld and %s = %lld", x.row, index / length, x.column, index % length);
    tell_reached(x.row, m->rows, rows, source, why);
}

static int is_buffer(const struct problem *p, const char *name)
{
    for (int b = 0; p->buffers[b].name; b++)
        if (!strcmp(p->buffers[b].name, name)) return 1;
    return 0;
}

void index_trace_tell(const struct problem *p, const int *dims, const unsigned block[2],
    const char *source, const struct finding *found, struct buf *why)
{
    struct story s = {0};
    const char *at, *line;
    int race = found->kind == FOUND_RACE && is_buffer(p, found->name);
    if (!found->thread_known || !*found->name || !(race || found->kind == FOUND_OUTSIDE) ||
        !source || !(line = line_at(source, found->line)))
        return;
    for (int d = 0; p->dim_names[d]; d++)
        know(&s, p->dim_names[d], strlen(p->dim_names[d]), dims[d], "");
    know(&s, "blockDim.x", 10, block[0], "");
    know(&s, "blockDim.y", 10, block[1], "");
    know_triple(&s, "blockIdx", found->block);
    know_triple(&s, "threadIdx", found->thread);
    for (const char *up = source; up && up < line; up = strchr(up, '\n'), up += up != NULL)
        read_line(&s, up);
    if (!(at = find_index(&s, line, found->name, found->index))) {
        if (!race) tell_place(p, dims, line, found->name, found->index, source, why);
        return;
    }
    if (race)
        tell_values(&s, p, why);
    else
        tell(&s, p, dims, source, at, why);
}
