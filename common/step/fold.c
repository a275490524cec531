/* fold.c - the values of 32 lanes in a few words.
 *
 *     all the same            16
 *     evenly spaced           0, 1, ... 31 (lane)         64, 68, ... 188 (64 + 4 lane)
 *     periodic                [0, 1, ... 7] again x4      such as threadIdx.x, in a block 8 threads wide
 *     in groups               [0, 1, ... 3] each x8       such as threadIdx.y
 *     anything else           0.5 x3, 0.25, 1 x28         as far as there is room */
#include "step/step.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int64_t as_signed(uint64_t v, unsigned bytes)
{
    unsigned drop = bytes >= 8 ? 0 : 64 - 8 * bytes;
    return (int64_t)(v << drop) >> drop;
}

static uint64_t as_unsigned(uint64_t v, unsigned bytes)
{
    return bytes >= 8 ? v : v & (((uint64_t)1 << 8 * bytes) - 1);
}

static double as_float(uint64_t v, unsigned bytes)
{
    float f;
    double d;
    uint32_t low = (uint32_t)v;
    memcpy(&f, &low, 4);
    memcpy(&d, &v, 8);
    return bytes == 8 ? d : f;
}

static int is_whole(enum step_kind kind)
{
    return kind == KIND_SIGNED || kind == KIND_UNSIGNED || kind == KIND_POINTER;
}

static const char *one(enum step_kind kind, unsigned bytes, uint64_t v, char out[32])
{
    switch (kind) {
    case KIND_FLOAT: snprintf(out, 32, "%.4g", as_float(v, bytes)); break;
    case KIND_SIGNED: snprintf(out, 32, "%" PRId64, as_signed(v, bytes)); break;
    case KIND_BOOL: snprintf(out, 32, "%s", as_unsigned(v, bytes) ? "true" : "false"); break;
    case KIND_UNSIGNED: snprintf(out, 32, "%" PRIu64, as_unsigned(v, bytes)); break;
    default: snprintf(out, 32, "0x%" PRIx64, as_unsigned(v, bytes)); break;
    }
    return out;
}

struct folding {
    enum step_kind kind;
    unsigned bytes;
    uint64_t v[WARP_SIZE];
    uint32_t known; /* bit i: v[i] is known */
};

static int alike(const struct folding *f, int a, int b)
{
    int ka = f->known >> a & 1, kb = f->known >> b & 1;
    return ka == kb && (!ka || as_unsigned(f->v[a], f->bytes) == as_unsigned(f->v[b], f->bytes));
}

static void put(char *out, size_t size, const char *text)
{
    size_t n = strlen(out);
    if (n + 1 < size) snprintf(out + n, size - n, "%s", text);
}

/* Write "64, 68, ... 188 (64 + 4 lane)". Returns 0 if the n values are not evenly spaced. */
static int put_even(const struct folding *f, int n, int whole_warp, char *out, size_t size)
{
    char a[32], b[32], c[32], text[160], rule[64] = "";
    uint32_t all = n == WARP_SIZE ? ~0u : (1u << n) - 1;
    if (n < 3 || (f->known & all) != all || !is_whole(f->kind)) return 0;
    int64_t first = as_signed(f->v[0], f->bytes), step = as_signed(f->v[1] - f->v[0], f->bytes);
    for (int l = 2; l < n; l++)
        if (as_signed(f->v[l] - f->v[l - 1], f->bytes) != step) return 0;
    if (whole_warp && f->kind != KIND_POINTER) {
        if (first == 0 && step == 1)
            snprintf(rule, sizeof rule, " (lane)");
        else if (step == 1)
            snprintf(rule, sizeof rule, " (%" PRId64 " + lane)", first);
        else if (first == 0)
            snprintf(rule, sizeof rule, " (%" PRId64 " lane)", step);
        else if (step == -1)
            snprintf(rule, sizeof rule, " (%" PRId64 " - lane)", first);
        else
            snprintf(rule, sizeof rule, " (%" PRId64 " %c %" PRId64 " lane)", first,
                step < 0 ? '-' : '+', step < 0 ? -step : step);
    }
    snprintf(text, sizeof text, "%s, %s, ... %s%s", one(f->kind, f->bytes, f->v[0], a),
        one(f->kind, f->bytes, f->v[1], b), one(f->kind, f->bytes, f->v[n - 1], c), rule);
    put(out, size, text);
    return 1;
}

