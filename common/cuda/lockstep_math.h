/* lockstep_math.h - CUDA's mathematical functions on floats, for clang without the SDK: plain C over PTX's
 * own instructions.
 *
 *     x -- reduce: x = n c + r, |r| small --> polynomial, ex2 or rcp of r --> put together again by n
 *
 * As in CUDA, exponentials end in ex2.approx and tanh in rcp.approx; the rest is multiply-adds. So counters
 * are close to those with NVIDIA's functions, but not equal. Nothing here needs doubles. tests/test_math.c
 * measures the largest error of each function beside the one that the CUDA C++ Programming Guide allows.
 * Polynomials are minimax fits (Remez) of the relative error. Where the rounding of a sum or product matters,
 * it is written as fmaf, __fmul_rn or __fadd_rn, since a compiler may fuse others. */
#ifndef LOCKSTEP_MATH_H
#define LOCKSTEP_MATH_H

#pragma clang system_header

/* ---- whole numbers ---- */

LOCKSTEP_FN_ float nearbyintf(float x) { return __builtin_rintf(x); }
LOCKSTEP_FN_ float roundf(float x)
{
    float t = __builtin_truncf(x);
    return __builtin_copysignf(__builtin_fabsf(x - t) >= 0.5f ? t + __builtin_copysignf(1.0f, x) : t, x);
}
LOCKSTEP_FN_ long lrintf(float x) { return __nvvm_f2ll_rn(x); }
LOCKSTEP_FN_ long lroundf(float x) { return __nvvm_f2ll_rz(roundf(x)); }
LOCKSTEP_FN_ long long llrintf(float x) { return __nvvm_f2ll_rn(x); }
LOCKSTEP_FN_ long long llroundf(float x) { return __nvvm_f2ll_rz(roundf(x)); }
LOCKSTEP_FN_ float modff(float x, float *whole)
{
    *whole = __builtin_truncf(x);
    return __builtin_copysignf(lockstep_isinf(x) ? 0.0f : x - *whole, x);
}
LOCKSTEP_FN_ float fdimf(float a, float b) { return a > b ? a - b : a != a || b != b ? a + b : 0.0f; }
LOCKSTEP_FN_ float ldexpf(float x, int n)
{
    n = max(min(n, 300), -300);
    while (n > 127) x *= 0x1p127f, n -= 127;
    if (n < -126) { /* a result that may be subnormal is rounded only in the last step */
        x *= 0x1p-100f * 0x1p24f, n += 76;
        while (n < -126) x *= 0x1p-76f, n += 76;
    }
    return x * lockstep_pow2(n);
}
LOCKSTEP_FN_ float scalbnf(float x, int n) { return ldexpf(x, n); }
LOCKSTEP_FN_ float frexpf(float x, int *e)
{
    int tiny = __builtin_fabsf(x) < 0x1p-126f, bits = __float_as_int(tiny ? x * 0x1p23f : x),
        finite = (bits & 0x7f800000) != 0x7f800000;
    *e = finite && x != 0 ? (bits >> 23 & 255) - 126 - 23 * tiny : 0;
    return finite && x != 0 ? __int_as_float((bits & 0x807fffff) | 0x3f000000) : x;
}
LOCKSTEP_FN_ int ilogbf(float x)
{
    int e;
    frexpf(x, &e);
    return x == 0 || x != x ? -0x7fffffff - 1 : lockstep_isinf(x) ? 0x7fffffff : e - 1;
}
LOCKSTEP_FN_ float logbf(float x)
{
    return x == 0 ? -LOCKSTEP_INF_ : x != x || lockstep_isinf(x) ? x * x : (float)ilogbf(x);
}
/* exact: if the quotient is below 2^22 by one multiply-add, else by subtracting y times powers of two */
LOCKSTEP_FN_ float fmodf(float x, float y)
{
    float a = __builtin_fabsf(x), b = __builtin_fabsf(y), c = b;
    if (!(a < LOCKSTEP_INF_) || !(b > 0) || b != b) return LOCKSTEP_NAN_;
    if (a < b) return x;
    if (a < b * 0x1p22f) {
        a = fmaf(-__builtin_truncf(a / b), b, a);
        a = a < 0 ? a + b : a;
    } else {
        while (c + c <= a) c += c;
        for (; c >= b; c *= 0.5f) a = a >= c ? a - c : a;
    }
    return __builtin_copysignf(a, x);
}

