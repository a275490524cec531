/* half.h - arithmetic on the two 16-bit floating-point formats, with each result rounded once.
 *
 *               sign  exponent  mantissa    digits  least normal     largest
 *     f16       1     5         10          11      2^-14            65504
 *     bf16      1     8          7           8      2^-126           3.39e38
 *
 *     widen to float (exact)  ->  compute in float or double  ->  round to 16 bits
 *
 * A float has more than twice the digits of either format, plus two. So a sum, or a product of
 * halves, that is rounded to float and then to 16 bits equals the result rounded once. Other
 * operations round to odd first: if the result is not exact, its last bit is set, so that it is
 * never taken for a tie. Subnormal numbers are kept. A NaN that results from arithmetic is 0x7fff
 * in both formats. A pair, f16x2 or bf16x2, is two numbers in 32 bits, each computed by itself.
 *
 * Source: PTX ISA, Half Precision Floating-Point Instructions, Half Precision Comparison, cvt,
 * tanh, ex2. */
#ifndef LOCKSTEP_SIM_HALF_H
#define LOCKSTEP_SIM_HALF_H

#include "sim/exec/meaning.h"

enum { HALF_NAN = 0x7fff };

static inline float op_float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

/* Converts an f16 to a float; NaNs keep their bits. The exponent biases of the formats differ by
 * 112. The conversion multiplies by 2^112, which is right for subnormal numbers as well. */
static inline float op_widen_f16(uint16_t a)
{
    uint32_t bits;
    float f = op_float_of((uint32_t)(a & 0x7fff) << 13) * 0x1p112f;
    memcpy(&bits, &f, 4);
    bits |= (uint32_t)(a & 0x8000) << 16 | ((a & 0x7c00) == 0x7c00 ? 0x7f800000u : 0);
    return op_float_of(bits);
}
/* Converts a bf16 to a float, of which it is the upper half. */
static inline float op_widen_bf16(uint16_t a) { return op_float_of((uint32_t)a << 16); }

/* Rounds x to a 16-bit format with this many significant digits, whose least normal number is
 * 2^least. The unit in the last place follows from the exponent of x; x divided by that unit is
 * rounded to an integer. That integer is added to the exponent field: its leading digit adds 1 to
 * the field, and so does a carry. */
static inline uint16_t op_round16(double x, int digits, int least, enum op_rounding mode)
{
    const uint32_t infinity = (uint32_t)(3 - 2 * least) << (digits - 1);
    double a = __builtin_fabs(x), scale, units;
    int negative = __builtin_signbit(x) != 0;
    int away = mode == ROUND_UP ? !negative : mode == ROUND_DOWN && negative;
    uint64_t bits;
    /* limit x to a value beyond both formats, which also covers infinity and NaN */
    a = a < 0x1p130 ? a : 0x1p130;
    memcpy(&bits, &a, 8);
    int lowest = 1023 + least, exponent = (int)(bits >> 52);
    exponent = exponent > lowest ? exponent : lowest;
    /* scale: 1 / the unit in the last place */
    bits = (uint64_t)(2045 + digits - exponent) << 52;
    memcpy(&scale, &bits, 8);
    units = a * scale;
    units = mode == ROUND_NEAREST ? __builtin_rint(units)
            : away                ? __builtin_ceil(units)
                                  : __builtin_trunc(units);
    uint32_t code = ((uint32_t)(exponent - lowest) << (digits - 1)) + (uint32_t)(int32_t)units;
    uint32_t most = mode == ROUND_NEAREST || away || __builtin_isinf(x) ? infinity : infinity - 1;
    code = code < most ? code : most;
    return x != x ? HALF_NAN : (uint16_t)(code | (negative ? 0x8000u : 0));
}
/* Rounds a float to the nearest f16; op_near_bf16 does the same for bf16. All operations have 32
 * bits, so that the compiler can vectorize them. f16: a number below the least normal one is added
 * to 1/2, whose last bit is then the unit in the last place; from 65520 on the nearest number is
 * infinity. */
