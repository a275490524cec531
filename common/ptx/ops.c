/* ops.c - the rows of ops.h as a table, and the look-up of an opcode's row.
 *
 *      "setp.{lt,lo}.{u32,b32}"  ──>  setp.lt.u32, setp.lt.b32, setp.lo.u32, setp.lo.b32  ──>  sorted
 *
 * The sorted list is built once, by the first look-up, and never freed. */
#include "ptx/ptx.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The fields clocks and feature of a row that does not state them: they follow from the row's
 * class. */
#define BY_CLASS(class)                                                                    \
    .clocks = CLASS_##class == CLASS_SFU ? 20 : CLASS_##class == CLASS_FP64 ? 10 : 5,      \
    .feature = CLASS_##class == CLASS_FP64 ? FEATURE_DOUBLES                               \
        : CLASS_##class == CLASS_HALF      ? FEATURE_HALVES                                \
                                           : FEATURE_NONE

const struct ptx_op_info ptx_ops[OP_COUNT] = {
#define OP1(id, keys, d, a, class, expr) \
    [OP_##id] = {#id, keys, CLASS_##class, 1, PTX_##d, {PTX_##a}, BY_CLASS(class)},
#define OP2(id, keys, d, a, b, class, expr) \
    [OP_##id] = {#id, keys, CLASS_##class, 2, PTX_##d, {PTX_##a, PTX_##b}, BY_CLASS(class)},
#define OP3(id, keys, d, a, b, c, class, expr) \
    [OP_##id] = {#id, keys, CLASS_##class, 3, PTX_##d, {PTX_##a, PTX_##b, PTX_##c}, BY_CLASS(class)},
#define OP4(id, keys, d, a, b, c, e, class, expr) \
    [OP_##id] = { \
        #id, keys, CLASS_##class, 4, PTX_##d, {PTX_##a, PTX_##b, PTX_##c, PTX_##e}, BY_CLASS(class)},
#define OPP(id, keys, arity, expr) \
    [OP_##id] = {#id, keys, CLASS_INT, arity, PTX_PRED, {PTX_PRED, PTX_PRED}, BY_CLASS(INT)},
#define OPX(id, keys, class, clocks, feature, traits, meaning) \
    [OP_##id] = {#id, keys, CLASS_##class, -1, PTX_NONE, {PTX_NONE}, clocks, FEATURE_##feature, traits},
#include "ptx/ops.h"
};

/* entries: opcodes (keys with their alternatives expanded), each with its row, sorted by opcode. */
struct entry {
    char key[40];
    enum ptx_op op;
};
static struct entry *entries;
static size_t entry_count, entry_cap;

/* Append an entry for each alternative of a key. head: the part that is already expanded; rest: the
 * other part. */
static void expand(const char *head, const char *rest, size_t rest_len, enum ptx_op op)
{
    const char *open = memchr(rest, '{', rest_len);
    char key[80];
    if (!open) {
        struct entry *x = VEC_PUSH(entries, entry_count, entry_cap);
        snprintf(x->key, sizeof x->key, "%s%.*s", head, (int)rest_len, rest);
        x->op = op;
        return;
    }
    const char *close = memchr(open, '}', rest_len - (size_t)(open - rest));
    for (const char *p = open + 1; p < close;) {
        const char *end = p;
        while (*end != ',' && *end != '}') end++;
        snprintf(key, sizeof key, "%s%.*s%.*s", head, (int)(open - rest), rest, (int)(end - p), p);
        expand(key, close + 1, rest_len - (size_t)(close + 1 - rest), op);
        p = end + 1;
    }
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->key, ((const struct entry *)b)->key);
}

/* Expand the keys of all rows and sort them. Aborts if two rows have the same opcode. */
static void build(void)
{
    for (int op = 1; op < OP_COUNT; op++)
        for (const char *p = ptx_ops[op].keys; *p;) {
            size_t len = strcspn(p, " ");
            expand("", p, len, (enum ptx_op)op);
            p += len + (p[len] == ' ');
        }
    qsort(entries, entry_count, sizeof *entries, by_key);
    for (size_t i = 1; i < entry_count; i++)
        if (!strcmp(entries[i - 1].key, entries[i].key))
            BUG("two rows of ops.h stand for %s", entries[i].key);
}

enum ptx_op ptx_op_find(const char *key)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, build);
    struct entry want = {.op = OP_NONE};
    if (strlen(key) >= sizeof want.key) return OP_NONE;
    strcpy(want.key, key);
    const struct entry *x = bsearch(&want, entries, entry_count, sizeof *entries, by_key);
    return x ? x->op : OP_NONE;
}
