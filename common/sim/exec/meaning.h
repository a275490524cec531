/* meaning.h - functions for operations whose result is more than a short expression; the rows of
 * ops.h call them.
 *
 *     op_<operation>_<type>      the name in PTX, with the suffix of its type where there are several
 *
 * Each function is defined for all arguments: inactive lanes are computed as well and may hold any
 * bits, so nothing may trap or be undefined in C. Hence the tests for division by 0, overflow and
 * shifts as wide as the type.
 *
 * Source: PTX ISA, Integer Arithmetic, Floating-Point, Logic and Shift, cvt. Where PTX ISA
 * leaves a result open or an H200 differs, these functions return the H200's result and the
 * comment says so. */
#ifndef LOCKSTEP_SIM_MEANING_H
#define LOCKSTEP_SIM_MEANING_H

#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Signed division. PTX ISA leaves division by 0 undefined; here the result is all ones. A divisor
 * of -1 negates modulo 2^n, since the lowest number has no positive counterpart. */
static inline int32_t op_div_s32(int32_t a, int32_t b)
{
    return b == 0 ? -1 : b == -1 ? (int32_t)(0u - (uint32_t)a) : a / b;
}
static inline int64_t op_div_s64(int64_t a, int64_t b)
{
    return b == 0 ? -1 : b == -1 ? (int64_t)((uint64_t)0 - (uint64_t)a) : a / b;
}
static inline int32_t op_rem_s32(int32_t a, int32_t b) { return b == 0 ? -1 : b == -1 ? 0 : a % b; }
static inline int64_t op_rem_s64(int64_t a, int64_t b) { return b == 0 ? -1 : b == -1 ? 0 : a % b; }
/* c plus the sum of four products of bytes, modulo 2^32. */
static inline uint32_t op_dp4a(uint32_t a, uint32_t b, uint32_t c, int a_signed, int b_signed)
{
    for (int i = 0; i < 4; i++) {
        int32_t x = a_signed ? (int8_t)(a >> (8 * i)) : (uint8_t)(a >> (8 * i));
        int32_t y = b_signed ? (int8_t)(b >> (8 * i)) : (uint8_t)(b >> (8 * i));
        c += (uint32_t)(x * y);
    }
    return c;
}
/* The absolute differences of the parts of a and b, of "bits" bits each: each difference in its
 * place or, if add is set, the sum of all and c. */
static inline uint32_t op_distances(uint32_t a, uint32_t b, uint32_t c, int bits, int add)
{
    uint32_t d = 0, part = (1u << bits) - 1;
    for (int i = 0; i < 32; i += bits) {
        uint32_t x = (a >> i) & part, y = (b >> i) & part, distance = x > y ? x - y : y - x;
        d |= distance << i;
        c += distance;
    }
    return add ? c : d;
}
/* c plus two products: the 16-bit halves of a times two bytes of b, either the lower or the upper
 * two. */
static inline uint32_t op_dp2a(
    uint32_t a, uint32_t b, uint32_t c, int upper, int a_signed, int b_signed)
{
    b >>= 16 * upper;
    for (int i = 0; i < 2; i++) {
        int32_t x = a_signed ? (int16_t)(a >> (16 * i)) : (uint16_t)(a >> (16 * i));
        int32_t y = b_signed ? (int8_t)(b >> (8 * i)) : (uint8_t)(b >> (8 * i));
        c += (uint32_t)(x * y);
    }
    return c;
}
/* Funnel shifts of the 64-bit number b:a (b is the high half), with n below 64. Left: the high half
 * of b:a << n. */
static inline uint32_t op_shf_l(uint32_t a, uint32_t b, uint32_t n)
{
    return (uint32_t)((((uint64_t)b << 32 | a) << n) >> 32);
}
/* Funnel shift to the right: the low half of b:a >> n, with n below 64. */
static inline uint32_t op_shf_r(uint32_t a, uint32_t b, uint32_t n)
{
    return (uint32_t)(((uint64_t)b << 32 | a) >> n);
}
/* Permutes bytes. Byte i of the result is selected by bits 4 i to 4 i + 3 of select: three bits are
 * the index of a byte of b:a; if the fourth is set, the result has eight copies of that byte's sign
 * bit instead. */
