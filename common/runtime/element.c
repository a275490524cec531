/* element.c - the type of a variable's elements, as the source declares it.
 *
 *     float *a, *b;   cudaMalloc((void **)&b, n)   b: float, 4 bytes
 */
#include "runtime/runtime.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct element types[] = {
    {"float", 4, 'f'},
    {"double", 8, 'f'},
    {"unsigned", 4, 'u'},
    {"uint", 4, 'u'},
    {"uint32_t", 4, 'u'},
    {"int", 4, 'i'},
    {"int32_t", 4, 'i'},
    {"long", 8, 'i'},
    {"int64_t", 8, 'i'},
    {"uint64_t", 8, 'u'},
    {"size_t", 8, 'u'},
    {"short", 2, 'i'},
    {"ushort", 2, 'u'},
    {"char", 1, 'i'},
    {"uchar", 1, 'u'},
    {"uint8_t", 1, 'u'},
    {"int8_t", 1, 'i'},
    {"bool", 1, 'u'},
};
static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* "unsigned char" is uchar. */
static const struct element *without_sign(const struct element *t)
{
    const struct element *u = types;
    while (u->bytes != t->bytes || u->kind != 'u') u++;
    return u;
}

/* Does a declaration begin at p? In "OTHER *a, TYPE *name" one begins after the comma, unlike in
 * "TYPE *a, *name". */
static int begins(const char *text, const char *p)
{
    if (p == text || strchr(";{}(\n", p[-1])) return 1;
    return p[-1] == ',' && is_word(p[strspn(p, " \t")]);
}

/* The type of "TYPE *a, *name": that of the words before the first *. */
static const struct element *type_before(const char *text, const char *star)
{
    const char *from = star;
    const struct element *found = NULL;
    while (!begins(text, from)) from--;
    for (const char *p = from; p < star; p++)
        for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
            size_t n = strlen(types[i].name);
            if ((p > text && is_word(p[-1])) || strncmp(p, types[i].name, n) || is_word(p[n]))
                continue;
            if (!found)
                found = &types[i];
            else if (!strcmp(found->name, "unsigned"))
                found = without_sign(&types[i]);
        }
    return found;
}

static const struct element *declared(const char *text, const char *name)
{
    size_t n = strlen(name);
    const struct element *found = NULL;
    for (const char *p = text; (p = strstr(p, name)) && !found; p += n) {
        if ((p > text && is_word(p[-1])) || is_word(p[n])) continue;
        const char *star = p;
        while (star > text && isspace((unsigned char)star[-1])) star--;
        if (star > text && star[-1] == '*') found = type_before(text, star - 1);
    }
    return found;
}

const struct element *element_declared(const char *file, const char *name)
{
    char *text = NULL;
    struct err e = {0};
    if (!file || !*file || file_read(file, 16 << 20, &text, NULL, &e)) return NULL;
    const struct element *t = declared(text, name);
    free(text);
    return t;
}