/* ---- exponentials ---- */

/* 2^k e^x, with log2(e) in two parts: x log2(e) = n + f */
LOCKSTEP_FN_ float lockstep_exp(float x, int k)
{
    float n = __builtin_rintf(fminf(fmaxf(x, -105.0f), 90.0f) * 1.44269504f);
    float f = fmaf(x, 1.92596303e-8f, fmaf(x, 1.44269502f, -n));
    return lockstep_scale(__nvvm_ex2_approx_f(f), (int)n + k);
}
LOCKSTEP_FN_ float expf(float x) { return lockstep_exp(x, 0); }
LOCKSTEP_FN_ float exp2f(float x) { return __nvvm_ex2_approx_f(x); }
LOCKSTEP_FN_ float exp10f(float x)
{
    float n = __builtin_rintf(fminf(fmaxf(x, -46.0f), 39.0f) * 3.32192809f);
    float f = fmaf(x, 7.05953696e-8f, fmaf(x, 3.32192802f, -n));
    return lockstep_scale(__nvvm_ex2_approx_f(f), (int)n);
}
LOCKSTEP_FN_ float expm1f(float x)
{
    float n = __builtin_rintf(fminf(fmaxf(x, -30.0f), 90.0f) * 1.44269504f);
    float r = fmaf(n, -1.42860677e-6f, fmaf(n, -0.693145752f, x));
    float p = LOCKSTEP_POLY4_(
        r, 5.000000000e-01f, 1.666653901e-01f, 4.166661203e-02f, 8.367096074e-03f, 1.391766360e-03f);
    p = r * r * p;
    float t = lockstep_pow2((int)n - 1); /* half of 2^n, since 2^n may overflow */
    float d = fmaf(p, t, fmaf(r, t, t - 0.5f));
    return x > 89.0f ? LOCKSTEP_INF_ : x < -25.0f ? -1.0f : x == 0 ? x : n == 0 ? r + p : d + d;
}
LOCKSTEP_FN_ float sinhf(float x)
{
    float a = __builtin_fabsf(x), u = x * x, t = lockstep_exp(a, -1);
    float small = fmaf(
        x * u, LOCKSTEP_POLY3_(u, 1.666666716e-01f, 8.333311416e-03f, 1.984263508e-04f, 2.783930086e-06f), x);
    return a < 1.0f ? small : __builtin_copysignf(t - 0.25f / t, x);
}
LOCKSTEP_FN_ float coshf(float x)
{
    float t = lockstep_exp(__builtin_fabsf(x), -1);
    return t + 0.25f / t;
}
LOCKSTEP_FN_ float tanhf(float x)
{
    float a = __builtin_fabsf(x), u = x * x;
    float p = LOCKSTEP_POLY4_(
        u, -3.333329856e-01f, 1.333193481e-01f, -5.378437787e-02f, 2.079667337e-02f, -5.894722417e-03f);
    float large = fmaf(-2.0f, lockstep_rcp(__nvvm_ex2_approx_f(a * 2.88539008f) + 1.0f), 1.0f);
    return a < 0.6f ? fmaf(fmaf(x, u, 0.0f), p, x) : __builtin_copysignf(large, x);
}

/* ---- logarithms: x = m 2^e, f = m - 1 ---- */

/* log(1 + f) - f over f^2 */
#define LOCKSTEP_LOG1P_(f) \
    LOCKSTEP_POLY8_(f, -5.000000000e-01f, 3.333319724e-01f, -2.499991953e-01f, 2.001143247e-01f, \
                    -1.667445749e-01f, 1.398970783e-01f, -1.227344871e-01f, 1.406220794e-01f, \
                    -1.248223186e-01f)