static inline uint32_t op_prmt(uint32_t a, uint32_t b, uint32_t select)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t d = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t s = select >> (4 * i) & 15;
        uint8_t byte = (uint8_t)(bytes >> (8 * (s & 7)));
        if (s & 8) /* eight copies of the sign bit */
            byte = byte & 0x80 ? 0xff : 0;
        d |= (uint32_t)byte << (8 * i);
    }
    return d;
}
/* Any function of three bits, applied bitwise; table: its truth table, 8 bits. */
static inline uint32_t op_lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t d = 0;
    for (uint32_t i = 0; i < 8;
         i++) /* row i of the truth table: a is bit 2, b bit 1, c bit 0 of i */
        if (table >> i & 1) d |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return d;
}
/* Bit fields: bfe extracts len bits from pos on, bfi inserts them. The 32-bit forms use the low 8
 * bits of pos and len. PTX ISA says so for the 64-bit forms, too, but for them an H200 uses all 32
 * bits. */
static inline uint64_t op_bfe_u64(uint64_t a, uint32_t pos, uint32_t len)
{
    a = pos < 64 ? a >> pos : 0;
    return len >= 64 ? a : a & (((uint64_t)1 << len) - 1);
}
static inline uint32_t op_bfe_u32(uint32_t a, uint32_t pos, uint32_t len)
{
    return (uint32_t)op_bfe_u64(a, pos & 255, len & 255);
}
/* Signed extraction. The field's highest bit (top) is its sign; if the field extends beyond bit 63,
 * its sign is bit 63. */
static inline int64_t op_bfe_s64(int64_t a, uint32_t pos, uint32_t len)
{
    uint64_t last = (uint64_t)pos + len - 1, top = last < 63 ? last : 63, high;
    if (len == 0) return 0;
    high = (uint64_t)a >> top & 1 ? ~(uint64_t)0 : 0;
    if (pos > 63) return (int64_t)high;
    return (int64_t)(op_bfe_u64((uint64_t)a, pos, len) |
                     (top - pos < 63 ? high << (top - pos) << 1 : 0));
}
static inline int32_t op_bfe_s32(int32_t a, uint32_t pos, uint32_t len)
{
    /* a is sign-extended to 64 bits */
    return (int32_t)op_bfe_s64(a, pos & 255, len & 255);
}
/* Replaces the field of b by the low len bits of a. Bits beyond bit 63 are dropped. */
static inline uint64_t op_bfi_b64(uint64_t a, uint64_t b, uint32_t pos, uint32_t len)
{
    if (pos >= 64 || len == 0) return b;
    uint64_t mask = (len >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << len) - 1) << pos;
    return (b & ~mask) | (a << pos & mask);
}
static inline uint32_t op_bfi_b32(uint32_t a, uint32_t b, uint32_t pos, uint32_t len)
{
    return (pos & 255) >= 32 ? b : (uint32_t)op_bfi_b64(a, b, pos & 255, len & 255);
}
/* len set bits from pos on. */
static inline uint32_t op_bmsk(uint32_t pos, uint32_t len)
{
    return op_bfi_b32(~0u, 0, pos < 32 ? pos : 32, len < 32 ? len : 32);
}
/* Bits in reverse order: swap neighbours, pairs, halves of bytes, then bytes. */
static inline uint32_t op_brev32(uint32_t a)
{
    a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
    a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
    a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(a);
}
static inline uint64_t op_brev64(uint64_t a)
{
    return (uint64_t)op_brev32((uint32_t)a) << 32 | op_brev32((uint32_t)(a >> 32));
}
/* fns: the position of the offset-th set bit of mask, counted from bit base upwards, or downwards
 * if offset is negative; offset 0: base itself if its bit is set. -1: none. op_bfind...: the
 * position of the highest set bit; all ones if there is none. */
static inline uint32_t op_fns(uint32_t mask, uint32_t base, int32_t offset)
{
    int64_t left = offset < 0 ? -(int64_t)offset : offset ? offset : 1;
    if (!offset) mask &= base < 32 ? 1u << base : 0;
    for (int64_t at = base; at >= 0 && at < 32; at += offset < 0 ? -1 : 1)
        if (mask >> at & 1 && --left == 0) return (uint32_t)at;
    return ~0u;
}

static inline uint32_t op_bfind_u32(uint32_t a)
{
    return a ? 31u - (uint32_t)__builtin_clz(a) : ~0u;
}

