/* profile_args.c - a kernel's arguments from the command line. */
#include "lab/profile.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCALARS "i32:N u32:N i64:N u64:N f32:X f64:X"
#define FORMS SCALARS " buf:TYPE:COUNT[:rand|iota|zero|fill=V|none]"

enum kind { SIGNED, UNSIGNED, FLOAT };
static const struct type {
    const char *name;
    unsigned bytes;
    enum kind kind;
    int is_parameter;      /* a number alone may have it */
} types[] = {
    {"i32", 4, SIGNED, 1},  {"u32", 4, UNSIGNED, 1}, {"i64", 8, SIGNED, 1},   {"u64", 8, UNSIGNED, 1}, {"f32", 4, FLOAT, 1},
    {"f64", 8, FLOAT, 1},   {"i16", 2, SIGNED, 0},   {"u16", 2, UNSIGNED, 0}, {"i8", 1, SIGNED, 0},    {"u8", 1, UNSIGNED, 0},
};

static const struct type *type_find(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == n && !strncmp(types[i].name, name, n))
            return &types[i];
    return NULL;
}

/* ---- numbers ---- */

static void put_float(const struct type *t, double v, void *out)
{
    float narrow = (float)v;
    memcpy(out, t->bytes == 4 ? (void *)&narrow : (void *)&v, t->bytes);
}

static int put_number(const struct type *t, const char *text, void *out)
{
    char *end;
    errno = 0;
    if (isspace((unsigned char)*text))
        return -1;
    if (t->kind == FLOAT) {
        double v = strtod(text, &end);
        put_float(t, v, out);
        int too_large = isinf(v) ? errno == ERANGE : t->bytes == 4 && isinf((float)v);
        return *text && !*end && !too_large ? 0 : -1;
    }
    unsigned bits = t->bytes * 8;
    if (t->kind == SIGNED) {
        long long v = strtoll(text, &end, 0), most = (long long)(~0ull >> (65 - bits));
        memcpy(out, &v, t->bytes);
        return *text && !*end && !errno && v <= most && v >= -most - 1 ? 0 : -1;
    }
    unsigned long long v = strtoull(text, &end, 0);
    memcpy(out, &v, t->bytes);
    return *text && *text != '-' && !*end && !errno && v <= ~0ull >> (64 - bits) ? 0 : -1;
}

/* Say that text is none of the type's numbers, and which those are. */
static int no_number(const char *word, const struct type *t, const char *text, struct err *e)
{
    unsigned bits = t->bytes * 8;
    unsigned long long most = ~0ull >> (64 - bits);
    if (t->kind == FLOAT)
        return err_set(e, ERR_USAGE, "argument %s: %s is no %s, a number of at most %s", word, text, t->name, bits == 32 ? "3.4e38" : "1.8e308");
    if (t->kind == SIGNED)
        return err_set(e, ERR_USAGE, "argument %s: %s is no %s, a whole number from %lld to %lld", word, text, t->name, -(long long)(most / 2) - 1,
                       (long long)(most / 2));
    return err_set(e, ERR_USAGE, "argument %s: %s is no %s, a whole number from 0 to %llu", word, text, t->name, most);
}

static int scalar(const char *word, const struct param *p, uint64_t *out, struct err *e)
{
    const char *colon = strchr(word, ':');
    const struct type *t = colon ? type_find(word, (size_t)(colon - word)) : NULL;
    int is_float = p->type == PARAM_F32 || p->type == PARAM_F64;
    if (!t || !t->is_parameter)
        return err_set(e, ERR_USAGE, "argument %s: there are " FORMS, word);
    if (p->type == PARAM_BYTES)
        return err_set(e, ERR_USAGE, "argument %s: its parameter is a structure of %u bytes, which can't be given; there are " FORMS, word, p->bytes);
    if (t->bytes != p->bytes || (t->kind == FLOAT) != is_float)
        return err_set(e, ERR_USAGE, "argument %s: its parameter is %s of %u bytes%s", word, is_float ? "a float" : "an integer or a pointer",
                       p->bytes, p->bytes == 8 && !is_float ? ": i64, u64 or buf" : "");
    *out = 0;
    return put_number(t, colon + 1, out) ? no_number(word, t, colon + 1, e) : 0;
}

static const char *parameter_name(const struct param *p)
{
    static const char *const names[] = {[PARAM_POINTER] = "pointer", [PARAM_I32] = "32-bit integer", [PARAM_U32] = "32-bit integer",
                                        [PARAM_I64] = "64-bit integer", [PARAM_U64] = "pointer or 64-bit integer",
                                        [PARAM_F32] = "float", [PARAM_F64] = "double", [PARAM_BYTES] = "structure"};
    return names[p->type];
}

/* ---- buffers ---- */

static void fill_random(const struct type *t, unsigned char *data, size_t count)
{
    struct rng rng;
    rng_seed(&rng, 1);
    for (size_t i = 0; i < count; i++) {
        uint64_t n = rng_below(&rng, 100);
        if (t->kind == FLOAT)
            put_float(t, rng_unit(&rng), data + i * t->bytes);
        else
            memcpy(data + i * t->bytes, &n, t->bytes);
    }
}