/* The result of a logarithm: good, if x is positive and finite; else -infinity, NaN, or x itself. */
LOCKSTEP_FN_ float lockstep_log_of(float x, float good)
{
    return x > 0 && x < LOCKSTEP_INF_ ? good : x == 0 ? -LOCKSTEP_INF_ : x < 0 ? LOCKSTEP_NAN_ : x + x;
}
LOCKSTEP_FN_ float logf(float x)
{
    int e;
    float f = lockstep_split(x, &e) - 1;
    return lockstep_log_of(x, fmaf((float)e, 0.693147182f, fmaf(f * f, LOCKSTEP_LOG1P_(f), f)));
}
LOCKSTEP_FN_ float log2f(float x)
{
    int n;
    float f = lockstep_split(x, &n) - 1, e = (float)n;
    float s = LOCKSTEP_POLY8_(f, -7.213475108e-01f, 4.808965325e-01f, -3.606696725e-01f, 2.886940539e-01f,
        -2.406747639e-01f, 2.019942105e-01f, -1.755354702e-01f, 2.020451427e-01f, -1.868115067e-01f);
    s = fmaf(f * f, s, f * 1.92596303e-8f);
    float high = fmaf(f, 1.44269502f, e), low = fmaf(f, 1.44269502f, e - high); /* their sum is exact */
    return lockstep_log_of(x, high + (low + s));
}
LOCKSTEP_FN_ float log10f(float x)
{
    return lockstep_log_of(x, lockstep_times(logf(x), 0.434294492f, -1.01030503e-8f));
}
LOCKSTEP_FN_ float log1pf(float x)
{
    int e;
    float m = lockstep_split(1 + x, &e), s = lockstep_pow2(-min(e, 126));
    float f = x < 0x1p40f ? fmaf(x, s, s - 1) : m - 1; /* (1 + x) 2^-e - 1, rounded once */
    float d = fmaf((float)e, 0.693147182f, fmaf(f * f, LOCKSTEP_LOG1P_(f), f));
    return x == 0 ? x : lockstep_log_of(x < -1 ? x : 1 + x, d);
}
LOCKSTEP_FN_ float asinhf(float x)
{
    float a = __builtin_fabsf(x), u = a * a;
    float d = a > 0x1p30f ? logf(a) + 0.693147182f : log1pf(a + u / (1 + sqrtf(1 + u)));
    return __builtin_copysignf(d, x);
}
LOCKSTEP_FN_ float acoshf(float x)
{
    float t = x - 1;
    return x < 1      ? LOCKSTEP_NAN_
        : x > 0x1p30f ? logf(x) + 0.693147182f
                      : log1pf(t + sqrtf(fmaf(t, t, t + t)));
}
LOCKSTEP_FN_ float atanhf(float x)
{
    float a = __builtin_fabsf(x);
    return __builtin_copysignf(0.5f * log1pf((a + a) / (1 - a)), x);
}

/* ---- angles ---- */

/* For large |x|, where pi/2 in three parts does not suffice: x 2/pi modulo 4 in integer arithmetic, from the
 * bits of 2/pi that matter (Payne and Hanek). The first word is 0, for |x| below 2^32. */