/* The NaN that float arithmetic returns on an H200, whichever NaN came in. */
static inline float op_nan(float a) { return a == a ? a : __builtin_nanf("0x7fffff"); }
/* The NaN that double arithmetic returns on an H200 if the result d is one: the first NaN among x,
 * y and z, made quiet and with its sign; if there is none, 0xfff8000000000000. Processors differ in
 * both. x, y and z are the operands, the one that prevails first. */
static inline double op_nan_f64(double d, double x, double y, double z)
{
    double from = x != x ? x : y != y ? y : z;
    uint64_t bits;
    memcpy(&bits, &from, 8);
    bits = from != from ? bits | (uint64_t)1 << 51 : (uint64_t)0xfff8 << 48;
    memcpy(&from, &bits, 8);
    return d != d ? from : d;
}
static inline double op_neg_f64(double a) { return op_nan_f64(-a, a, a, a); }
/* In a sum, difference, product or fma, a NaN in b prevails, then one in c, then one in a; in a
 * quotient, one in a, then one in b. */
static inline double op_add_f64(double a, double b) { return op_nan_f64(a + b, b, a, a); }
static inline double op_fma_f64(double a, double b, double c)
{
    return op_nan_f64(__builtin_fma(a, b, c), b, c, a);
}
static inline double op_div_f64(double a, double b) { return op_nan_f64(a / b, a, b, b); }
static inline double op_sqrt_f64(double a) { return op_nan_f64(__builtin_sqrt(a), a, a, a); }
/* Converts a float to TF32, which has 10 mantissa bits, rounding to nearest with ties away from
 * zero. */
static inline uint32_t op_tf32(float a)
{
    uint32_t bits;
    memcpy(&bits, &a, 4);
    return a != a                              ? 0x7fffffff
           : (bits & 0x7fffffff) == 0x7f800000 ? bits
                                               : (bits + 0x1000) & ~0x1fffu;
}

/* Float arithmetic rounded down, up or toward zero. The exact result is s + e, where s is the
 * nearest double and only the sign of e matters. The float nearest to s is then either right or one
 * step off. */
enum op_rounding { ROUND_DOWN, ROUND_UP, ROUND_ZERO, ROUND_NEAREST };
static inline float op_directed(double s, double e, enum op_rounding mode)
{
    float f = (float)s;
    if (s != s || __builtin_isinf(s)) return op_nan(f);
    /* is the exact result below f, or above f? */
    int below = s < f || (s == f && e < 0), above = s > f || (s == f && e > 0);
    int negative = s < 0 || (s == 0 && e < 0);
    if (below && (mode == ROUND_DOWN || (mode == ROUND_ZERO && !negative)))
        return nextafterf(f, -__builtin_inff());
    if (above && (mode == ROUND_UP || (mode == ROUND_ZERO && negative)))
        return nextafterf(f, __builtin_inff());
    return f;
}
/* a b + c. The product p of two floats is exact in double, and so is the error e of the sum p + c
 * (Knuth's two-sum). An exact zero from opposite signs is -0 only if rounded down. */
static inline float op_fma_directed(float a, float b, float c, enum op_rounding mode)
{
    double p = (double)a * b, s = p + c, t = s - p, e = (p - (s - t)) + (c - t);
    if (s == 0 && __builtin_signbit(p) != __builtin_signbit(c))
        return mode == ROUND_DOWN ? -0.0f : 0.0f;
    return op_directed(s, e, mode);
}
static inline float op_mul_directed(float a, float b, enum op_rounding mode)
{
    return op_directed((double)a * b, 0, mode);
}
/* The remainder of the quotient is exact in double; its sign, and that of b, give the sign of the
 * rounding error. */
static inline float op_div_directed(float a, float b, enum op_rounding mode)
{
    double q = (double)a / b, rest = __builtin_fma(-q, b, a);
    return op_directed(q, b < 0 ? -rest : rest, mode);
}
/* The remainder a - q * q has the sign of the rounding error. */
static inline float op_sqrt_directed(float a, enum op_rounding mode)
{
    double q = __builtin_sqrt(a);
    return op_directed(q, __builtin_fma(-q, q, a), mode);
}

/* Double arithmetic by the host's own rounding modes. volatile keeps the compiler from moving the
 * operation out of the region where the mode is set. */
