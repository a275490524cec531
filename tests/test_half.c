/* test_half.c - the 16-bit formats of PTX: each conversion of every one of the 65536 numbers, each
 * rounding of what lies at, halfway between and beside all of them, sums, products and
 * multiply-adds of random bits. What is right is found by search among all numbers (half.h), in
 * long double. */
#include "device/device.h"
#include "half.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = 1 << 16, SOURCES = 3 };

static const struct format {
    const char *name;
    int mantissa, bias;
} formats[] = {{"f16", 10, 15}, {"bf16", 7, 127}};

/* A type: its letter in a signature, its register type, its type in loads and stores, its size. */
static const struct type {
    char letter;
    const char *reg, *memory;
    unsigned bytes;
} types[] = {{'h', ".b16", "u16", 2}, {'r', ".b32", "u32", 4}, {'q', ".b64", "u64", 8},
    {'f', ".f32", "f32", 4}, {'d', ".f64", "f64", 8}};

static const struct type *type_of(char letter)
{
    const struct type *t = types;
    while (t->letter != letter) t++;
    return t;
}

/* Run "op d, a, b, c" on n elements. signature: type letters of d and of each source. */
static void run(const char *op, const char *signature, size_t n, const void *const *in, void *out)
{
    struct err e = {0};
    struct device *d;
    struct module *m;
    int sources = (int)strlen(signature) - 1;
    unsigned count = (unsigned)n;
    dev_ptr at[SOURCES + 1];
    const void *args[SOURCES + 2] = {&count};
    struct buf ptx = {0};
    buf_printf(
        &ptx, ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u32 n");
    for (int i = 0; i <= sources; i++) buf_printf(&ptx, ", .param .u64 p%d", i);
    buf_printf(&ptx, ")\n{\n.reg .pred %%p; .reg .u32 %%n, %%i, %%t, %%b; .reg .u64 %%a, %%w;\n");
    for (int i = 0; i <= sources; i++)
        buf_printf(&ptx, ".reg %s %%x%d;\n", type_of(signature[i])->reg, i);
    buf_printf(&ptx, "ld.param.u32 %%n, [n]; mov.u32 %%t, %%ctaid.x; mov.u32 %%b, %%tid.x;\n"
                     "mad.lo.u32 %%i, %%t, 256, %%b; setp.ge.u32 %%p, %%i, %%n; @%%p ret;\n");
    for (int i = 0; i <= sources; i++) {
        const struct type *t = type_of(signature[(i + 1) % (sources + 1)]);
        buf_printf(&ptx,
            "ld.param.u64 %%a, [p%d]; mul.wide.u32 %%w, %%i, %u; add.u64 %%a, %%a, %%w;\n",
            (i + 1) % (sources + 1), t->bytes);
        if (i < sources) {
            buf_printf(&ptx, "ld.global.%s %%x%d, [%%a];\n", t->memory, i + 1);
            continue;
        }
        buf_printf(&ptx, "%s %%x0", op);
        for (int k = 1; k <= sources; k++) buf_printf(&ptx, ", %%x%d", k);
        buf_printf(&ptx, ";\nst.global.%s [%%a], %%x0;\nret;\n}\n", t->memory);
    }
    ck_assert_msg(!device_open("sim:h200", &d, &e), "%s", e.text);
    ck_assert_msg(!device_load(d, ptx.data, "half.ptx", "half.ptx", &m, &e), "%s: %s", op, e.text);
    for (int i = 0; i <= sources; i++) {
        size_t bytes = n * type_of(signature[i])->bytes;
        ck_assert_msg(!device_alloc(d, bytes, "data", 2, &at[i], &e), "%s", e.text);
        if (i) ck_assert(!device_copy_in(d, at[i], in[i - 1], bytes, &e));
        args[i + 1] = &at[i];
    }
    struct launch_shape shape = {{(count + 255) / 256, 1, 1}, {256, 1, 1}};
    ck_assert_msg(
        !device_launch(d, module_kernel(m, "k"), &shape, args, NULL, &e), "%s: %s", op, e.text);
    ck_assert(!device_copy_out(d, out, at[0], n * type_of(*signature)->bytes, &e));
    device_unload(d, m);
    device_close(d);
    buf_free(&ptx);
}

static uint16_t *every(void)
{
    uint16_t *h = xcalloc(ALL, sizeof *h);
    for (int i = 0; i < ALL; i++) h[i] = (uint16_t)i;
    return h;
}

/* ---- from a 16-bit format ---- */

static long double cut(long double v, char mode)
{
    return mode == 'n' ? rintl(v) : mode == 'z' ? truncl(v) : mode == 'm' ? floorl(v) : ceill(v);
}

START_TEST(every_number_widens)
{
    const struct format *f = &formats[_i];
    uint16_t *h = every();
    float *single = xcalloc(ALL, sizeof *single);
    double *wide = xcalloc(ALL, sizeof *wide);
    char op[64];
    snprintf(op, sizeof op, "cvt.f32.%s", f->name);
    run(op, "fh", ALL, (const void *[]){h}, single);
    snprintf(op, sizeof op, "cvt.f64.%s", f->name);
    run(op, "dh", ALL, (const void *[]){h}, wide);
    for (int i = 0; i < ALL; i++) {
        long double v = half_value(h[i], f->mantissa, f->bias);
        ck_assert_msg(v != v ? isnan(single[i]) && isnan(wide[i])
                             : single[i] == v && wide[i] == v && !signbit(single[i]) == !signbit(v),
            "%s %04x is %g and %g, not %Lg", f->name, i, single[i], wide[i], v);
    }
    free(h), free(single), free(wide);
}
END_TEST

START_TEST(every_number_becomes_whole)
{
    static const struct whole {
        const char *type;
        char letter;
        long double low, high, nan;
    } wholes[] = {{"s32", 'r', -0x1p31L, 0x1p31L - 1, 0}, {"u32", 'r', 0, 0x1p32L - 1, 0},
        {"s64", 'q', -0x1p63L, 0x1p63L - 1, -0x1p63L}, {"u64", 'q', 0, 0x1p64L - 1, 0x1p63L},
        {"s16", 'h', -32768, 32767, 0}, {"u16", 'h', 0, 65535, 0}};
    const struct format *f = &formats[_i];
    uint16_t *h = every(), *own = xcalloc(ALL, sizeof *own);
    unsigned char *got = xcalloc(ALL, 8);
    char op[64];
    for (const char *mode = "nzmp"; *mode; mode++) {
        for (size_t w = 0; w < sizeof wholes / sizeof *wholes; w++) {
            const struct whole *to = &wholes[w];
            unsigned bytes = type_of(to->letter)->bytes;
            snprintf(op, sizeof op, "cvt.r%ci.%s.%s", *mode, to->type, f->name);
            run(op, (char[]){to->letter, 'h', 0}, ALL, (const void *[]){h}, got);
            for (int i = 0; i < ALL; i++) {
                long double v = cut(half_value(h[i], f->mantissa, f->bias), *mode);
                v = isnan(v) ? to->nan : v < to->low ? to->low : v > to->high ? to->high : v;
                uint64_t want = v < 0 ? (uint64_t)(int64_t)v : (uint64_t)v, is = 0;
                memcpy(&is, got + (size_t)i * bytes, bytes);
                ck_assert_msg(!memcmp(&is, &want, bytes), "%s of %04x is %llx, not %llx", op, i,
                    (unsigned long long)is, (unsigned long long)want);
            }
        }
        snprintf(op, sizeof op, "cvt.r%ci.%s.%s", *mode, f->name, f->name);
        run(op, "hh", ALL, (const void *[]){h}, own);
        for (int i = 0; i < ALL; i++) {
            uint16_t want = half_rounded(
                cut(half_value(h[i], f->mantissa, f->bias), *mode), 'n', f->mantissa, f->bias);
            ck_assert_msg(own[i] == want, "%s of %04x is %04x, not %04x", op, i, own[i], want);
        }
    }
    free(h), free(own), free(got);
}
END_TEST

/* ---- to a 16-bit format ---- */

/* 6 doubles for each number of the format: the number, the midpoint to the next one, and the
 * doubles just beside both. */
enum { NEAR = 6 };
static double *near_every(const struct format *f)
{
    double *x = xcalloc((size_t)ALL * NEAR, sizeof *x);
    for (int i = 0; i < ALL; i++) {
        double v = (double)half_value((uint16_t)i, f->mantissa, f->bias),
               next = (double)half_value((uint16_t)(i + 1), f->mantissa, f->bias);
        /* infinity counts as the number that would follow the largest */
        if (isinf(next)) next = copysign(ldexp(1, f->bias + 1), v);
        double tie = isfinite(v) && isfinite(next) ? v + (next - v) / 2 : v;
        const double near[NEAR] = {v, nextafter(v, INFINITY), nextafter(v, -INFINITY), tie,
            nextafter(tie, INFINITY), nextafter(tie, -INFINITY)};
        memcpy(x + (size_t)i * NEAR, near, sizeof near);
    }
    return x;
}

START_TEST(every_rounding_is_right)
{
    const struct format *f = &formats[_i];
    size_t n = (size_t)ALL * NEAR;
    double *wide = near_every(f);
    float *single = xcalloc(n, sizeof *single);
    uint16_t *got = xcalloc(n, sizeof *got);
    char op[64];
    for (size_t i = 0; i < n; i++) {
        single[i] = (float)wide[i];
        if (i % NEAR % 3) /* the nearest float on the same side */
            single[i] = nextafterf((float)wide[i - i % 3], i % 3 == 1 ? INFINITY : -INFINITY);
    }
    for (const char *mode = "nzmp"; *mode; mode++)
        for (int from = 0; from < 2; from++) {
            snprintf(op, sizeof op, "cvt.r%c.%s.%s", *mode, f->name, from ? "f64" : "f32");
            run(op, from ? "hd" : "hf", n, (const void *[]){from ? (void *)wide : (void *)single},
                got);
            for (size_t i = 0; i < n; i++) {
                long double v = from ? (long double)wide[i] : (long double)single[i];
                uint16_t want = half_rounded(v, *mode, f->mantissa, f->bias);
                ck_assert_msg(got[i] == want, "%s of %La is %04x, not %04x", op, v, got[i], want);
            }
        }
    free(wide), free(single), free(got);
}
END_TEST

START_TEST(whole_numbers_round_once)
{
    enum { N = 4096 };
    const struct format *f = &formats[_i];
    uint64_t *x = xcalloc(N, sizeof *x);
    uint16_t *got = xcalloc(N, sizeof *got);
    struct rng rng;
    char op[64];
    rng_seed(&rng, 5);
    for (int i = 0; i < N; i++) { /* mostly on a midpoint, or just beside */
        x[i] = (rng_below(&rng, 1024) << rng_below(&rng, 54)) + rng_below(&rng, 3) - 1;
        if (i % 2) x[i] = 0 - x[i];
    }
    for (const char *mode = "nzmp"; *mode; mode++)
        for (int is_signed = 0; is_signed < 2; is_signed++) {
            snprintf(op, sizeof op, "cvt.r%c.%s.%c64", *mode, f->name, is_signed ? 's' : 'u');
            run(op, "hq", N, (const void *[]){x}, got);
            for (int i = 0; i < N; i++) {
                long double v = is_signed ? (long double)(int64_t)x[i] : (long double)x[i];
                uint16_t want = half_rounded(v, *mode, f->mantissa, f->bias);
                ck_assert_msg(got[i] == want, "%s of %Lf is %04x, not %04x", op, v, got[i], want);
            }
        }
    free(x), free(got);
}
END_TEST

/* ---- arithmetic ---- */

/* Is p + c above m (1), below (-1) or equal (0)? Exact: p, c and -m are turned into three numbers
 * of the same sum that do not overlap, so the largest that is not 0 has the sign of the sum. */
static int compare_sum(long double p, long double c, long double m)
{
    long double x[3] = {p, c, -m};
    /* exact sums of neighbours, until the three do not overlap; the largest is last */
    for (int pass = 0; pass < 8; pass++) {
        for (int i = 0; i < 2; i++) {
            long double a = x[i], b = x[i + 1], s = a + b, t = s - a;
            x[i] = (a - (s - t)) + (b - t);
            x[i + 1] = s;
        }
    }
    for (int i = 2; i >= 0; i--)
        if (x[i] != 0) return x[i] > 0 ? 1 : -1;
    return 0;
}

/* Is r the number nearest to p + c, ties to even? */
static int nearest(uint16_t r, long double p, long double c, const struct format *f)
{
    const int infinity = (2 * f->bias + 1) << f->mantissa;
    if (isnan(p + c)) return r == 0x7fff;
    if (isinf(p) || isinf(c)) return r == ((uint16_t)infinity | (p + c < 0 ? 0x8000 : 0));
    if (compare_sum(p, c, 0) < 0 || (r & 0x8000)) {
        if (!(r & 0x8000)) return 0;
        p = -p, c = -c, r &= 0x7fff;
    }
    /* r is not negative now: its neighbours' midpoints must enclose the sum */
    long double top = ldexpl(1, f->bias + 1);
    long double at = r == infinity ? top : half_value(r, f->mantissa, f->bias);
    long double above =
        r + 1 >= infinity ? top : half_value((uint16_t)(r + 1), f->mantissa, f->bias);
    long double below = r ? half_value((uint16_t)(r - 1), f->mantissa, f->bias) : -above;
    int low = compare_sum(p, c, (below + at) / 2), high = compare_sum(p, c, (at + above) / 2);
    if (r > infinity) return 0;
    return (low > 0 || (low == 0 && !(r & 1))) &&
           (r == infinity || high < 0 || (high == 0 && !(r & 1)));
}

START_TEST(arithmetic_rounds_once)
{
    enum { N = 1 << 18, OPS = 4 };
    static const char *const names[OPS] = {"add", "sub", "mul", "fma.rn"};
    const struct format *f = &formats[_i];
    uint16_t *in[SOURCES], *got = xcalloc(N, sizeof *got);
    struct rng rng;
    rng_seed(&rng, 11);
    for (int k = 0; k < SOURCES; k++) {
        in[k] = xcalloc(N, sizeof **in);
        for (int i = 0; i < N; i++) {
            in[k][i] = (uint16_t)rng_below(&rng, ALL);
            /* every other one has few bits and an exponent near 1: ties are frequent there */
            uint64_t exponent = (uint64_t)f->bias - 6 + rng_below(&rng, 12);
            if (i % 2)
                in[k][i] = (uint16_t)(exponent << f->mantissa | rng_below(&rng, 2) << 15 |
                                      rng_below(&rng, 8) << (f->mantissa - 4) | rng_below(&rng, 2));
        }
    }
    for (int o = 0; o < OPS; o++) {
        char op[64];
        snprintf(op, sizeof op, "%s.%s", names[o], f->name);
        run(op, o == 3 ? "hhhh" : "hhh", N, (const void *const *)in, got);
        for (int i = 0; i < N; i++) {
            long double v[SOURCES];
            for (int k = 0; k < SOURCES; k++) v[k] = half_value(in[k][i], f->mantissa, f->bias);
            const long double addends[OPS] = {v[1], -v[1], 0, v[2]};
            long double p = o < 2 ? v[0] : v[0] * v[1], c = addends[o];
            ck_assert_msg(nearest(got[i], p, c, f), "%s of %04x, %04x, %04x is %04x", op, in[0][i],
                in[1][i], in[2][i], got[i]);
        }
    }
    for (int k = 0; k < SOURCES; k++) free(in[k]);
    free(got);
}
END_TEST

/* An operation on a pair gives what it gives on each half, with every modifier. */
START_TEST(pairs_are_two_numbers)
{
    enum { N = 1 << 12 };
    static const struct {
        const char *op;
        int sources;
    } ops[] = {{"add.sat", 2}, {"sub.ftz", 2}, {"mul.ftz.sat", 2}, {"fma.rn.relu", 3},
        {"fma.rn.ftz.sat", 3}, {"neg", 1}, {"abs.ftz", 1}, {"min", 2}, {"max.NaN", 2},
        {"min.ftz.NaN", 2}, {"max", 2}, {"ex2.approx", 1}, {"tanh.approx", 1}, {"add.rn", 2}};
    const struct format *f = &formats[_i];
    uint32_t *in[SOURCES], *got = xcalloc(N, sizeof *got);
    uint16_t *one = xcalloc(N, sizeof *one), *half[SOURCES];
    struct rng rng;
    rng_seed(&rng, 3);
    for (int k = 0; k < SOURCES; k++) {
        in[k] = xcalloc(N, sizeof **in);
        half[k] = xcalloc(N, sizeof **half);
        for (int i = 0; i < N; i++) in[k][i] = (uint32_t)rng_below(&rng, (uint64_t)1 << 32);
    }
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
        char op[64], pair[64];
        snprintf(op, sizeof op, "%s.%s", ops[o].op, f->name);
        snprintf(pair, sizeof pair, "%s.%sx2", ops[o].op, f->name);
        run(pair, &"rrrr"[SOURCES - ops[o].sources], N, (const void *const *)in, got);
        for (int shift = 0; shift < 32; shift += 16) {
            for (int k = 0; k < SOURCES; k++)
                for (int i = 0; i < N; i++) half[k][i] = (uint16_t)(in[k][i] >> shift);
            run(op, &"hhhh"[SOURCES - ops[o].sources], N, (const void *const *)half, one);
            for (int i = 0; i < N; i++)
                ck_assert_msg(one[i] == (uint16_t)(got[i] >> shift), "%s: %04x, and %04x in a pair",
                    op, one[i], (uint16_t)(got[i] >> shift));
        }
    }
    for (int k = 0; k < SOURCES; k++) free(in[k]), free(half[k]);
    free(got), free(one);
}
END_TEST