LOCKSTEP_FN_ float lockstep_reduce_large(float x, int *quadrant)
{
    unsigned bits = __float_as_uint(x), m = bits << 8 | 0x80000000u, o = (bits >> 23 & 255) - 128, k = o >> 5,
             n = o & 31;
    const unsigned w0 = 0, w1 = 0xa2f9836eu, w2 = 0x4e441529u, w3 = 0xfc2757d1u, w4 = 0xf534ddc0u,
                   w5 = 0xdb629599u, w6 = 0x3c439041u;
    unsigned a = k == 0 ? w0
        : k == 1        ? w1
        : k == 2        ? w2
                        : w3,
             b = k == 0 ? w1
        : k == 1        ? w2
        : k == 2        ? w3
                        : w4;
    unsigned c = k == 0 ? w2
        : k == 1        ? w3
        : k == 2        ? w4
                        : w5,
             d = k == 0 ? w3
        : k == 1        ? w4
        : k == 2        ? w5
                        : w6;
    a = __funnelshift_l(b, a, n), b = __funnelshift_l(c, b, n), c = __funnelshift_l(d, c, n);
    unsigned long long p = (unsigned long long)m * b + __umulhi(m, c),
                       f = ((unsigned long long)(a * m) << 32) + p;
    int q = (int)(f >> 62), below;
    f <<= 2;
    below = (long long)f < 0; /* r is measured from the next multiple of pi/2, which is nearer */
    q += below;
    f = below ? 0 - f : f;
    int z = __clzll((long long)f);
    f <<= z & 63;
    float high = (float)(unsigned)(f >> 40) * 0x1p-24f,
          low = (float)(unsigned)(f >> 16 & 0xffffff) * 0x1p-48f;
    float r = fmaf(high, 1.57079637f, fmaf(high, -4.37113883e-8f, low * 1.57079637f)) * lockstep_pow2(-z);
    int flip = below ^ lockstep_sign(x);
    *quadrant = lockstep_sign(x) ? -q : q;
    return x - x != 0 ? LOCKSTEP_NAN_ : flip ? -r : r;
}
/* x = n pi/2 + r; returns r, and n or a number that differs from it by a multiple of 4 */
LOCKSTEP_FN_ float lockstep_reduce(float x, int *quadrant)
{
    float n =
        (float)(*quadrant = __nvvm_f2i_rn(x * 0.636619747f)); /* 0 for x = -0, so that -0 is kept */
    float r = fmaf(n, -5.39030253e-15f, fmaf(n, -7.54978942e-08f, fmaf(n, -1.57079625f, x)));
    if (__builtin_fabsf(x) > 100000.0f) r = lockstep_reduce_large(x, quadrant);
    return r;
}
/* The sine of r in quadrant q, |r| at most pi/4: one polynomial, whose coefficients the quadrant chooses */
LOCKSTEP_FN_ float lockstep_sine(float r, int q)
{
    int odd = q & 1;
    float u = r * r, base = odd ? 1.0f : r;
    float p = LOCKSTEP_POLY3_(u, odd ? -0.5f : -1.666666716e-01f, odd ? 4.166664556e-02f : 8.333380334e-03f,
        odd ? -1.388730132e-03f : -1.985351118e-04f, odd ? 2.443068661e-05f : 2.837508873e-06f);
    float d = fmaf(fmaf(u, base, 0.0f), p, base);
    return q & 2 ? -d : d;
}
LOCKSTEP_FN_ float sinf(float x)
{
    int q;
    float r = lockstep_reduce(x, &q);
    return lockstep_sine(r, q);
}
LOCKSTEP_FN_ float cosf(float x)
{
    int q;
    float r = lockstep_reduce(x, &q);
    return lockstep_sine(r, q + 1);
}
LOCKSTEP_FN_ void sincosf(float x, float *s, float *c)
{
    int q;
    float r = lockstep_reduce(x, &q);
    *s = lockstep_sine(r, q);
    *c = lockstep_sine(r, q + 1);
}
LOCKSTEP_FN_ float tanf(float x)
{
    int q;
    float r = lockstep_reduce(x, &q), u = r * r;
    float t = fmaf(u * r,
        LOCKSTEP_POLY5_(u, 3.333314061e-01f, 1.333918273e-01f, 5.338221043e-02f, 2.452589013e-02f,
            2.977123950e-03f, 9.464493021e-03f),
        r);
    return q & 1 ? -1.0f / t : t;
}
/* x is n/2 + r, exactly, after whole turns are taken away */
LOCKSTEP_FN_ float lockstep_reduce_pi(float x, int *quadrant)
{
    float turn = fmaf(-2.0f, __builtin_rintf(0.5f * x), x), n = __builtin_rintf(turn + turn),
          r = fmaf(n, -0.5f, turn);
    *quadrant = (int)n;
    return lockstep_times(r, 3.14159274f, -8.74227766e-8f);
}
LOCKSTEP_FN_ float sinpif(float x)
{
    int q;
    float r = lockstep_reduce_pi(x, &q);
    return lockstep_isinf(x)       ? LOCKSTEP_NAN_
        : __builtin_truncf(x) == x ? __builtin_copysignf(0.0f, x)
                                   : lockstep_sine(r, q);
}
LOCKSTEP_FN_ float cospif(float x)
{
    int q;
    float r = lockstep_reduce_pi(x, &q);
    return lockstep_sine(r, q + 1) + 0.0f;
}
LOCKSTEP_FN_ void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}

