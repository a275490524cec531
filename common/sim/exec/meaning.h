/* meaning.h - the functions that ops.h names where an operation's meaning is longer than an expression.
 *
 * All of them are total: whatever bits an inactive lane holds, nothing traps. */
#ifndef LOCKSTEP_SIM_MEANING_H
#define LOCKSTEP_SIM_MEANING_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline int32_t op_div_s32(int32_t a, int32_t b)
{
    return b == 0 ? -1 : b == -1 ? (int32_t)(0u - (uint32_t)a) : a / b;
}
static inline int64_t op_div_s64(int64_t a, int64_t b)
{
    return b == 0 ? -1 : b == -1 ? (int64_t)((uint64_t)0 - (uint64_t)a) : a / b;
}
static inline int32_t op_rem_s32(int32_t a, int32_t b)
{
    return b == 0 ? -1 : b == -1 ? 0 : a % b;
}
static inline int64_t op_rem_s64(int64_t a, int64_t b)
{
    return b == 0 ? -1 : b == -1 ? 0 : a % b;
}
static inline uint32_t op_dp4a(uint32_t a, uint32_t b, uint32_t c, int a_signed, int b_signed)
{
    for (int i = 0; i < 4; i++) {
        int32_t x = a_signed ? (int8_t)(a >> (8 * i)) : (uint8_t)(a >> (8 * i));
        int32_t y = b_signed ? (int8_t)(b >> (8 * i)) : (uint8_t)(b >> (8 * i));
        c += (uint32_t)(x * y);
    }
    return c;
}
/* a's two halves by two bytes of b, the lower or the upper ones */
static inline uint32_t op_dp2a(uint32_t a, uint32_t b, uint32_t c, int upper, int a_signed, int b_signed)
{
    b >>= 16 * upper;
    for (int i = 0; i < 2; i++) {
        int32_t x = a_signed ? (int16_t)(a >> (16 * i)) : (uint16_t)(a >> (16 * i));
        int32_t y = b_signed ? (int8_t)(b >> (8 * i)) : (uint8_t)(b >> (8 * i));
        c += (uint32_t)(x * y);
    }
    return c;
}
static inline uint32_t op_shf_l(uint32_t a, uint32_t b, uint32_t n) /* high half of b:a << n */
{
    return (uint32_t)((((uint64_t)b << 32 | a) << n) >> 32);
}
static inline uint32_t op_shf_r(uint32_t a, uint32_t b, uint32_t n) /* low half of b:a >> n */
{
    return (uint32_t)(((uint64_t)b << 32 | a) >> n);
}
static inline uint32_t op_prmt(uint32_t a, uint32_t b, uint32_t select)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t d = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t s = select >> (4 * i) & 15;
        uint8_t byte = (uint8_t)(bytes >> (8 * (s & 7)));
        if (s & 8) /* the sign, eight times */
            byte = byte & 0x80 ? 0xff : 0;
        d |= (uint32_t)byte << (8 * i);
    }
    return d;
}
static inline uint32_t op_lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t d = 0;
    for (uint32_t i = 0; i < 8; i++) /* row i of the truth table: a is bit 2, b bit 1, c bit 0 of i */
        if (table >> i & 1)
            d |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return d;
}
/* Bit fields. Of their position and length 32-bit ones use the lower 8 bits. An H200's 64-bit ones use all 32, where PTX
 * ISA has 8 as well. */
static inline uint64_t op_bfe_u64(uint64_t a, uint32_t pos, uint32_t len)
{
    a = pos < 64 ? a >> pos : 0;
    return len >= 64 ? a : a & (((uint64_t)1 << len) - 1);
}
static inline uint32_t op_bfe_u32(uint32_t a, uint32_t pos, uint32_t len)
{
    return (uint32_t)op_bfe_u64(a, pos & 255, len & 255);
}
static inline int64_t op_bfe_s64(int64_t a, uint32_t pos, uint32_t len)
{
    uint64_t last = (uint64_t)pos + len - 1, top = last < 63 ? last : 63, high; /* the sign comes from bit top */
    if (len == 0)
        return 0;
    high = (uint64_t)a >> top & 1 ? ~(uint64_t)0 : 0;
    if (pos > 63)
        return (int64_t)high;
    return (int64_t)(op_bfe_u64((uint64_t)a, pos, len) | (top - pos < 63 ? high << (top - pos) << 1 : 0));
}
static inline int32_t op_bfe_s32(int32_t a, uint32_t pos, uint32_t len)
{
    return (int32_t)op_bfe_s64(a, pos & 255, len & 255); /* above its 32 bits a holds its sign */
}
static inline uint64_t op_bfi_b64(uint64_t a, uint64_t b, uint32_t pos, uint32_t len)
{
    if (pos >= 64 || len == 0)
        return b;
    uint64_t mask = (len >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << len) - 1) << pos;
    return (b & ~mask) | (a << pos & mask);
}
static inline uint32_t op_bfi_b32(uint32_t a, uint32_t b, uint32_t pos, uint32_t len)
{
    return (pos & 255) >= 32 ? b : (uint32_t)op_bfi_b64(a, b, pos & 255, len & 255);
}
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
static inline uint32_t op_bfind_u32(uint32_t a)
{
    return a ? 31u - (uint32_t)__builtin_clz(a) : ~0u;
}

