/* subscript.c - split a subscript of a matrix in the learner's text into the row, the length of a
 * row, and the column.
 *
 *     out[(col + y + j) * rows + row + x]
 *          └ row -----┘   length └ column      of the top-level terms: the product, the others */
#include "explain/subscript.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- text ---- */

int text_is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

const char *text_skip(const char *at) { return at + strspn(at, " \t"); }

size_t text_name(const char *at)
{
    size_t n = 0;
    if (isdigit((unsigned char)*at)) return 0;
    while (text_is_word(at[n]) || (n && at[n] == '.' && text_is_word(at[n + 1]))) n++;
    return n;
}

const char *text_find(const char *text, const char *from, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = from; (at = strstr(at, word)); at++)
        if ((at == text || (!text_is_word(at[-1]) && at[-1] != '.')) && !text_is_word(at[n]))
            return at;
    return NULL;
}

const char *text_closing(const char *at)
{
    int depth = 0;
    for (; *at; at++) {
        depth += strchr("([{", *at) != NULL;
        depth -= strchr(")]}", *at) != NULL;
        if (!depth) return at;
    }
    return NULL;
}

void text_copy(char *to, size_t size, const char *from, const char *end)
{
    while (from < end && strchr(" \t", *from)) from++;
    while (end > from && strchr(" \t", end[-1])) end--;
    snprintf(to, size, "%.*s", (int)(end - from), from);
}

/* ---- matrices ---- */

static const struct matrix matrices[] = {
    {"copy", "in", "rows", "cols"},
    {"copy", "out", "rows", "cols"},
    {"transpose", "in", "rows", "cols"},
    {"transpose", "out", "cols", "rows"},
    {"matmul", "a", "m", "k"},
    {"matmul", "b", "k", "n"},
    {"matmul", "c", "m", "n"},
    {"aat", "a", "m", "w"},
    {"aat", "c", "m", "m"},
};

const struct matrix *subscript_matrix(const struct problem *p, const char *buffer, size_t n)
{
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++)
        if (!strcmp(problem_kind(p), matrices[i].problem) && strlen(matrices[i].buffer) == n &&
            !strncmp(matrices[i].buffer, buffer, n))
            return &matrices[i];
    return NULL;
}

/* ---- terms ---- */

/* The first place, outside of brackets, of one of the characters in `which`; `end`: there is
 * none. */
static const char *outside(const char *at, const char *end, const char *which)
{
    for (int depth = 0; at < end; at++) {
        if (!depth && strchr(which, *at)) return at;
        depth += strchr("([", *at) != NULL;
        depth -= strchr(")]", *at) != NULL;
    }
    return end;
}

/* Copy from .. end, without parentheses that enclose all of it. */
static void copy_bare(char *to, size_t size, const char *from, const char *end)
{
    from = text_skip(from);
    while (end > from && strchr(" \t", end[-1])) end--;
    if (end > from && *from == '(' && text_closing(from) == end - 1) from++, end--;
    text_copy(to, size, from, end);
}

/* Read a term with one *. One side must be a name, which is the length of a row; the other side is
 * the row. */
static int read_product(const char *at, const char *end, struct subscript *s)
{
    const char *star = outside(at, end, "*"), *left = text_skip(at), *right;
    if (star == end || outside(star + 1, end, "*/%") != end) return 0;
    right = text_skip(star + 1);
    if (text_name(right) && text_skip(right + text_name(right)) >= end) {
        copy_bare(s->row, sizeof s->row, at, star);
        text_copy(s->length, sizeof s->length, right, end);
    } else if (text_name(left) && text_skip(left + text_name(left)) == star) {
        copy_bare(s->row, sizeof s->row, star + 1, end);
        text_copy(s->length, sizeof s->length, at, star);
    } else
        return 0;
    return 1;
}

int subscript_read(const char *open, struct subscript *s)
{
    const char *end = text_closing(open), *next;
    int products = 0;
    *s = (struct subscript){0};
    if (!end || *open != '[' || outside(open + 1, end, "-?<>&|,") != end) return 0;
    for (const char *at = open + 1; at < end; at = next + 1) {
        size_t used = strlen(s->column);
        next = outside(at, end, "+");
        if (outside(at, next, "*") != next)
            products += read_product(at, next, s) ? 1 : 2;
        else {
            if (used) used += (size_t)snprintf(s->column + used, sizeof s->column - used, " + ");
            if (used + 1 < sizeof s->column)
                copy_bare(s->column + used, sizeof s->column - used, at, next);
        }
    }
    return products == 1;
}
