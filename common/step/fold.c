/* fold.c - the values of 32 lanes in a few words.
 *
 *     all the same            16
 *     evenly spaced           0, 1, ... 31 (lane)         64, 68, ... 188 (64 + 4 lane)
 *     the same over again     [0, 1, ... 7] again x4      a block 8 threads wide: threadIdx.x
 *     in groups               [0, 1, ... 3] each x8       threadIdx.y
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

static uint64_t as_unsigned(uint64_t v, unsigned bytes) { return bytes >= 8 ? v : v & (((uint64_t)1 << 8 * bytes) - 1); }

static double as_float(uint64_t v, unsigned bytes)
{
    float f;
    double d;
    uint32_t low = (uint32_t)v;
    memcpy(&f, &low, 4);
    memcpy(&d, &v, 8);
    return bytes == 8 ? d : f;
}

static int is_whole(enum step_kind kind) { return kind == KIND_SIGNED || kind == KIND_UNSIGNED || kind == KIND_POINTER; }

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
    uint32_t known;           /* by place in v */
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

/* "64, 68, ... 188 (64 + 4 lane)". Returns 0 if the n values are not evenly spaced. */
static int put_even(const struct folding *f, int n, int whole_warp, char *out, size_t size)
{
    char a[32], b[32], c[32], text[160], rule[64] = "";
    uint32_t all = n == WARP_SIZE ? ~0u : (1u << n) - 1;
    if (n < 3 || (f->known & all) != all || !is_whole(f->kind)) return 0;
    int64_t first = as_signed(f->v[0], f->bytes), step = as_signed(f->v[1] - f->v[0], f->bytes);
    for (int l = 2; l < n; l++)
        if (as_signed(f->v[l] - f->v[l - 1], f->bytes) != step) return 0;
    if (whole_warp && f->kind != KIND_POINTER) {
        if (first == 0 && step == 1) snprintf(rule, sizeof rule, " (lane)");
        else if (step == 1) snprintf(rule, sizeof rule, " (%" PRId64 " + lane)", first);
        else if (first == 0) snprintf(rule, sizeof rule, " (%" PRId64 " lane)", step);
        else snprintf(rule, sizeof rule, " (%" PRId64 " + %" PRId64 " lane)", first, step);
    }
    snprintf(text, sizeof text, "%s, %s, ... %s%s", one(f->kind, f->bytes, f->v[0], a),
        one(f->kind, f->bytes, f->v[1], b), one(f->kind, f->bytes, f->v[n - 1], c), rule);
    put(out, size, text);
    return 1;
}

/* Values and how often each comes in a row. */
static void put_list(const struct folding *f, int n, char *out, size_t size)
{
    for (int l = 0; l < n;) {
        char v[32], text[64];
        int run = 1;
        while (l + run < n && alike(f, l, l + run)) run++;
        const char *value = f->known >> l & 1 ? one(f->kind, f->bytes, f->v[l], v) : "-";
        if (run > 1) snprintf(text, sizeof text, "%s%s x%d", l ? ", " : "", value, run);
        else snprintf(text, sizeof text, "%s%s", l ? ", " : "", value);
        if (strlen(out) + strlen(text) + 6 > size) {
            put(out, size, ", ...");
            return;
        }
        put(out, size, text);
        l += run;
    }
}

static void put_fold(const struct folding *f, int n, int whole_warp, char *out, size_t size)
{
    char v[32], tail[32];
    int same = 1;
    for (int l = 1; l < n; l++) same &= alike(f, 0, l);
    if (same) {
        put(out, size, f->known & 1 ? one(f->kind, f->bytes, f->v[0], v) : "-");
        return;
    }
    if (put_even(f, n, whole_warp, out, size)) return;
    for (int p = 2; p < n; p *= 2) {
        int again = n % p == 0, groups = again;
        for (int l = 0; l < n; l++) {
            again &= l + p >= n || alike(f, l, l + p);
            groups &= alike(f, l, l / p * p);
        }
        if (!again && !groups) continue;
        struct folding part = *f;
        int count = again ? p : n / p;
        part.known = 0;
        for (int k = 0; k < count; k++) {
            int from = again ? k : k * p;
            part.v[k] = f->v[from];
            part.known |= (f->known >> from & 1) << k;
        }
        if (!again && count < 3) continue; /* "0 x16, 1 x16" is clearer */
        put(out, size, "[");
        put_fold(&part, count, 0, out, size);
        snprintf(tail, sizeof tail, again ? "] again x%d" : "] each x%d", again ? n / p : p);
        put(out, size, tail);
        return;
    }
    put_list(f, n, out, size);
}

/* Lanes without a value count as alike. If the last lanes have none, they are left out. */
void step_fold(
    enum step_kind kind, unsigned bytes, const uint64_t lane[WARP_SIZE], uint32_t known, char *out, size_t size)
{
    struct folding f = {kind, bytes, {0}, known};
    memcpy(f.v, lane, sizeof f.v);
    *out = 0;
    int n = known && (known & (known + 1)) == 0 ? 32 - __builtin_clz(known) : WARP_SIZE;
    put_fold(&f, n, 1, out, size);
}
