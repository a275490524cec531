/* dump.c - LOCKSTEP_DUMP=name: what a buffer holds after each launch that gets its address; name:n, after the
 * n-th such launch alone.
 *
 *     lockstep: out after add<<<(4,1,1), (256,1,1)>>>: 1000 of float
 *          0: 0 3 6 9 12 15 18 21
 *
 * The elements' type is that of the variable's declaration in the source.
 */
#include "runtime/runtime.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PER_LINE = 8, FIRST = 64, LAST = 16 };

static const struct type {
    const char *name;
    size_t bytes;
    char kind; /* f: floating; i: signed; u: unsigned; x: shown as hexadecimal */
} types[] = {
    {"float", 4, 'f'}, {"double", 8, 'f'}, {"unsigned", 4, 'u'}, {"uint", 4, 'u'}, {"uint32_t", 4, 'u'},
    {"int", 4, 'i'}, {"int32_t", 4, 'i'}, {"long", 8, 'i'}, {"int64_t", 8, 'i'}, {"uint64_t", 8, 'u'},
    {"size_t", 8, 'u'}, {"short", 2, 'i'}, {"char", 1, 'i'}, {"uchar", 1, 'u'}, {"uint8_t", 1, 'u'},
    {"int8_t", 1, 'i'}, {"bool", 1, 'u'},
};
static const struct type unknown = {"4 bytes", 4, 'x'};

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The type of "TYPE *a, *name": the word before the first * of the statement that declares it. */
static const struct type *type_before(const char *text, const char *star)
{
    const char *from = star;
    while (from > text && !strchr(";{}(\n", from[-1])) from--;
    for (const char *p = from; p < star; p++)
        for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
            size_t n = strlen(types[i].name);
            if ((p == text || !is_word(p[-1])) && !strncmp(p, types[i].name, n) && !is_word(p[n]))
                return &types[i];
        }
    return NULL;
}

static const struct type *declared(const char *text, const char *name)
{
    size_t n = strlen(name);
    const struct type *found = NULL;
    for (const char *p = text; (p = strstr(p, name)) && !found; p += n) {
        if ((p > text && is_word(p[-1])) || is_word(p[n])) continue;
        const char *star = p;
        while (star > text && isspace((unsigned char)star[-1])) star--;
        if (star > text && star[-1] == '*') found = type_before(text, star - 1);
    }
    return found;
}

static const struct type *type_of(const struct function *f, const char *name)
{
    char *text = NULL;
    struct err e = {0};
    const char *file = registry_source(f);
    const struct type *t = *file && !file_read(file, 16 << 20, &text, NULL, &e) ? declared(text, name) : NULL;
    free(text);
    return t ? t : &unknown;
}

static void add_value(struct buf *out, const struct type *t, const unsigned char *p)
{
    uint64_t u = 0;
    double d;
    float f;
    memcpy(&u, p, t->bytes);
    memcpy(&d, p, t->bytes == 8 ? 8 : 0);
    memcpy(&f, p, t->bytes >= 4 ? 4 : 0);
    int64_t i = (int64_t)(u << (64 - 8 * t->bytes)) >> (64 - 8 * t->bytes);
    if (t->kind == 'f') buf_printf(out, " %.*g", t->bytes == 8 ? 9 : 6, t->bytes == 8 ? d : f);
    else if (t->kind == 'i') buf_printf(out, " %lld", (long long)i);
    else buf_printf(out, t->kind == 'u' ? " %llu" : " %08llx", (unsigned long long)u);
}

static void dump(const struct function *f, const struct launch_shape *s, const char *name, dev_ptr at, size_t bytes)
{
    const struct type *t = type_of(f, name);
    size_t count = bytes / t->bytes;
    unsigned char *data = xcalloc(bytes + 8, 1);
    struct err e = {0};
    struct buf out = {0};
    if (device_copy_out(runtime.device, data, at, bytes, &e)) buf_printf(&out, "%s", e.text);
    buf_printf(&out, "%s after %s<<<(%u,%u,%u), (%u,%u,%u)>>>: %zu of %s", name, f->name, s->grid[0],
        s->grid[1], s->grid[2], s->block[0], s->block[1], s->block[2], count, t->name);
    for (size_t i = 0; i < count; i++) {
        if (i == FIRST && count > FIRST + LAST) {
            buf_printf(&out, "\n       ...");
            i = (count - LAST) / PER_LINE * PER_LINE;
        }
        if (i % PER_LINE == 0) buf_printf(&out, "\n%10zu:", i);
        add_value(&out, t, data + i * t->bytes);
    }
    fflush(stdout);
    fprintf(stderr, "lockstep: %s\n", out.data);
    buf_free(&out);
    free(data);
}

void dump_after(const struct function *f, const struct launch_shape *s, void **args)
{
    static unsigned long launches;
    const char *wanted = getenv("LOCKSTEP_DUMP");
    const struct param *params;
    if (!wanted || !*wanted) return;
    size_t n = strcspn(wanted, ":");
    unsigned long number = wanted[n] ? strtoul(wanted + n + 1, NULL, 10) : 0;
    int count = kernel_params(f->kernel, &params);
    for (int i = 0; i < count; i++) {
        void *p = NULL, *start;
        size_t bytes;
        const char *name;
        if (params[i].bytes != sizeof p) continue;
        memcpy(&p, args[i], sizeof p);
        if (memory_block(p, &start, &bytes, &name) || strlen(name) != n || strncmp(name, wanted, n)) continue;
        launches++;
        if (!number || launches == number) dump(f, s, name, (dev_ptr)(uintptr_t)start, bytes);
        return;
    }
}
