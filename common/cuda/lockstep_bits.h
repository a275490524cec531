/* lockstep_bits.h - building blocks of the mathematical functions, for floats and for doubles: polynomials,
 * powers of two, and a number as mantissa and exponent. */
#ifndef LOCKSTEP_BITS_H
#define LOCKSTEP_BITS_H

#pragma clang system_header

/* ---- floats ---- */

#define LOCKSTEP_INF_ __builtin_inff()
#define LOCKSTEP_NAN_ __builtin_nanf("")

/* c[0] + c[1] x + ..., by Horner's rule */
#define LOCKSTEP_POLY2_(x, a, b, c) fmaf(fmaf(c, x, b), x, a)
#define LOCKSTEP_POLY3_(x, a, ...) fmaf(LOCKSTEP_POLY2_(x, __VA_ARGS__), x, a)
#define LOCKSTEP_POLY4_(x, a, ...) fmaf(LOCKSTEP_POLY3_(x, __VA_ARGS__), x, a)
#define LOCKSTEP_POLY5_(x, a, ...) fmaf(LOCKSTEP_POLY4_(x, __VA_ARGS__), x, a)
#define LOCKSTEP_POLY6_(x, a, ...) fmaf(LOCKSTEP_POLY5_(x, __VA_ARGS__), x, a)
#define LOCKSTEP_POLY7_(x, a, ...) fmaf(LOCKSTEP_POLY6_(x, __VA_ARGS__), x, a)
#define LOCKSTEP_POLY8_(x, a, ...) fmaf(LOCKSTEP_POLY7_(x, __VA_ARGS__), x, a)
#define LOCKSTEP_POLY9_(x, a, ...) fmaf(LOCKSTEP_POLY8_(x, __VA_ARGS__), x, a)

LOCKSTEP_FN_ int lockstep_isnan(float x) { return x != x; }
LOCKSTEP_FN_ int lockstep_isinf(float x) { return __builtin_fabsf(x) == LOCKSTEP_INF_; }
LOCKSTEP_FN_ int lockstep_sign(float x) { return __float_as_int(x) < 0; }

/* 2^n, n from -126 to 127 */
LOCKSTEP_FN_ float lockstep_pow2(int n) { return __int_as_float((n + 127) << 23); }
/* x 2^n for x around 1 and n from -252 to 254, rounded once: in two steps, of which the first is exact */
LOCKSTEP_FN_ float lockstep_scale(float x, int n)
{
    return x * lockstep_pow2(n >> 1) * lockstep_pow2(n - (n >> 1));
}
/* x > 0 as m 2^e with m from 2/3 to 4/3 */
LOCKSTEP_FN_ float lockstep_split(float x, int *e)
{
    int tiny = x < 0x1p-126f, bits = __float_as_int(tiny ? x * 0x1p23f : x), n = (bits - 0x3f2aaaab) >> 23;
    *e = tiny ? n - 23 : n;
    return __int_as_float(bits - (n << 23));
}
/* x times a constant, which is given in two parts: high + low */
LOCKSTEP_FN_ float lockstep_times(float x, float high, float low) { return fmaf(x, high, x * low); }
LOCKSTEP_FN_ float lockstep_rcp(float x)
{
    float d;
    asm("rcp.approx.f32 %0, %1;" : "=f"(d) : "f"(x));
    return d;
}

/* ---- doubles ---- */

/* c[0] + c[1] x + ... + c[n - 1] x^(n - 1): the loop has a fixed length and is unrolled, its constants become
 * operands */
template <int n> LOCKSTEP_FN_ double lockstep_poly(double x, const double (&c)[n])
{
    double d = c[n - 1];
#pragma unroll
    for (int i = n - 2; i >= 0; i--) d = __nvvm_fma_rn_d(d, x, c[i]);
    return d;
}

LOCKSTEP_FN_ double lockstep_inf() { return __builtin_inf(); }
LOCKSTEP_FN_ double lockstep_nan() { return __builtin_nan(""); }
LOCKSTEP_FN_ int lockstep_isinf(double x) { return __builtin_fabs(x) == lockstep_inf(); }
LOCKSTEP_FN_ int lockstep_sign(double x) { return __double_as_longlong(x) < 0; }
/* 2^n, n from -1022 to 1023 */
LOCKSTEP_FN_ double lockstep_pow2d(int n) { return __longlong_as_double((long long)(n + 1023) << 52); }
LOCKSTEP_FN_ double lockstep_scale(double x, int n)
{
    return x * lockstep_pow2d(n >> 1) * lockstep_pow2d(n - (n >> 1));
}
/* x > 0 as m 2^e with m from sqrt(1/2) to sqrt(2) */
LOCKSTEP_FN_ double lockstep_split(double x, int *e)
{
    int tiny = x < 0x1p-1022;
    long long bits = __double_as_longlong(tiny ? x * 0x1p54 : x), n = (bits - 0x3fe6a09e667f3bcd) >> 52;
    *e = (int)n - 54 * tiny;
    return __longlong_as_double(bits - (n << 52));
}
LOCKSTEP_FN_ double lockstep_times(double x, double high, double low) { return fma(x, high, x * low); }

#endif
