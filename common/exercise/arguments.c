/* arguments.c - make a kernel's arguments from words of the command line; exercise.h describes the
 * notation.
 *
 *     word ──┬── TYPE:VALUE    scalar()
 *            ├── buf:...       buffer()      the argument is the buffer's address on the device
 *            ├── struct:{...}  structure()   members are placed as C places them
 *            └── bytes:HEX     raw_bytes()
 *
 * Each function checks its word against the kernel's parameter and writes the argument's bytes.
 * A wrong word is ERR_USAGE, and the message repeats the word. */
#include "exercise/exercise.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The forms of a word, for error messages. */
#define SCALARS "i32:N u32:N i64:N u64:N f32:X f64:X f16:X bf16:X"
#define FORMS SCALARS " buf:TYPE:COUNT[:rand|iota|zero|fill=V|none]"
#define ALL_FORMS FORMS " struct:{...} bytes:HEX"

/* Number types. 8- and 16-bit types may only be elements of buffers, members of structures, and
 * parameters of that size. */
enum kind { SIGNED, UNSIGNED, FLOAT };
static const struct type {
    const char *name;
    unsigned bytes;
    enum kind kind;
    int is_parameter; /* may a parameter itself have this type? */
} types[] = {
    {"i32", 4, SIGNED, 1},
    {"u32", 4, UNSIGNED, 1},
    {"i64", 8, SIGNED, 1},
    {"u64", 8, UNSIGNED, 1},
    {"f32", 4, FLOAT, 1},
    {"f64", 8, FLOAT, 1},
    {"i16", 2, SIGNED, 0},
    {"u16", 2, UNSIGNED, 0},
    {"i8", 1, SIGNED, 0},
    {"u8", 1, UNSIGNED, 0},
    {"f16", 2, FLOAT, 0},
    {"bf16", 2, FLOAT, 0},
};

/* The type named before the colon; *rest: the text after it. NULL: no type has this name. */
static const struct type *type_of(const char *word, const char **rest)
{
    size_t n = strcspn(word, ":");
    *rest = word + n + 1;
    for (size_t i = 0; word[n] && i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == n && !strncmp(types[i].name, word, n)) return &types[i];
    return NULL;
}

/* ---- numbers ---- */

/* Round v to a 16-bit float, ties to even, and return its encoding. digits: bits of the
 * significand, including the hidden one; 2^least: the smallest normal number. The encoding is the
 * sum of the exponent field and v, taken in units of its last place. */
static uint16_t narrowed(double v, int digits, int least)
{
    int exponent;
    double infinity = ldexp(3 - 2 * least, digits - 1), size = fabs(v);
    frexp(size, &exponent);
    exponent = size > 0 && exponent - 1 > least ? exponent - 1 : least;
    double code = ldexp(exponent - least, digits - 1) + rint(ldexp(size, digits - 1 - exponent));
    return (uint16_t)((int)(code < infinity ? code : infinity) | (signbit(v) ? 0x8000 : 0));
}

/* Write v as a float of the type's 2, 4 or 8 bytes. A number that is too large becomes an
 * infinity. */
static void put_float(const struct type *t, double v, void *out)
{
    float single = (float)v;
    uint16_t half = isnan(v)          ? 0x7fff
                    : *t->name == 'b' ? narrowed(v, 8, -126)
                                      : narrowed(v, 11, -14);
    memcpy(out,
        t->bytes == 2   ? (void *)&half
        : t->bytes == 4 ? (void *)&single
                        : (void *)&v,
        t->bytes);
}

/* The largest finite number of a floating-point type. */
static double most_of(const struct type *t)
{
    return t->bytes == 8     ? 1.7976931348623157e308
           : t->bytes == 4   ? 3.4028234663852886e38
           : *t->name == 'b' ? 0x1.fep127
                             : 65504;
}

/* Parse text, which must be one number, and write it to out as this type. -1: the text is not a
 * number, or is out of range. Integers may be decimal, hexadecimal (0x) or octal (0). */