/* Whatever a NaN was made of, a float's arithmetic gives this one on an H200. A double's NaN keeps its bits. */
static inline float op_nan(float a)
{
    return a == a ? a : __builtin_nanf("0x7fffff");
}

/* A float's arithmetic, rounded down, up or toward zero: what comes out in double is split into the nearest double s and the sign of
 * what it lacks, e; the nearest float to s is then one step off or right. */
enum op_rounding { ROUND_DOWN, ROUND_UP, ROUND_ZERO };
static inline float op_directed(double s, double e, enum op_rounding mode)
{
    float f = (float)s;
    if (s != s || __builtin_isinf(s))
        return op_nan(f);
    int below = s < f || (s == f && e < 0), above = s > f || (s == f && e > 0); /* the exact value, seen from f */
    int negative = s < 0 || (s == 0 && e < 0);
    if (below && (mode == ROUND_DOWN || (mode == ROUND_ZERO && !negative)))
        return nextafterf(f, -__builtin_inff());
    if (above && (mode == ROUND_UP || (mode == ROUND_ZERO && negative)))
        return nextafterf(f, __builtin_inff());
    return f;
}
/* a b + c: the product of two floats is exact in double, and the sum's error is a double (Knuth's two-sum). */
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
static inline float op_div_directed(float a, float b, enum op_rounding mode)
{
    double q = (double)a / b, rest = __builtin_fma(-q, b, a);
    return op_directed(q, b < 0 ? -rest : rest, mode);
}
static inline float op_sqrt_directed(float a, enum op_rounding mode)
{
    double q = __builtin_sqrt(a);
    return op_directed(q, __builtin_fma(-q, q, a), mode);
}

/* min and max: a NaN loses against a number; -0 is below +0 */
#define OP_MIN_MAX(T, t, signbit_of)                                                      \
    static inline T op_min_##t(T a, T b)                                                  \
    {                                                                                     \
        return a < b || b != b ? a : b < a || a != a ? b : signbit_of(a) ? a : b;         \
    }                                                                                     \
    static inline T op_max_##t(T a, T b)                                                  \
    {                                                                                     \
        return a > b || b != b ? a : b > a || a != a ? b : signbit_of(a) ? b : a;         \
    }
OP_MIN_MAX(float, f32, __builtin_signbitf)
OP_MIN_MAX(double, f64, __builtin_signbit)
#undef OP_MIN_MAX

static inline float op_ftz(float a) /* a subnormal becomes a zero of its sign */
{
    return __builtin_fabsf(a) < 0x1p-126f ? __builtin_copysignf(0.0f, a) : a;
}
/* The same for a = x y + z, rounded. Its size is looked at before: with all 24 bits, not those that a subnormal has left,
 * so that what a subnormal would round up to the smallest normal number is flushed, as an H200 does. */
static inline float op_ftz_fma(float a, float x, float y, float z)
{
    if (__builtin_fabsf(a) == 0x1p-126f && __builtin_fabs((double)x * y + z) < 0x1p-126 - 0x1p-151)
        return __builtin_copysignf(0.0f, a);
    return op_ftz(a);
}
static inline float op_sat_f32(float a) /* into [0, 1]; NaN becomes 0 */
{
    return a > 0 ? (a < 1 ? a : 1.0f) : 0.0f;
}
static inline double op_sat_f64(double a)
{
    return a > 0 ? (a < 1 ? a : 1.0) : 0.0;
}
static inline double op_clamp(double a, double lo, double hi, double nan) /* toward zero */
{
    return a != a ? nan : a < lo ? lo : a > hi ? hi : __builtin_trunc(a);
}
static inline uint32_t op_to_u32(double a, uint32_t nan)
{
    return a != a ? nan : a > 0 ? (a < 4294967295.0 ? (uint32_t)a : 0xffffffffu) : 0;
}
static inline int32_t op_to_s32(double a, uint32_t nan)
{
    return a != a ? (int32_t)nan : a <= -2147483648.0 ? INT32_MIN : a >= 2147483647.0 ? INT32_MAX : (int32_t)a;
}
static inline uint64_t op_to_u64(double a)
{
    return a != a ? (uint64_t)1 << 63 : a > 0 ? (a < 18446744073709551616.0 ? (uint64_t)a : ~(uint64_t)0) : 0;
}
static inline int64_t op_to_s64(double a)
{
    return a != a || a <= -9223372036854775808.0 ? INT64_MIN : a >= 9223372036854775808.0 ? INT64_MAX : (int64_t)a;
}

static inline float op_from_half(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, exp = h >> 10 & 31, man = h & 0x3ff, bits;
    float f;
    if (exp == 0) {
        f = (float)man * 0x1p-24f;
        memcpy(&bits, &f, 4);
        bits |= sign;
    } else {
        bits = sign | (exp == 31 ? 0x7f800000u : (exp + 112) << 23) | man << 13;
    }
    memcpy(&f, &bits, 4);
    return f;
}
static inline uint16_t op_to_half(float f) /* to nearest, ties to even */
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    float a = __builtin_fabsf(f);
    if (f != f)
        return 0x7fff;
    if (a >= 65520.0f)
        return sign | 0x7c00;
    if (a < 0x1p-14f) /* subnormal: units of 2^-24 */
        return sign | (uint16_t)__builtin_rintf(a * 0x1p24f);
    memcpy(&bits, &a, 4);
    bits += 0xfff + (bits >> 13 & 1);
    return sign | (uint16_t)((bits >> 13) - (112 << 10));
}

#endif