/* ---- what an H100 gave ---- */

/* The results of an H100 for all 65536 numbers a, as FNV-1a of their bytes. b and c are 40503 a + 7
 * and 25717 a + 3 modulo 2^16, r is a as a whole number, f the float whose upper half a is. */
static const struct measured {
    const char *op;
    uint64_t hash;
} measured[] = {
    {"neg.f16 d, a", 0xc42bd4074cb475b9u},
    {"abs.f16 d, a", 0x41ab4da64244f939u},
    {"add.f16 d, a, b", 0x19d0b3e383409b5du},
    {"sub.f16 d, a, b", 0x2facc8f3f7b71e5du},
    {"mul.f16 d, a, b", 0xce394881621d7ad5u},
    {"min.f16 d, a, b", 0x7be7e7698a4d54efu},
    {"max.f16 d, a, b", 0xa76e0e7ce13166e7u},
    {"min.NaN.f16 d, a, b", 0x94ee5a0cf5fb457fu},
    {"max.NaN.f16 d, a, b", 0xab382580c7cd6b67u},
    {"fma.rn.f16 d, a, b, c", 0x7168c5680b7efe52u},
    {"fma.rn.relu.f16 d, a, b, c", 0x5ab2de49d1bf43f9u},
    {"cvt.rni.f16.f16 d, a", 0x0c7a6af955e39fb5u},
    {"cvt.rzi.f16.f16 d, a", 0xf63158e60bf225b9u},
    {"cvt.rp.f16.s32 d, r", 0xb37d62f9208b1447u},
    {"neg.bf16 d, a", 0x8a42c1ce904853a5u},
    {"abs.bf16 d, a", 0x946892d653e34525u},
    {"add.bf16 d, a, b", 0x4452c38d47f52c8du},
    {"sub.bf16 d, a, b", 0xeaf41f638a2a9f51u},
    {"mul.bf16 d, a, b", 0x63b8706e8e06d51du},
    {"min.bf16 d, a, b", 0x4820dff4f6094aa0u},
    {"max.bf16 d, a, b", 0xff0a38b332051878u},
    {"min.NaN.bf16 d, a, b", 0xff3dbb60697f0da4u},
    {"max.NaN.bf16 d, a, b", 0x0a3825cc8905c4ccu},
    {"fma.rn.bf16 d, a, b, c", 0x83d155aaf387e65au},
    {"fma.rn.relu.bf16 d, a, b, c", 0x728157d24f21fe5cu},
    {"cvt.rni.bf16.bf16 d, a", 0xc4b8693a51873e19u},
    {"cvt.rzi.bf16.bf16 d, a", 0x64e2b1466213b2a5u},
    {"cvt.rn.bf16.s32 d, r", 0x449b6212bfec48adu},
    {"add.sat.f16 d, a, b", 0xd91440fb881ff571u},
    {"mul.sat.f16 d, a, b", 0x311a22ebd18696fdu},
    {"fma.rn.sat.f16 d, a, b, c", 0xe9d9477f02561d19u},
    {"add.ftz.f16 d, a, b", 0x6bfd161f6b375d9du},
    {"mul.ftz.f16 d, a, b", 0x9ca9655e918f5ae9u},
    {"fma.rn.ftz.f16 d, a, b, c", 0x40cd8ec062c479fbu},
    {"neg.ftz.f16 d, a", 0x79928b196b808fb9u},
    {"min.ftz.f16 d, a, b", 0x5a2f0ddd8392bc70u},
    {"setp.ne.f16 p, a, b; selp.b16 d, 1, 0, p", 0x4bc307cfb20f9e55u},
    {"cvt.rn.sat.f16.f32 d, f", 0xaa5278f1fb191691u},
    {"cvt.rz.relu.f16.f32 d, f", 0x919c53f87f6e9a45u},
};

