/* lockstep_half_ops.h - what half and bfloat16 share: arithmetic, comparisons, operators, mathematical
 * functions, atomics, shuffles. lockstep_half.h and lockstep_bfloat.h include it, each for its own types:
 *
 *     LOCKSTEP_T_ LOCKSTEP_T2_       the type of one number and of a pair
 *     LOCKSTEP_F_                    the name of the type in PTX
 *     LOCKSTEP_PTX_                  1: the target GPU has instructions for the type
 *     LOCKSTEP_WIDEN_ NARROW_ PAIR_  to float; from float; from two floats
 *     LOCKSTEP_ROUND_                from a double that may be rounded to odd
 *     LOCKSTEP_ONE_ INFINITY_        the bits of 1 and of infinity
 *
 * Both headers define __hadd, __hsub, __hmul and the comparisons before they include this file.
 * Source: CUDA Math API, half precision and bfloat16 intrinsics. */
#pragma GCC system_header

LOCKSTEP_HOST_FN_ float __low2float(LOCKSTEP_T2_ a)
{
    return LOCKSTEP_WIDEN_(__builtin_bit_cast(LOCKSTEP_T_, lockstep_low16(LOCKSTEP_BITS2_(a))));
}
LOCKSTEP_HOST_FN_ float __high2float(LOCKSTEP_T2_ a)
{
    return LOCKSTEP_WIDEN_(__builtin_bit_cast(LOCKSTEP_T_, lockstep_high16(LOCKSTEP_BITS2_(a))));
}

/* min and max: of a NaN and a number, the result is the number; of those that end in _nan, a NaN */
#if LOCKSTEP_PTX_ && LOCKSTEP_80_
LOCKSTEP_BINARY_PTX_(__hmin, __hmin2, "min.")
LOCKSTEP_BINARY_PTX_(__hmax, __hmax2, "max.")
LOCKSTEP_BINARY_PTX_(__hmin_nan, __hmin2_nan, "min.NaN.")
LOCKSTEP_BINARY_PTX_(__hmax_nan, __hmax2_nan, "max.NaN.")
LOCKSTEP_TERNARY_PTX_(__hfma_relu, __hfma2_relu, "fma.rn.relu.")
#else
LOCKSTEP_BINARY_CPP_(__hmin, __hmin2, LOCKSTEP_NARROW_(lockstep_smaller(x, y)))
LOCKSTEP_BINARY_CPP_(__hmax, __hmax2, LOCKSTEP_NARROW_(lockstep_larger(x, y)))
LOCKSTEP_BINARY_CPP_(__hmin_nan, __hmin2_nan, x != x || y != y ? LOCKSTEP_NARROW_(x + y) : __hmin(a, b))
LOCKSTEP_BINARY_CPP_(__hmax_nan, __hmax2_nan, x != x || y != y ? LOCKSTEP_NARROW_(x + y) : __hmax(a, b))
LOCKSTEP_TERNARY_CPP_(
    __hfma_relu, __hfma2_relu, LOCKSTEP_NARROW_(lockstep_positive(LOCKSTEP_WIDEN_(__hfma(a, b, c)))))
#endif
#if LOCKSTEP_PTX_
LOCKSTEP_UNARY_PTX_(__hneg, __hneg2, "neg.")
LOCKSTEP_UNARY_PTX_(__habs, __habs2, "abs.")
#else
LOCKSTEP_UNARY_CPP_(__hneg, __hneg2, LOCKSTEP_NARROW_(-x))
LOCKSTEP_UNARY_CPP_(__habs, __habs2, LOCKSTEP_NARROW_(__builtin_fabsf(x)))
#endif
/* The quotient is rounded to float, then to 16 bits. That is correct, since a float has more than twice as
 * many digits. */
LOCKSTEP_BINARY_CPP_(__hdiv, __h2div, LOCKSTEP_NARROW_(x / y))

/* (a + bi) (c + di) + (e + fi) */
LOCKSTEP_HOST_FN_ LOCKSTEP_T2_ __hcmadd(LOCKSTEP_T2_ a, LOCKSTEP_T2_ b, LOCKSTEP_T2_ c)
{
    LOCKSTEP_T_ real = __hfma(a.x, b.x, c.x), imaginary = __hfma(a.x, b.y, c.y);
    return LOCKSTEP_T2_(__hfma(__hneg(a.y), b.y, real), __hfma(a.y, b.x, imaginary));
}

/* ---- comparisons ---- */