/* The arc sine of s, at most 1/2, whose square is u */
LOCKSTEP_FN_ float lockstep_asin(float s, float u)
{
    return fmaf(s * u,
        LOCKSTEP_POLY4_(
            u, 1.666675359e-01f, 7.495249063e-02f, 4.547666013e-02f, 2.414812148e-02f, 4.221983626e-02f),
        s);
}
LOCKSTEP_FN_ float asinf(float x)
{
    float a = __builtin_fabsf(x), half = fmaf(a, -0.5f, 0.5f), u = a > 0.5f ? half : a * a;
    float p = lockstep_asin(a > 0.5f ? sqrtf(half) : a, u);
    return __builtin_copysignf(a > 0.5f ? 1.57079637f + fmaf(-2.0f, p, -4.37113883e-8f) : p, x);
}
LOCKSTEP_FN_ float acosf(float x)
{
    float a = __builtin_fabsf(x), half = fmaf(a, -0.5f, 0.5f), u = a > 0.5f ? half : a * a;
    float p = lockstep_asin(a > 0.5f ? sqrtf(half) : a, u);
    p = a > 0.5f ? p + p : x < 0 ? 1.57079637f + p : 1.57079637f + (-4.37113883e-8f - p);
    return a > 0.5f && x < 0 ? 3.14159274f + (-8.74227766e-8f - p) : p;
}
/* The arc tangent of t from 0 to 1 */
LOCKSTEP_FN_ float lockstep_atan(float t)
{
    float u = t * t;
    return fmaf(t * u,
        LOCKSTEP_POLY7_(u, -3.333316743e-01f, 1.999414563e-01f, -1.421426833e-01f, 1.067915335e-01f,
            -7.581007481e-02f, 4.355842993e-02f, -1.658412442e-02f, 2.975315321e-03f),
        t);
}
LOCKSTEP_FN_ float atanf(float x)
{
    float a = __builtin_fabsf(x), p = lockstep_atan(a > 1 ? 1 / a : a);
    return __builtin_copysignf(a > 1 ? 1.57079637f + (-4.37113883e-8f - p) : p, x);
}
LOCKSTEP_FN_ float atan2f(float y, float x)
{
    float a = __builtin_fabsf(x), b = __builtin_fabsf(y), large = a > b ? a : b, small = a > b ? b : a;
    float p = lockstep_atan(small == large ? (small > 0 ? 1.0f : 0.0f) : small / large);
    p = b > a ? 1.57079637f + (-4.37113883e-8f - p) : p;
    p = lockstep_sign(x) ? 3.14159274f + (-8.74227766e-8f - p) : p;
    return x != x || y != y ? x + y : __builtin_copysignf(p, y);
}

/* ---- powers and roots ---- */