START_TEST(an_h100_gave_the_same)
{
    const struct measured *x = &measured[_i];
    struct err e = {0};
    struct device *d;
    struct module *m;
    dev_ptr at;
    uint64_t hash = 0xcbf29ce484222325u;
    uint16_t *got = xcalloc(ALL, sizeof *got);
    const void *args[] = {&at};
    struct launch_shape s = {{ALL / 256, 1, 1}, {256, 1, 1}};
    char *ptx = xasprintf(
        ".version 7.8\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 o)\n{\n"
        ".reg .pred p; .reg .b16 a, b, c, d; .reg .b32 r, t; .reg .f32 f; .reg .b64 q, w;\n"
        "mov.u32 r, %%ctaid.x; mov.u32 t, %%tid.x; mad.lo.u32 r, r, 256, t;\n"
        "cvt.u16.u32 a, r; mad.lo.u32 t, r, 40503, 7; cvt.u16.u32 b, t;\n"
        "mad.lo.u32 t, r, 25717, 3; cvt.u16.u32 c, t;\n"
        "shl.b32 t, r, 16; mov.b32 f, t;\n%s;\n"
        "ld.param.u64 q, [o]; mul.wide.u32 w, r, 2; add.u64 q, q, w;\n"
        "st.global.u16 [q], d;\nret;\n}\n",
        x->op);
    ck_assert_msg(!device_open("sim:h200", &d, &e), "%s", e.text);
    ck_assert_msg(!device_load(d, ptx, "k.ptx", "k.ptx", &m, &e), "%s: %s", x->op, e.text);
    ck_assert_msg(!device_alloc(d, ALL * sizeof *got, "out", 2, &at, &e), "%s", e.text);
    ck_assert_msg(
        !device_launch(d, module_kernel(m, "k"), &s, args, NULL, &e), "%s: %s", x->op, e.text);
    ck_assert(!device_copy_out(d, got, at, ALL * sizeof *got, &e));
    for (size_t i = 0; i < ALL * sizeof *got; i++)
        hash = (hash ^ ((unsigned char *)got)[i]) * 0x100000001b3u;
    ck_assert_msg(hash == x->hash, "%s: an H100 gives others", x->op);
    device_unload(d, m);
    device_close(d);
    free(got);
    free(ptx);
}
END_TEST