LOCKSTEP_HOST_FN_ bool __hisnan(LOCKSTEP_T_ a) { return (a.__x & 0x7fff) > LOCKSTEP_INFINITY_; }
LOCKSTEP_HOST_FN_ int __hisinf(LOCKSTEP_T_ a)
{
    return (a.__x & 0x7fff) == LOCKSTEP_INFINITY_ ? (a.__x & 0x8000 ? -1 : 1) : 0;
}
LOCKSTEP_UNARY_CPP_(lockstep_is_nan, __hisnan2, LOCKSTEP_NARROW_(x != x ? 1.0f : 0.0f))
#define LOCKSTEP_BOTH_HOLD_(name, op, compare)                                                 \
    LOCKSTEP_HOST_FN_ bool __hb##name##2(LOCKSTEP_T2_ a, LOCKSTEP_T2_ b)                       \
    {                                                                                          \
        return __builtin_bit_cast(unsigned, __h##name##2(a, b)) == (LOCKSTEP_ONE_ << 16 | LOCKSTEP_ONE_); \
    }
LOCKSTEP_COMPARES_(LOCKSTEP_BOTH_HOLD_)
#undef LOCKSTEP_BOTH_HOLD_

/* ---- operators ---- */

#define LOCKSTEP_OPERATORS_(T, add, sub, mul, div, neg, one)                                   \
    LOCKSTEP_HOST_FN_ T operator+(const T &a, const T &b) { return add(a, b); }                \
    LOCKSTEP_HOST_FN_ T operator-(const T &a, const T &b) { return sub(a, b); }                \
    LOCKSTEP_HOST_FN_ T operator*(const T &a, const T &b) { return mul(a, b); }                \
    LOCKSTEP_HOST_FN_ T operator/(const T &a, const T &b) { return div(a, b); }                \
    LOCKSTEP_HOST_FN_ T &operator+=(T &a, const T &b) { return a = add(a, b); }                \
    LOCKSTEP_HOST_FN_ T &operator-=(T &a, const T &b) { return a = sub(a, b); }                \
    LOCKSTEP_HOST_FN_ T &operator*=(T &a, const T &b) { return a = mul(a, b); }                \
    LOCKSTEP_HOST_FN_ T &operator/=(T &a, const T &b) { return a = div(a, b); }                \
    LOCKSTEP_HOST_FN_ T operator+(const T &a) { return a; }                                    \
    LOCKSTEP_HOST_FN_ T operator-(const T &a) { return neg(a); }                               \
    LOCKSTEP_HOST_FN_ T &operator++(T &a) { return a = add(a, one); }                          \
    LOCKSTEP_HOST_FN_ T &operator--(T &a) { return a = sub(a, one); }                          \
    LOCKSTEP_HOST_FN_ T operator++(T &a, int)                                                  \
    {                                                                                          \
        T was = a;                                                                             \
        ++a;                                                                                   \
        return was;                                                                            \
    }                                                                                          \
    LOCKSTEP_HOST_FN_ T operator--(T &a, int)                                                  \
    {                                                                                          \
        T was = a;                                                                             \
        --a;                                                                                   \
        return was;                                                                            \
    }
#define LOCKSTEP_ORDER_(T, h, two)                                                             \
    LOCKSTEP_HOST_FN_ bool operator==(const T &a, const T &b) { return h##eq##two(a, b); }     \
    LOCKSTEP_HOST_FN_ bool operator!=(const T &a, const T &b) { return h##neu##two(a, b); }    \
    LOCKSTEP_HOST_FN_ bool operator<(const T &a, const T &b) { return h##lt##two(a, b); }      \
    LOCKSTEP_HOST_FN_ bool operator<=(const T &a, const T &b) { return h##le##two(a, b); }     \
    LOCKSTEP_HOST_FN_ bool operator>(const T &a, const T &b) { return h##gt##two(a, b); }      \
    LOCKSTEP_HOST_FN_ bool operator>=(const T &a, const T &b) { return h##ge##two(a, b); }
LOCKSTEP_OPERATORS_(LOCKSTEP_T_, __hadd, __hsub, __hmul, __hdiv, __hneg, LOCKSTEP_NARROW_(1.0f))
LOCKSTEP_OPERATORS_(LOCKSTEP_T2_, __hadd2, __hsub2, __hmul2, __h2div, __hneg2, LOCKSTEP_PAIR_(1.0f, 1.0f))
LOCKSTEP_ORDER_(LOCKSTEP_T_, __h, )
LOCKSTEP_ORDER_(LOCKSTEP_T2_, __hb, 2)
#undef LOCKSTEP_OPERATORS_
#undef LOCKSTEP_ORDER_

#ifdef LOCKSTEP_CLANG_H
/* ---- mathematical functions: computed with floats, then rounded ---- */

#define LOCKSTEP_MATH_(name, expression)                                                       \
    LOCKSTEP_FN_ LOCKSTEP_T_ h##name(LOCKSTEP_T_ a)                                            \
    {                                                                                          \
        float x = LOCKSTEP_WIDEN_(a);                                                          \
        return LOCKSTEP_NARROW_(expression);                                                   \
    }                                                                                          \
    LOCKSTEP_FN_ LOCKSTEP_T2_ h2##name(LOCKSTEP_T2_ a)                                         \
    {                                                                                          \
        return LOCKSTEP_T2_(h##name(a.x), h##name(a.y));                                       \
    }
LOCKSTEP_MATH_(sqrt, __nvvm_sqrt_approx_f(x))
LOCKSTEP_MATH_(rsqrt, __nvvm_rsqrt_approx_f(x))
LOCKSTEP_MATH_(rcp, 1.0f / x)
LOCKSTEP_MATH_(exp, __nvvm_ex2_approx_f(x * 1.4426950408889634f))
LOCKSTEP_MATH_(exp2, __nvvm_ex2_approx_f(x))
LOCKSTEP_MATH_(exp10, __nvvm_ex2_approx_f(x * 3.3219280948873623f))
LOCKSTEP_MATH_(log, __nvvm_lg2_approx_f(x) * 0.6931471805599453f)
LOCKSTEP_MATH_(log2, __nvvm_lg2_approx_f(x))
LOCKSTEP_MATH_(log10, __nvvm_lg2_approx_f(x) * 0.3010299956639812f)
LOCKSTEP_MATH_(sin, sinf(x))
LOCKSTEP_MATH_(cos, cosf(x))
LOCKSTEP_MATH_(tanh, tanhf(x))
LOCKSTEP_MATH_(floor, floorf(x))
LOCKSTEP_MATH_(ceil, ceilf(x))
LOCKSTEP_MATH_(trunc, truncf(x))
LOCKSTEP_MATH_(rint, rintf(x))
#undef LOCKSTEP_MATH_
#if LOCKSTEP_PTX_ && LOCKSTEP_80_ && !defined(LOCKSTEP_NO_TANH_)
LOCKSTEP_UNARY_PTX_(htanh_approx, h2tanh_approx, "tanh.approx.")
#else
LOCKSTEP_FN_ LOCKSTEP_T_ htanh_approx(LOCKSTEP_T_ a) { return htanh(a); }
LOCKSTEP_FN_ LOCKSTEP_T2_ h2tanh_approx(LOCKSTEP_T2_ a) { return h2tanh(a); }
#endif

/* ---- shuffles; loads by the read-only path ---- */

#define LOCKSTEP_SHUFFLE_(name, operand)                                                       \
    LOCKSTEP_FN_ LOCKSTEP_T2_ name(unsigned mask, LOCKSTEP_T2_ v, operand b, int width = 32)   \
    {                                                                                          \
        return __builtin_bit_cast(LOCKSTEP_T2_, name(mask, __builtin_bit_cast(unsigned, v), b, width)); \
    }                                                                                          \
    LOCKSTEP_FN_ LOCKSTEP_T_ name(unsigned mask, LOCKSTEP_T_ v, operand b, int width = 32)     \
    {                                                                                          \
        unsigned short d = (unsigned short)name(mask, (unsigned)v.__x, b, width);              \
        return __builtin_bit_cast(LOCKSTEP_T_, d);                                             \
    }
LOCKSTEP_SHUFFLE_(__shfl_sync, int)
LOCKSTEP_SHUFFLE_(__shfl_up_sync, unsigned)
LOCKSTEP_SHUFFLE_(__shfl_down_sync, unsigned)
LOCKSTEP_SHUFFLE_(__shfl_xor_sync, int)
#undef LOCKSTEP_SHUFFLE_
LOCKSTEP_FN_ LOCKSTEP_T_ __ldg(const LOCKSTEP_T_ *p)
{
    return __builtin_bit_cast(LOCKSTEP_T_, __ldg((const unsigned short *)p));
}
LOCKSTEP_FN_ LOCKSTEP_T2_ __ldg(const LOCKSTEP_T2_ *p)
{
    return __builtin_bit_cast(LOCKSTEP_T2_, __ldg((const unsigned *)p));
}
#endif

#undef LOCKSTEP_T_
#undef LOCKSTEP_T2_
#undef LOCKSTEP_F_
#undef LOCKSTEP_PTX_
#undef LOCKSTEP_WIDEN_
#undef LOCKSTEP_NARROW_
#undef LOCKSTEP_PAIR_
#undef LOCKSTEP_ROUND_
#undef LOCKSTEP_ONE_
#undef LOCKSTEP_INFINITY_