static inline uint16_t op_near_f16(float x)
{
    uint32_t bits, small, code;
    memcpy(&bits, &x, 4);
    uint32_t a = bits & 0x7fffffff;
    float f = op_float_of(a) + 0.5f;
    memcpy(&small, &f, 4);
    code = a < 113u << 23 ? small - 0x3f000000 : (a - (112u << 23) + 0xfff + (a >> 13 & 1)) >> 13;
    code = a >= 0x477ff000 ? 0x7c00 : code;
    return (uint16_t)(a > 0x7f800000 ? HALF_NAN : code | (bits >> 16 & 0x8000));
}
static inline uint16_t op_near_bf16(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? HALF_NAN
                                                       : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
static inline uint16_t op_round_f16(double x, enum op_rounding mode)
{
    return op_round16(x, 11, -14, mode);
}
static inline uint16_t op_round_bf16(double x, enum op_rounding mode)
{
    return op_round16(x, 8, -126, mode);
}

/* a b + c, rounded once. The product of two halves is exact in float. e is the rounding error of
 * the sum (Knuth's two-sum). If e is not 0, the sum is rounded to odd: truncated towards zero, with
 * its last bit set. */
static inline uint16_t op_muladd_f16(float a, float b, float c)
{
    float p = a * b, s = p + c, t = s - p, e = (p - (s - t)) + (c - t);
    uint32_t bits;
    memcpy(&bits, &s, 4);
    bits = e < 0 || e > 0 ? (bits - (uint32_t)((e < 0) != (s < 0))) | 1 : bits;
    return op_near_f16(op_float_of(bits));
}
/* Converts a double to a float, rounded to odd. A value beyond the largest float becomes the
 * largest float; rounding that to 16 bits still gives infinity. */
static inline float op_odd_f64(double x)
{
    float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    double is = __builtin_fabs((double)f), right = __builtin_fabs(x);
    return op_float_of(is > right ? (bits - 1) | 1 : is < right ? bits | 1 : bits);
}
static inline uint16_t op_product_f16(float a, float b) { return op_near_f16(a * b); }
/* Products and multiply-adds of bfloat16, rounded once. Products of bfloat16 are not exact in
 * float, so they are computed in double. */
static inline uint16_t op_product_bf16(float a, float b)
{
    return op_near_bf16(op_odd_f64((double)a * b));
}
static inline uint16_t op_muladd_bf16(float a, float b, float c)
{
    double p = (double)a * b, s = p + c, t = s - p, e = (p - (s - t)) + (c - t);
    uint64_t bits;
    memcpy(&bits, &s, 8);
    bits = e < 0 || e > 0 ? (bits - (uint64_t)((e < 0) != (s < 0))) | 1 : bits;
    memcpy(&s, &bits, 8);
    return op_near_bf16(op_odd_f64(s));
}

/* PTX's comparison operators. If an operand is a NaN, the first six are false and the next six
 * true. */
enum op_compare {
    COMPARE_eq,
    COMPARE_ne,
    COMPARE_lt,
    COMPARE_le,
    COMPARE_gt,
    COMPARE_ge,
    COMPARE_equ,
    COMPARE_neu,
    COMPARE_ltu,
    COMPARE_leu,
    COMPARE_gtu,
    COMPARE_geu,
    COMPARE_num,
    COMPARE_nan
};
static inline int op_compare(float a, float b, enum op_compare how)
{
    switch (how) {
    case COMPARE_eq: return a == b;
    case COMPARE_ne: return a < b || a > b;
    case COMPARE_lt: return a < b;
    case COMPARE_le: return a <= b;
    case COMPARE_gt: return a > b;
    case COMPARE_ge: return a >= b;
    case COMPARE_equ: return !(a < b || a > b);
    case COMPARE_neu: return a != b;
    case COMPARE_ltu: return !(a >= b);
    case COMPARE_leu: return !(a > b);
    case COMPARE_gtu: return !(a <= b);
    case COMPARE_geu: return !(a < b);
    case COMPARE_num: return a == a && b == b;
    default: return a != a || b != b;
    }
}

/* Define an operation on one number of format T, and on a packed pair (x2). */
#define OP_HALF1(name, T, x) \
    static inline uint16_t op_##name##_##T(uint16_t a) { return x; } \
    static inline uint32_t op_##name##_##T##x2(uint32_t a) \
    { \
        return (uint32_t)op_##name##_##T((uint16_t)(a >> 16)) << 16 | \
               op_##name##_##T((uint16_t)a); \
    }
#define OP_HALF2(name, T, x) \
    static inline uint16_t op_##name##_##T(uint16_t a, uint16_t b) { return x; } \
    static inline uint32_t op_##name##_##T##x2(uint32_t a, uint32_t b) \
    { \
        uint32_t high = op_##name##_##T((uint16_t)(a >> 16), (uint16_t)(b >> 16)); \
        return high << 16 | op_##name##_##T((uint16_t)a, (uint16_t)b); \
    }
/* All operations of format T. If one operand is a NaN, min and max return the other one; with .NaN
 * they return a NaN. .sat clamps to 0 .. 1 and turns a NaN into 0; .relu turns negative numbers
 * into 0. .ftz turns a subnormal number into a zero of its sign. */
#define OP_HALF(T, least_normal) \
    OP_HALF2(add, T, op_near_##T(op_widen_##T(a) + op_widen_##T(b))) \
    OP_HALF2(sub, T, op_near_##T(op_widen_##T(a) - op_widen_##T(b))) \
    OP_HALF2(mul, T, op_product_##T(op_widen_##T(a), op_widen_##T(b))) \
    OP_HALF2(min, T, op_near_##T(op_min_f32(op_widen_##T(a), op_widen_##T(b)))) \
    OP_HALF2(max, T, op_near_##T(op_max_f32(op_widen_##T(a), op_widen_##T(b)))) \
    OP_HALF1(is_nan, T, op_widen_##T(a) != op_widen_##T(a)) \
    OP_HALF2(min_nan, T, op_is_nan_##T(a) || op_is_nan_##T(b) ? HALF_NAN : op_min_##T(a, b)) \
    OP_HALF2(max_nan, T, op_is_nan_##T(a) || op_is_nan_##T(b) ? HALF_NAN : op_max_##T(a, b)) \
    OP_HALF1(neg, T, op_is_nan_##T(a) ? HALF_NAN : a ^ 0x8000) \
    OP_HALF1(abs, T, op_is_nan_##T(a) ? HALF_NAN : a & 0x7fff) \
    OP_HALF1(ex2, T, op_round_##T(exp2(op_widen_##T(a)), ROUND_NEAREST)) \
    OP_HALF1(tanh, T, op_round_##T(tanh(op_widen_##T(a)), ROUND_NEAREST)) \
    OP_HALF1(sat, T, op_near_##T(op_sat_f32(op_widen_##T(a)))) \
    OP_HALF1(relu, T, op_is_nan_##T(a) ? HALF_NAN : a & 0x8000 ? 0 : a) \
    OP_HALF1(ftz, T, (a & 0x7fff) < least_normal ? a & 0x8000 : a) \
    static inline uint16_t op_fma_##T(uint16_t a, uint16_t b, uint16_t c) \
    { \
        return op_muladd_##T(op_widen_##T(a), op_widen_##T(b), op_widen_##T(c)); \
    } \
    static inline uint32_t op_fma_##T##x2(uint32_t a, uint32_t b, uint32_t c) \
    { \
        uint32_t high = op_fma_##T((uint16_t)(a >> 16), (uint16_t)(b >> 16), (uint16_t)(c >> 16)); \
        return high << 16 | op_fma_##T((uint16_t)a, (uint16_t)b, (uint16_t)c); \
    } \
    /* 0xffff in each half whose comparison is true */ \
    static inline uint32_t op_set_##T##x2(uint32_t a, uint32_t b, enum op_compare how) \
    { \
        int high = \
            op_compare(op_widen_##T((uint16_t)(a >> 16)), op_widen_##T((uint16_t)(b >> 16)), how); \
        int low = op_compare(op_widen_##T((uint16_t)a), op_widen_##T((uint16_t)b), how); \
        return (high ? 0xffff0000u : 0) | (low ? 0xffffu : 0); \
    } \
    static inline uint16_t op_narrow_##T(float a, enum op_rounding mode) \
    { \
        return mode == ROUND_NEAREST ? op_near_##T(a) : op_round_##T(a, mode); \
    } \
    /* cvt.x2: a becomes the upper number, b the lower one */ \
    static inline uint32_t op_pair_##T##x2(float a, float b, enum op_rounding mode) \
    { \
        return (uint32_t)op_narrow_##T(a, mode) << 16 | op_narrow_##T(b, mode); \
    }
OP_HALF(f16, 0x0400)
OP_HALF(bf16, 0x0080)
#undef OP_HALF
#undef OP_HALF1
#undef OP_HALF2

#endif