/* An instruction that no GPU has is refused in one sentence that names it. */
START_TEST(unknown_forms_are_refused)
{
    static const char *const ops[] = {
        "fma.rn.sat.relu.f16", "div.rn.f16", "add.rz.f16", "min.xorsign.abs.f16"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        struct device *d;
        struct module *m;
        struct err e = {0};
        char *ptx =
            xasprintf(".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
                      ".reg .b16 %%h; %s %%h, %%h, %%h, %%h;\nret;\n}\n",
                ops[i]);
        ck_assert(!device_open("sim:h200", &d, &e));
        ck_assert_msg(device_load(d, ptx, "k.ptx", "k.ptx", &m, &e), "%s is accepted", ops[i]);
        ck_assert_msg(strstr(e.text, ops[i]) && strstr(e.text, "is not supported"), "%s", e.text);
        device_close(d);
        free(ptx);
    }
}
END_TEST

/* A kernel for a GPU without this arithmetic is refused, and the message says so. */
START_TEST(older_gpus_lack_it)
{
    static const struct {
        const char *device, *op, *says;
    } rows[] = {{"sim:k40", "add.f16", "half-precision arithmetic"},
        {"sim:t4", "fma.rn.bf16", "bfloat16 arithmetic"}, {"sim:p100", "fma.rn.f16", NULL},
        {"sim:a100", "fma.rn.bf16", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct device *d;
        struct module *m;
        struct err e = {0};
        struct launch_shape s = {{1, 1, 1}, {32, 1, 1}};
        int three = strstr(rows[i].op, "fma") != NULL;
        char *ptx =
            xasprintf(".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n"
                      ".reg .b16 %%h; mov.b16 %%h, 0; %s %%h, %%h, %%h%s;\nret;\n}\n",
                rows[i].op, three ? ", %h" : "");
        ck_assert(!device_open(rows[i].device, &d, &e));
        int bad = device_load(d, ptx, "k.ptx", "k.ptx", &m, &e) != 0;
        if (!bad) {
            bad = device_launch(d, module_kernel(m, "k"), &s, NULL, NULL, &e) != 0;
            device_unload(d, m);
        }
        ck_assert_msg(bad == (rows[i].says != NULL) && (!bad || strstr(e.text, rows[i].says)),
            "%s on %s: %s", rows[i].op, rows[i].device, e.text);
        device_close(d);
        free(ptx);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("half");
    TCase *t = tcase_create("half");
    tcase_set_timeout(t, 0);
    tcase_add_loop_test(t, every_number_widens, 0, 2);
    /* under the sanitizers the other tests, which run the same code, are enough */
    if (!getenv("LOCKSTEP_SANITIZED")) {
        tcase_add_loop_test(t, every_number_becomes_whole, 0, 2);
        tcase_add_loop_test(t, every_rounding_is_right, 0, 2);
    }
    tcase_add_loop_test(t, whole_numbers_round_once, 0, 2);
    tcase_add_loop_test(t, arithmetic_rounds_once, 0, 2);
    tcase_add_loop_test(t, pairs_are_two_numbers, 0, 2);
    tcase_add_loop_test(t, an_h100_gave_the_same, 0, sizeof measured / sizeof *measured);
    tcase_add_test(t, unknown_forms_are_refused);
    tcase_add_test(t, older_gpus_lack_it);
    suite_add_tcase(s, t);
    return suite_run(s);
}