LOCKSTEP_FN_ float cbrtf(float x)
{
    /* so that no intermediate result is subnormal */
    float from = __builtin_fabsf(x) < 0x1p-90f ? x * 0x1p90f : x;
    float a = __builtin_fabsf(from), y = __nvvm_ex2_approx_f(__nvvm_lg2_approx_f(a) * 0.333333343f),
          t = y * y;
    float d = fmaf(fmaf(y, y, -t), y, fmaf(t, y, -a)); /* y^3 - a, for one step of Newton's method */
    y = fmaf(d * -0.333333343f, lockstep_rcp(t), y);
    y = __builtin_fabsf(x) < 0x1p-90f ? y * 0x1p-30f : y;
    return a == 0 || a - a != 0 ? x + x : __builtin_copysignf(y, x);
}
LOCKSTEP_FN_ float rcbrtf(float x) { return 1.0f / cbrtf(x); }
LOCKSTEP_FN_ float hypotf(float x, float y)
{
    float a = __builtin_fabsf(x), b = __builtin_fabsf(y), large = fmaxf(a, b), small = fminf(a, b);
    int e = max(
        /* so that squares do not overflow or underflow */
        min((__float_as_int(large) >> 23) - 127, 120), -120);
    float s = lockstep_pow2(-e), p = large * s, q = small * s;
    float d = sqrtf(fmaf(p, p, q * q)) * lockstep_pow2(e);
    return lockstep_isinf(x) || lockstep_isinf(y) ? LOCKSTEP_INF_ : x != x || y != y ? x + y : d;
}
LOCKSTEP_FN_ float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }

/* |x|^y: log2 of m as a sum of two floats, from its series in q = 2 (m - 1) / (m + 1); times y; and 2 to
 * that. A name with low is the rounding error of the name before it. */
LOCKSTEP_FN_ float lockstep_power(float a, float y)
{
    int n;
    float m = lockstep_split(a, &n), e = (float)n, f = m - 1, b = __fadd_rn(m, 1), blow = m - __fsub_rn(b, 1),
          r = lockstep_rcp(b);
    float q = __fmul_rn(f + f, r), qlow = r * fmaf(-q, blow, fmaf(-q, b, f + f)), u = __fmul_rn(q, q),
          ulow = fmaf(q, q, -u);
    float s = LOCKSTEP_POLY2_(u, 1.803408191e-02f, 3.212982323e-03f, 6.793036009e-04f);
    float t = fmaf(u, s, 1.20224580e-01f),
          tlow = fmaf(u, s, __fsub_rn(1.20224580e-01f, t)); /* the factor of q^3 */
    float v = __fmul_rn(u, t), vlow = fmaf(u, t, -v) + fmaf(u, tlow, ulow * t);
    float w = __fmul_rn(q, v), wlow = fmaf(q, v, -w) + fmaf(q, vlow, qlow * v * 3);
    float p = __fmul_rn(q, 1.44269502f),
          plow = fmaf(q, 1.44269502f, -p) + fmaf(q, 1.92596303e-8f, qlow * 1.44269502f);
    float sum = __fadd_rn(p, w), low = __fsub_rn(w, __fsub_rn(sum, p)) + (plow + wlow);
    float whole = __fadd_rn(e, sum);
    low += e == 0 ? 0.0f : __fsub_rn(sum, __fsub_rn(whole, e));
    float power = __fmul_rn(y, whole), rest = fmaf(y, low, fmaf(y, whole, -power));
    float k = __builtin_rintf(fminf(fmaxf(power, -160.0f), 140.0f));
    return lockstep_scale(
        __nvvm_ex2_approx_f(lockstep_isinf(power) ? power : __fsub_rn(power, k) + rest), (int)k);
}
LOCKSTEP_FN_ float powf(float x, float y)
{
    float a = __builtin_fabsf(x), d = lockstep_power(a, y);
    int whole = __builtin_truncf(y) == y,
        odd = whole && __builtin_fabsf(fmaf(-2.0f, __builtin_truncf(0.5f * y), y)) == 1.0f;
    if (x == 1 || y == 0) return 1.0f;
    if (x != x || y != y) return x + y;
    if (lockstep_isinf(y)) return a == 1 ? 1.0f : (a > 1) == (y > 0) ? LOCKSTEP_INF_ : 0.0f;
    if (a == 0 || lockstep_isinf(a))
        d = (a == 0) == (y > 0) ? 0.0f : LOCKSTEP_INF_;
    else if (x < 0 && !whole)
        return LOCKSTEP_NAN_;
    return odd ? __builtin_copysignf(d, x) : d;
}