static void fill_count(const struct type *t, unsigned char *data, size_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (t->kind == FLOAT)
            put_float(t, (double)i, data + i * t->bytes);
        else
            memcpy(data + i * t->bytes, &i, t->bytes);
}

/* "none" leaves what nobody has written: the kernel is at fault if it reads one before it has. */
static int fill(const struct type *t, const char *how, unsigned char *data, size_t count)
{
    if (!how || !strcmp(how, "rand"))
        fill_random(t, data, count);
    else if (!strcmp(how, "iota"))
        fill_count(t, data, count);
    else if (!strncmp(how, "fill=", 5)) {
        if (put_number(t, how + 5, data))
            return -1;
        for (size_t i = 1; i < count; i++)
            memcpy(data + i * t->bytes, data, t->bytes);
    } else if (strcmp(how, "zero") && strcmp(how, "none")) {
        return -1;
    }
    return 0;
}

enum { BUFFER_MAX = 1 << 30 }; /* bytes: of the host's memory, too */

/* buf:TYPE:COUNT[:HOW], at index of the arguments: messages about its elements name it by that. */
static int buffer(struct device *d, const char *word, int index, const struct param *p, uint64_t *out, struct err *e)
{
    const char *type = word + 4, *colon = strchr(type, ':'), *how = colon ? strchr(colon + 1, ':') : NULL;
    const struct type *t = colon ? type_find(type, (size_t)(colon - type)) : NULL;
    char *end = NULL, name[32];
    errno = 0;
    unsigned long long count = t ? strtoull(colon + 1, &end, 0) : 0;
    if (!t || end == colon + 1 || *end != (how ? ':' : 0) || errno || !count || colon[1] == '-')
        return err_set(e, ERR_USAGE, "argument %s: a buffer is buf:f32:COUNT[:rand|iota|zero|fill=V|none], with another type for f32", word);
    if (p->bytes != 8 || p->type == PARAM_F64 || p->type == PARAM_BYTES)
        return err_set(e, ERR_USAGE, "argument %s: its parameter is a %s of %u bytes and no pointer; there are " FORMS, word, parameter_name(p), p->bytes);
    if (count > BUFFER_MAX / t->bytes)
        return err_set(e, ERR_USAGE, "argument %s: a buffer has at most %d bytes, which are %d of %s", word, BUFFER_MAX, BUFFER_MAX / (int)t->bytes, t->name);
    unsigned char *data = xcalloc(count, t->bytes);
    snprintf(name, sizeof name, "argument %d", index + 1);
    int bad = fill(t, how ? how + 1 : NULL, data, count);
    if (bad && !strncmp(how + 1, "fill=", 5))
        no_number(word, t, how + 6, e);
    else if (bad)
        err_set(e, ERR_USAGE, "argument %s: a buffer is filled by rand, iota, zero, fill=V or none, not %s", word, how + 1);
    else
        bad = device_alloc(d, count * t->bytes, name, t->bytes, out, e) || device_copy_in(d, *out, data, count * t->bytes, e);
    if (!bad && how && !strcmp(how + 1, "none"))
        device_forget(d, *out, count * t->bytes);
    free(data);
    return bad ? -1 : 0;
}

static const unsigned long long BUFFERS_MAX = 4ull << 30; /* together */

/* What a buffer's word asks for; 0 where it is none, which buffer() tells. */
static unsigned long long buffer_bytes(const char *word)
{
    const char *colon = strncmp(word, "buf:", 4) ? NULL : strchr(word + 4, ':');
    const struct type *t = colon ? type_find(word + 4, (size_t)(colon - word - 4)) : NULL;
    unsigned long long count = t ? strtoull(colon + 1, NULL, 0) : 0;
    return t && count <= BUFFER_MAX / t->bytes ? count * t->bytes : 0;
}

int arguments_place(struct arguments *a, struct device *d, const struct kernel *k, const char *name, const char *file,
                    const char *const *words, int count, struct err *e)
{
    const struct param *params;
    int want = kernel_params(k, &params);
    *a = (struct arguments){.count = want};
    if (want > ARGS_MAX)
        return err_set(e, ERR_USAGE, "%s: kernel %s has %d parameters; %d are supported", file, name, want, ARGS_MAX);
    if (count != want) {
        struct buf list = {0};
        for (int i = 0; i < want; i++)
            buf_printf(&list, "%s%s", i ? ", " : "", parameter_name(&params[i]));
        err_set(e, ERR_USAGE, "%s: kernel %s has %d parameters (%s), not %d; there are " FORMS, file, name, want, want ? list.data : "none", count);
        buf_free(&list);
        return -1;
    }
    unsigned long long bytes = 0;
    for (int i = 0; i < count; i++) /* before any is made */
        if ((bytes += buffer_bytes(words[i])) > BUFFERS_MAX)
            return err_set(e, ERR_USAGE, "%s: kernel %s: the buffers up to %s have %llu bytes; all of a launch may have %llu", file, name, words[i],
                           bytes, BUFFERS_MAX);
    for (int i = 0; i < count; i++) {
        struct err why = {0};
        if (strncmp(words[i], "buf:", 4) ? scalar(words[i], &params[i], &a->value[i], &why) : buffer(d, words[i], i, &params[i], &a->value[i], &why))
            return err_set(e, why.kind, "%s: kernel %s: %.1500s", file, name, why.text);
    }
    return 0;
}