enum op_f64 { F64_FMA, F64_MUL, F64_DIV, F64_SQRT };
static inline double op_f64_directed(
    enum op_f64 op, double a, double b, double c, enum op_rounding mode)
{
    volatile double x = a, y = b, z = c, d;
    int before = fegetround();
    fesetround(mode == ROUND_DOWN ? FE_DOWNWARD : mode == ROUND_UP ? FE_UPWARD : FE_TOWARDZERO);
    switch (op) {
    case F64_FMA: d = fma(x, y, z); break;
    case F64_MUL: d = x * y; break;
    case F64_DIV: d = x / y; break;
    default: d = sqrt(x); break;
    }
    fesetround(before);
    return op == F64_DIV ? op_nan_f64(d, a, b, b) : op_nan_f64(d, b, c, a);
}
/* high * 2^32 + the low 32 bits of low: both are exact in double, so only the sum is rounded. */
static inline double op_whole_directed(double high, int64_t low, enum op_rounding mode)
{
    return op_f64_directed(F64_FMA, high, 0x1p32, (uint32_t)low, mode);
}

/* Converts an integer to a double, rounded to odd: the last bit is set if the conversion is not
 * exact. Rounding that double to float gives the same as rounding the integer directly. */
static inline double op_odd_u64(uint64_t a)
{
    return a >> 53 ? (double)((a | (uint64_t)((a & 0x7ff) != 0) << 11) & ~(uint64_t)0x7ff)
                   : (double)a;
}
static inline double op_odd_s64(int64_t a)
{
    return a < 0 ? -op_odd_u64(0 - (uint64_t)a) : op_odd_u64((uint64_t)a);
}

/* Define min and max: if one operand is a NaN, the result is the other one. -0 is below +0. */
#define OP_MIN_MAX(T, t, signbit_of) \
    static inline T op_min_##t(T a, T b) \
    { \
        return a < b || b != b ? a : b < a || a != a ? b : signbit_of(a) ? a : b; \
    } \
    static inline T op_max_##t(T a, T b) \
    { \
        return a > b || b != b ? a : b > a || a != a ? b : signbit_of(a) ? b : a; \
    }
OP_MIN_MAX(float, f32, __builtin_signbitf)
OP_MIN_MAX(double, f64, __builtin_signbit)
#undef OP_MIN_MAX

/* .ftz (flush to zero): a subnormal number becomes a zero of its sign. */
static inline float op_ftz(float a)
{
    return __builtin_fabsf(a) < 0x1p-126f ? __builtin_copysignf(0.0f, a) : a;
}
/* .ftz of a, the rounded result of x y + z. An H200 decides whether a result is subnormal before it
 * rounds, with all 24 bits. So a result just below the smallest normal number is flushed to zero,
 * although it would round up to that number. */
static inline float op_ftz_fma(float a, float x, float y, float z)
{
    if (__builtin_fabsf(a) == 0x1p-126f && __builtin_fabs((double)x * y + z) < 0x1p-126 - 0x1p-151)
        return __builtin_copysignf(0.0f, a);
    return op_ftz(a);
}
/* .sat: clamps to [0, 1]; a NaN becomes 0. */
static inline float op_sat_f32(float a) { return a > 0 ? (a < 1 ? a : 1.0f) : 0.0f; }
static inline double op_sat_f64(double a) { return a > 0 ? (a < 1 ? a : 1.0) : 0.0; }
/* Conversions from floats to integers. The rows of ops.h apply the rounding mode first. A value out
 * of range becomes the nearest one in range; a NaN becomes a value that depends on the type.
 * op_clamp also truncates the fraction. */
static inline double op_clamp(double a, double lo, double hi, double nan)
{
    return a != a ? nan : a < lo ? lo : a > hi ? hi : __builtin_trunc(a);
}
static inline uint32_t op_to_u32(double a, uint32_t nan)
{
    return a != a ? nan : a > 0 ? (a < 4294967295.0 ? (uint32_t)a : 0xffffffffu) : 0;
}
static inline int32_t op_to_s32(double a, uint32_t nan)
{
    return a != a               ? (int32_t)nan
           : a <= -2147483648.0 ? INT32_MIN
           : a >= 2147483647.0  ? INT32_MAX
                                : (int32_t)a;
}
static inline uint64_t op_to_u64(double a)
{
    return a != a  ? (uint64_t)1 << 63
           : a > 0 ? (a < 18446744073709551616.0 ? (uint64_t)a : ~(uint64_t)0)
                   : 0;
}
static inline int64_t op_to_s64(double a)
{
    return a != a || a <= -9223372036854775808.0 ? INT64_MIN
           : a >= 9223372036854775808.0          ? INT64_MAX
                                                 : (int64_t)a;
}

#endif