/* Write the values as a list, each with how often it occurs in a row. */
static void put_list(const struct folding *f, int n, char *out, size_t size)
{
    for (int l = 0; l < n;) {
        char v[32], text[64];
        int run = 1;
        while (l + run < n && alike(f, l, l + run)) run++;
        const char *value = f->known >> l & 1 ? one(f->kind, f->bytes, f->v[l], v) : "-";
        if (run > 1)
            snprintf(text, sizeof text, "%s%s x%d", l ? ", " : "", value, run);
        else
            snprintf(text, sizeof text, "%s%s", l ? ", " : "", value);
        if (strlen(out) + strlen(text) + 6 > size) {
            put(out, size, ", ...");
            return;
        }
        put(out, size, text);
        l += run;
    }
}

/* Write a part of the values in brackets, folded. again: the first p values, which then repeat;
 * otherwise every p-th value, since each occurs p times in a row. */
static void put_fold(const struct folding *f, int n, int whole_warp, char *out, size_t size);
static void put_part(const struct folding *f, int n, int p, int again, char *out, size_t size)
{
    struct folding part = *f;
    char tail[32];
    int count = again ? p : n / p;
    for (int k = 0; k < count; k++) part.v[k] = f->v[again ? k : k * p];
    put(out, size, "[");
    put_fold(&part, count, 0, out, size);
    snprintf(tail, sizeof tail, again ? "] again x%d" : "] each x%d", again ? n / p : p);
    put(out, size, tail);
}

static void put_fold(const struct folding *f, int n, int whole_warp, char *out, size_t size)
{
    char v[32];
    int runs = 1;
    for (int l = 1; l < n; l++) runs += !alike(f, l - 1, l);
    if (runs == 1) {
        put(out, size, one(f->kind, f->bytes, f->v[0], v));
        return;
    }
    if (put_even(f, n, whole_warp, out, size)) return;
    /* find the shortest period (again), or the longest groups of equal values; if there are few
     * different values, a list is clearer */
    int again = 0, group = 0;
    for (int p = 1; p < n && n % p == 0; p *= 2) {
        int is_again = 1, is_group = 1;
        for (int l = 0; l < n; l++) {
            is_again &= l + p >= n || alike(f, l, l + p);
            is_group &= alike(f, l, l / p * p);
        }
        if (is_again && !again) again = p;
        if (is_group && p > 1) group = p;
    }
    if (again && runs > 2)
        put_part(f, n, again, 1, out, size);
    else if (group && runs > 4 - (n / group == 4))
        put_part(f, n, group, 0, out, size);
    else
        put_list(f, n, out, size);
}

/* Lanes without a value are left out; then the number of lanes that have one is appended. */
void step_fold(enum step_kind kind, unsigned bytes, const uint64_t lane[WARP_SIZE], uint32_t known,
    char *out, size_t size)
{
    struct folding f = {kind, bytes, {0}, 0};
    /* n: lanes 0 to n - 1 have values, if `first` is set */
    int n = 0, first = known && !(known & (known + 1));
    char tail[24] = "";
    for (uint32_t m = known; m; m &= m - 1) f.v[n++] = lane[__builtin_ctz(m)];
    f.known = n == WARP_SIZE ? ~0u : (1u << n) - 1;
    snprintf(out, size, "%s", n ? "" : "-");
    if (n > 1 && n < WARP_SIZE) snprintf(tail, sizeof tail, " (%d lanes)", n);
    if (n) put_fold(&f, n, first, out, size - strlen(tail));
    if (size > strlen(tail) + 8) put(out, size, tail);
}