/* ---- the error function ---- */

LOCKSTEP_FN_ float erff(float x)
{
    float a = __builtin_fabsf(x), u = x * x, b = a > 4.0f ? 4.0f : a;
    float small = fmaf(x,
        LOCKSTEP_POLY6_(u, 1.283791661e-01f, -3.761262894e-01f, 1.128361821e-01f, -2.685512602e-02f,
            5.190733355e-03f, -8.030750323e-04f, 7.920304051e-05f),
        x);
    float p = LOCKSTEP_POLY7_(b, 1.884680241e-04f, -1.129580259e+00f, -6.332166195e-01f, -1.084217131e-01f,
        2.520998940e-02f, -4.205110483e-03f, 4.414280702e-04f,
        -2.169312393e-05f); /* the logarithm of 1 - erf(b) */
    return a < 1.0f ? small : __builtin_copysignf(1 - __nvvm_ex2_approx_f(p * 1.44269504f), x);
}
LOCKSTEP_FN_ float lockstep_erfcx(
    float x, float *low) /* e^(x x) erfc(x), x from 0 to 10.06; low: the rounding error of the result */
{
    float t = (x - 2) / (x + 2), w = fmaf(2.0f, x, 1.0f);
    float rest = LOCKSTEP_POLY8_(t, -9.276398271e-02f, -1.660314053e-01f, 1.640553176e-01f, -5.420446023e-02f,
        -8.059753105e-03f, 8.632298559e-03f, 1.313575776e-03f, -1.230684924e-03f, -4.010071862e-04f);
    float p = fmaf(t, rest, 1.276978374e+00f), q = p / w;
    *low = (fmaf(-q, w, p) + fmaf(t, rest, 1.276978374e+00f - p)) * lockstep_rcp(w);
    return q;
}
LOCKSTEP_FN_ float erfcxf(float x)
{
    float low, square = __fmul_rn(x, x), u = 1 / square;
    if (x > 10)
        return (0.564189584f - 0.282094792f * u * (1 - u * (1.5f - 3.75f * u))) / x;
    if (!(x < 0)) return lockstep_erfcx(x, &low);
    float d = 2 * expf(square), rest = d < LOCKSTEP_INF_ ? d * fmaf(x, x, -square) : 0;
    return d + (rest - lockstep_erfcx(fminf(-x, 10.0f), &low));
}
LOCKSTEP_FN_ float erfcf(float x)
{
    float a = __builtin_fabsf(x), b = a > 10.06f ? 10.06f : a, u = b * b, low = fmaf(b, b, -u),
          n = __builtin_rintf(u * -1.44269504f);
    float f = fmaf(low, -1.44269502f,
        /* e^(-b b), corrected by the rounding error of u */
        fmaf(u, -1.92596303e-8f, fmaf(u, -1.44269502f, -n)));
    float scale = lockstep_scale(__nvvm_ex2_approx_f(f), (int)n + 24), rest, q = lockstep_erfcx(b, &rest);
    float d = a > 10.06f ? 0.0f : fmaf(scale, q, scale * rest) * 0x1p-24f;
    return x < 0 ? 2 - d : d;
}
LOCKSTEP_FN_ float normcdff(float x)
{
    float z = x * -0.707106769f, low = fmaf(x, -0.707106769f, -z), d = 0.5f * erfcf(z);
    low = fmaf(x, -1.21016175e-8f, low); /* the rounding error of z = x / -sqrt(2) */
    return x < -1 && x > -14.5f ? fmaf(d * -2 * z, low, d) : d;
}

#endif
