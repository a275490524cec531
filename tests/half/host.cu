// half and bfloat16 on the host: every function computes the bits that a GPU does. Each line printed is a mistake.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" {
#include "half.h"
}

static int mistakes;
#define CHECK(condition, ...)                              \
    if (!(condition) && mistakes++ < 10) printf(__VA_ARGS__)

static unsigned seed = 1;
static unsigned short any()
{
    seed = seed * 1664525u + 1013904223u;
    return (unsigned short)(seed >> 16);
}

template <class T> struct format;
template <> struct format<half> {
    enum { mantissa = 10, bias = 15 };
    static half of(unsigned short h) { return __ushort_as_half(h); }
    static float wide(half h) { return __half2float(h); }
    static half narrow(float f) { return __float2half(f); }
};
template <> struct format<nv_bfloat16> {
    enum { mantissa = 7, bias = 127 };
    static nv_bfloat16 of(unsigned short h) { return __ushort_as_bfloat16(h); }
    static float wide(nv_bfloat16 h) { return __bfloat162float(h); }
    static nv_bfloat16 narrow(float f) { return __float2bfloat16(f); }
};

static bool same(unsigned short got, long double right, int mantissa, int bias)
{
    return got == half_rounded(right, 'n', mantissa, bias);
}

template <class T> static void numbers(const char *name)
{
    typedef format<T> F;
    for (int i = 0; i < 65536; i++) {
        T h = F::of((unsigned short)i);
        long double v = half_value((uint16_t)i, F::mantissa, F::bias);
        float f = F::wide(h), next = F::wide(F::of((unsigned short)(i + 1)));
        CHECK(v != v ? f != f : f == v, "%s %04x is %g\n", name, i, f);
        CHECK(v != v ? __hisnan(h) : F::narrow(f).__x == i, "%s %04x comes back as %04x\n", name, i, F::narrow(f).__x);
        if (v != v || std::isinf(f) || !std::isfinite(next)) continue;
        float tie = (float)(((double)f + next) / 2);
        CHECK(same(F::narrow(tie).__x, tie, F::mantissa, F::bias), "%s: the tie after %04x\n", name, i);
        CHECK((int)h == (fabsl(v) < 0x1p31L ? (int)v : v < 0 ? -2147483647 - 1 : 2147483647), "%s: (int)%04x\n", name, i);
    }
}

template <class T> static void arithmetic(const char *name)
{
    typedef format<T> F;
    for (int i = 0; i < 300000; i++) {
        unsigned short bits[3] = {any(), any(), any()};
        // half of them near 1, where all is exact in a long double
        for (int k = 0; k < 3 && i % 2; k++)
            bits[k] = (unsigned short)((F::bias - 4 + bits[k] % 8) << F::mantissa | (any() & ((1 << F::mantissa) - 1)));
        T a = F::of(bits[0]), b = F::of(bits[1]), c = F::of(bits[2]);
        long double x = F::wide(a), y = F::wide(b), z = F::wide(c);
#define RIGHT(got, right) \
    CHECK(same((got).__x, right, F::mantissa, F::bias), "%s: " #got " of %04x %04x %04x\n", name, bits[0], bits[1], bits[2])
        RIGHT(a + b, x + y);
        RIGHT(a - b, x - y);
        RIGHT(a * b, x * y);
        RIGHT(a / b, x / y);
        if (i % 2 || F::bias == 15) RIGHT(__hfma(a, b, c), x * y + z);
        if (x == x && y == y) RIGHT(__hmax(a, b), x > y ? x : y);
        CHECK((a < b) == (x < y) && (a != b) == (x != y), "%s: compares %04x %04x\n", name, bits[0], bits[1]);
    }
}

int main()
{
    numbers<half>("half");
    numbers<nv_bfloat16>("bfloat16");
    arithmetic<half>("half");
    arithmetic<nv_bfloat16>("bfloat16");
    half2 p = __floats2half2_rn(1.0f, 2.0f), q = p * p + __half2half2(half(1));
    CHECK(__low2float(q) == 2.0f && __high2float(q) == 5.0f && __hbeq2(p, p) && !(p == q), "half2\n");
    nv_bfloat162 r = __floats2bfloat162_rn(1.0f, 2.0f), s = __hfma2(r, r, r);
    CHECK(__low2float(s) == 2.0f && __bfloat1622float2(s).y == 6.0f && __hbltu2(r, s), "bfloat162\n");
    // halfway between two numbers, but for what no double holds
    nv_bfloat16 t = __hfma(nv_bfloat16(1.0078125f), nv_bfloat16(1.5f), nv_bfloat16(-1e-35f));
    nv_bfloat16 u = __hfma(nv_bfloat16(1.0234375f), nv_bfloat16(1.5f), nv_bfloat16(1e-35f));
    CHECK((float)t == 1.5078125f && (float)u == 1.5390625f, "multiply-adds are %g, %g\n", (float)t, (float)u);
    CHECK(sizeof(half2) == 4 && alignof(half2) == 4 && sizeof(nv_bfloat16) == 2, "sizes\n");
    return mistakes != 0;
}