static int put_number(const struct type *t, const char *text, void *out)
{
    char *end;
    errno = 0;
    if (isspace((unsigned char)*text)) return -1;
    if (t->kind == FLOAT) {
        double v = strtod(text, &end);
        put_float(t, v, out);
        int too_large =
            isinf(v) ? errno == ERANGE : fabs(t->bytes == 4 ? (float)v : v) > most_of(t);
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

/* Set the error: text is not a number of the type, or is out of its range, which the message
 * gives. Returns -1. */
static int no_number(const char *word, const struct type *t, const char *text, struct err *e)
{
    unsigned bits = t->bytes * 8;
    unsigned long long most = ~0ull >> (64 - bits);
    if (t->kind == FLOAT)
        return err_set(e, ERR_USAGE, "argument %s: %s is not a valid %s, a number of at most %s",
            word, text, t->name,
            t->bytes == 8                      ? "1.8e308"
            : *t->name == 'f' && t->bytes == 2 ? "65504"
                                               : "3.4e38");
    if (t->kind == SIGNED)
        return err_set(e, ERR_USAGE,
            "argument %s: %s is not a valid %s, a whole number from %lld to %lld", word, text,
            t->name, -(long long)(most / 2) - 1, (long long)(most / 2));
    return err_set(e, ERR_USAGE, "argument %s: %s is not a valid %s, a whole number from 0 to %llu",
        word, text, t->name, most);
}

/* Write the argument for a word TYPE:VALUE. */
static int scalar(const char *word, const struct param *p, void *out, struct err *e)
{
    const char *number;
    const struct type *t = type_of(word, &number);
    int is_float = p->type == PARAM_F32 || p->type == PARAM_F64;
    /* PTX reports a parameter of type bool, char or short as PARAM_BYTES of fewer than 4 bytes */
    int narrow = t && p->bytes < 4 && t->bytes == p->bytes;
    if (!t || (!t->is_parameter && !narrow))
        return err_set(e, ERR_USAGE, "argument %s: the forms are " ALL_FORMS, word);
    if (p->type == PARAM_BYTES && !narrow)
        return err_set(e, ERR_USAGE,
            "argument %s: its parameter is a structure of %u bytes: struct:{...} with its members, or "
            "bytes:HEX",
            word, p->bytes);
    /* to PTX, a half is a structure of 2 bytes */
    if (t->bytes != p->bytes || (t->bytes > 2 && (t->kind == FLOAT) != is_float))
        return err_set(e, ERR_USAGE, "argument %s: its parameter is %s of %u bytes%s", word,
            is_float ? "a float" : "an integer or a pointer", p->bytes,
            p->bytes == 8 && !is_float ? ": i64, u64 or buf" : "");
    return put_number(t, number, out) ? no_number(word, t, number, e) : 0;
}

/* The parameter's type, for messages. */
static const char *parameter_name(const struct param *p)
{
    static const char *const names[] = {[PARAM_POINTER] = "pointer",
        [PARAM_I32] = "32-bit integer",
        [PARAM_U32] = "32-bit integer",
        [PARAM_I64] = "64-bit integer",
        [PARAM_U64] = "pointer or 64-bit integer",
        [PARAM_F32] = "float",
        [PARAM_F64] = "double",
        [PARAM_BYTES] = "structure"};
    return names[p->type];
}

/* ---- buffers ---- */

/* Random elements, from a fixed seed, so that a command always gets the same data. */
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

/* Elements 0, 1, 2, ... */
static void fill_count(const struct type *t, unsigned char *data, size_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (t->kind == FLOAT)
            put_float(t, (double)i, data + i * t->bytes);
        else
            memcpy(data + i * t->bytes, &i, t->bytes);
}

/* Fill the host's copy of a buffer as `how` says. -1: `how` is unknown, or its value is not a
 * number. For "none" the data stays 0 here; buffer() then marks the bytes as unwritten. */
static int fill(const struct type *t, const char *how, unsigned char *data, size_t count)
{
    if (!how || !strcmp(how, "rand"))
        fill_random(t, data, count);
    else if (!strcmp(how, "iota"))
        fill_count(t, data, count);
    else if (!strncmp(how, "fill=", 5)) {
        if (put_number(t, how + 5, data)) return -1;
        for (size_t i = 1; i < count; i++) memcpy(data + i * t->bytes, data, t->bytes);
    } else if (strcmp(how, "zero") && strcmp(how, "none")) {
        return -1;
    }
    return 0;
}

/* The most bytes of one buffer. Its copy on the host needs the same memory again. */
enum { BUFFER_MAX = 1 << 30 };

/* Write the argument for a word buf:TYPE:COUNT[:HOW]: check it, fill a copy on the host, and
 * copy that to the device. name: what error messages about accesses call the buffer. */
static int buffer(struct device *d, const char *word, const char *name, const struct param *p,
    void *out, struct err *e)
{
    const char *number, *how = NULL;
    const struct type *t = type_of(word + 4, &number);
    char *end = NULL;
    dev_ptr at = 0;
    errno = 0;
    unsigned long long count = t ? strtoull(number, &end, 0) : 0;
    if (t) how = strchr(number, ':');
    if (!t || end == number || *end != (how ? ':' : 0) || errno || !count || *number == '-')
        return err_set(e, ERR_USAGE,
            "argument %s: a buffer is buf:f32:COUNT[:rand|iota|zero|fill=V|none], with another type for f32",
            word);
    if (p->bytes != 8 || p->type == PARAM_F64 || p->type == PARAM_BYTES)
        return err_set(e, ERR_USAGE,
            "argument %s: its parameter is a %s of %u bytes and not a pointer; the forms are " FORMS,
            word, parameter_name(p), p->bytes);
    if (count > BUFFER_MAX / t->bytes)
        return err_set(e, ERR_USAGE,
            "argument %s: a buffer has at most %d bytes, which are %d of %s", word, BUFFER_MAX,
            BUFFER_MAX / (int)t->bytes, t->name);
    unsigned char *data = xcalloc(count, t->bytes);
    int bad = fill(t, how ? how + 1 : NULL, data, count);
    if (bad && !strncmp(how + 1, "fill=", 5))
        no_number(word, t, how + 6, e);
    else if (bad)
        err_set(e, ERR_USAGE,
            "argument %s: a buffer is filled by rand, iota, zero, fill=V or none, not %s", word,
            how + 1);
    else
        bad = device_alloc(d, count * t->bytes, name, t->bytes, &at, e) ||
              device_copy_in(d, at, data, count * t->bytes, e);
    if (!bad && how && !strcmp(how + 1, "none")) device_forget(d, at, count * t->bytes);
    memcpy(out, &at, sizeof at);
    free(data);
    return bad ? -1 : 0;
}

/* The most bytes that all buffers of a launch may have together. */
static const unsigned long long BUFFERS_MAX = 4ull << 30;

/* The bytes of all buffers in a word, including those in structures. A buffer that is malformed or
 * too large counts as 0: buffer() reports it. */
static unsigned long long buffer_bytes(const char *word)
{
    unsigned long long bytes = 0;
    for (const char *at = strstr(word, "buf:"); at; at = strstr(at + 1, "buf:")) {
        const char *number;
        const struct type *t = type_of(at + 4, &number);
        unsigned long long count = t ? strtoull(number, NULL, 0) : 0;
        bytes += t && count <= BUFFER_MAX / t->bytes ? count * t->bytes : 0;
    }
    return bytes;
}

/* ---- structures: each member at the next multiple of its alignment ---- */

/* A structure into which members are being written. */
struct packed {
    struct device *device;
    unsigned char *out;
    /* at: bytes used so far; room: bytes of the parameter. Members beyond `room` are counted but
     * not written, so that an error message can give the size */
    size_t at, room;
    /* from 1: number of the argument, and of its last member; they name buffers in messages */
    int argument, members;
};

/* Does the word begin a structure? A structure inside another one needs no "struct:". */
static int is_structure(const char *word) { return *word == '{' || !strncmp(word, "struct:", 7); }

/* The length of a member's text, which ends at a comma or } outside of nested braces. */
static size_t member_length(const char *at)
{
    size_t n = 0;
    for (int depth = 0; at[n] && (depth || (at[n] != ',' && at[n] != '}')); n++)
        depth += at[n] == '{' ? 1 : at[n] == '}' ? -1 : 0;
    return n;
}

/* The alignment of a member in bytes: the size of a number, 8 for a buffer, the largest of a
 * structure's members, or N of align:N. 0: the word is not a member. */
static size_t member_align(const char *word)
{
    const char *rest;
    const struct type *t = type_of(word, &rest);
    size_t most = t ? t->bytes : !strncmp(word, "buf:", 4) ? 8 : 0;
    if (!strncmp(word, "align:", 6)) {
        unsigned long n = strtoul(word + 6, NULL, 10);
        return n && n <= 128 && !(n & (n - 1)) ? n : 0;
    }
    const char *at = is_structure(word) ? strchr(word, '{') : NULL;
    while (at && *at && *at != '}') {
        size_t n = member_length(++at);
        char *member = xstrndup(at, n);
        size_t align = member_align(member);
        most = align > most ? align : most;
        free(member);
        at += n;
    }
    return most;
}

/* Advance to the next multiple of align. */
static void pad(struct packed *k, size_t align) { k->at = (k->at + align - 1) / align * align; }

static int pack(struct packed *k, const char *word, struct err *e);

/* Write the members of a structure {MEMBER,...}, then pad the structure to its own alignment, as C
 * does. */
static int pack_structure(struct packed *k, const char *word, struct err *e)
{
    const char *at = strchr(word, '{');
    if (!at || member_length(at) != strlen(at) || at[strlen(at) - 1] != '}')
        return err_set(e, ERR_USAGE,
            "%s: a structure is struct:{TYPE:VALUE,...}, in quotes, since a shell may take the braces",
            word);
    do {
        size_t n = member_length(++at);
        char *member = xstrndup(at, n);
        int bad = pack(k, member, e);
        free(member);
        if (bad) return -1;
        at += n;
    } while (*at == ',');
    pad(k, member_align(word));
    return 0;
}

static int pack(struct packed *k, const char *word, struct err *e)
{
    const struct param any = {PARAM_POINTER, 8, 8};
    const char *number;
    size_t align = member_align(word), bytes = align;
    unsigned char value[8] = {0};
    char name[32];
    if (!align)
        return err_set(e, ERR_USAGE,
            "member %s: the forms are i8 to u64, f32, f64 with a number, buf:TYPE:COUNT[:HOW], {...} and "
            "align:N",
            word);
    pad(k, align);
    if (!strncmp(word, "align:", 6)) return 0;
    if (is_structure(word)) return pack_structure(k, word, e);
    snprintf(name, sizeof name, "argument %d, member %d", k->argument, ++k->members);
    const struct type *t = type_of(word, &number);
    if (t ? put_number(t, number, value) && no_number(word, t, number, e)
          : buffer(k->device, word, name, &any, value, e))
        return -1;
    if (k->at + bytes <= k->room) memcpy(k->out + k->at, value, bytes);
    k->at += bytes;
    return 0;
}

/* Write the argument for a word struct:{...}. The structure must have exactly as many bytes as the
 * parameter. */
static int structure(
    struct device *d, const char *word, int index, const struct param *p, void *out, struct err *e)
{
    struct packed k = {d, out, 0, p->bytes, index + 1, 0};
    struct err why = {0};
    if (p->type != PARAM_BYTES)
        return err_set(e, ERR_USAGE,
            "argument %s: its parameter is a %s and not a structure; the forms are " FORMS, word,
            parameter_name(p));
    if (pack_structure(&k, word, &why))
        return err_set(e, why.kind, "argument %s: %.1000s", word, why.text);
    if (k.at < p->bytes && p->align && (k.at + p->align - 1) / p->align * p->align == p->bytes)
        /* the parameter may have padding after its last member */
        k.at = p->bytes;
    if (k.at != p->bytes)
        return err_set(e, ERR_USAGE,
            "argument %s: its members take %zu bytes as C places them; the parameter has %u, at multiples of "
            "%u",
            word, k.at, p->bytes, p->align);
    return 0;
}

/* Write the argument for a word bytes:HEX, with two digits for each byte of the parameter. */
static int raw_bytes(const char *word, const struct param *p, unsigned char *out, struct err *e)
{
    const char *hex = word + 6;
    size_t digits = strspn(hex, "0123456789abcdefABCDEF");
    if (hex[digits] || digits != 2 * (size_t)p->bytes)
        return err_set(e, ERR_USAGE,
            "argument %s: its parameter has %u bytes: bytes:HEX takes %u hexadecimal digits, not %zu",
            word, p->bytes, 2 * p->bytes, strlen(hex));
    for (unsigned i = 0; i < p->bytes; i++) {
        char pair[3] = {hex[2 * i], hex[2 * i + 1], 0};
        out[i] = (unsigned char)strtoul(pair, NULL, 16);
    }
    return 0;
}

/* ---- all arguments of a kernel ---- */

/* Write the argument for a word of any form. index counts from 0; messages count from 1. */
static int argument(struct device *d, const char *word, int index, const struct param *p,
    unsigned char *out, struct err *e)
{
    char name[32];
    snprintf(name, sizeof name, "argument %d", index + 1);
    if (is_structure(word)) return structure(d, word, index, p, out, e);
    if (!strncmp(word, "bytes:", 6)) return raw_bytes(word, p, out, e);
    return strncmp(word, "buf:", 4) ? scalar(word, p, out, e) : buffer(d, word, name, p, out, e);
}

void arguments_free(struct arguments *a)
{
    for (int i = 0; i < a->count; i++) free(a->value[i]);
    *a = (struct arguments){0};
}

/* Before any buffer is allocated, the number of words and the total size of the buffers are
 * checked. */
int arguments_place(struct arguments *a, struct device *d, const struct kernel *k, const char *name,
    const char *file, const char *const *words, int count, struct err *e)
{
    const struct param *params;
    int want = kernel_params(k, &params);
    *a = (struct arguments){0};
    if (want > ARGS_MAX)
        return err_set(e, ERR_USAGE, "%s: kernel %s has %d parameters; %d are supported", file,
            name, want, ARGS_MAX);
    for (a->count = 0; a->count < want; a->count++)
        a->value[a->count] = xcalloc(params[a->count].bytes + 8, 1);
    if (count != want) {
        struct buf list = {0};
        for (int i = 0; i < want; i++)
            buf_printf(&list, "%s%s", i ? ", " : "", parameter_name(&params[i]));
        err_set(e, ERR_USAGE,
            "%s: kernel %s has %d parameter%s (%s), not %d; the forms are " ALL_FORMS, file, name,
            want, plural_s(want), want ? list.data : "none", count);
        buf_free(&list);
        return -1;
    }
    unsigned long long bytes = 0;
    for (int i = 0; i < count; i++)
        if ((bytes += buffer_bytes(words[i])) > BUFFERS_MAX)
            return err_set(e, ERR_USAGE,
                "%s: kernel %s: the buffers up to %s have %llu bytes; all of a launch may have %llu",
                file, name, words[i], bytes, BUFFERS_MAX);
    for (int i = 0; i < count; i++) {
        struct err why = {0};
        if (argument(d, words[i], i, &params[i], a->value[i], &why))
            return err_set(e, why.kind, "%s: kernel %s: %.1500s", file, name, why.text);
    }
    return 0;
}
