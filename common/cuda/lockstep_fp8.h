/* lockstep_fp8.h - numbers of 8 bits: what CUDA's cuda_fp8.h declares of E4M3 and E5M2, for clang without the
 * SDK.
 *
 *            bits         least normal    largest        infinity    NaN
 *     E4M3   s eeee mmm   2^-6            448   (0x7e)   none        0x7f
 *     E5M2   s eeeee mm   2^-14           57344 (0x7b)   0x7c        0x7d to 0x7f
 *
 * A conversion rounds to nearest, ties to even; a NaN becomes 0x7f. What is too large becomes the largest
 * number (SATFINITE), or an infinity, or a NaN where there is none (NOSAT). Kernels compute the bits as the
 * host does, not by an instruction. The scales E8M0 are not supported.
 * Source: CUDA Math API, FP8 intrinsics; OCP 8-bit Floating Point Specification. */
#ifndef LOCKSTEP_FP8_H
#define LOCKSTEP_FP8_H

#include "lockstep_bfloat.h"
#include "lockstep_half.h"

#ifdef __CUDACC_VER_MAJOR__
#include <cuda_fp8.h>
#elif defined(__cplusplus)
#pragma GCC system_header

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

/* ---- numbers ---- */

/* A number below the least normal number is rounded by adding a power of two, which leaves the result in the
 * lowest bits. Other numbers are rounded in their bits: a carry continues into the exponent. */
LOCKSTEP_HOST_FN_ __nv_fp8_storage_t __nv_cvt_float_to_fp8(
    float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    bool e4m3 = kind == __NV_E4M3;
    unsigned bits = __builtin_bit_cast(unsigned, x), a = bits & 0x7fffffffu, code;
    unsigned cut = e4m3 ? 20 : 21, least = e4m3 ? 121u << 23 : 113u << 23, most = e4m3 ? 0x7e : 0x7b;
    if (a > 0x7f800000u) return 0x7f;
    if (a < least) {
        float units = e4m3 ? 0x1p14f : 0x1p7f;
        float sum = __builtin_bit_cast(float, a) + units;
        code = __builtin_bit_cast(unsigned, sum) - __builtin_bit_cast(unsigned, units);
    } else {
        code = (a - least + (1u << 23) + (1u << (cut - 1)) - 1 + (a >> cut & 1)) >> cut;
    }
    if (code > most) code = saturate == __NV_SATFINITE ? most : most + 1;
    return (__nv_fp8_storage_t)(code | (bits >> 24 & 0x80));
}
/* By way of a float that is rounded to odd (its last bit is set if it is not exact), so that rounding it
 * again is correct. A NaN keeps its sign and, in E5M2, the lower of its two upper bits. */
LOCKSTEP_HOST_FN_ __nv_fp8_storage_t __nv_cvt_double_to_fp8(
    double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    float f = (float)x;
    unsigned bits = __builtin_bit_cast(unsigned, f);
    unsigned long long all = __builtin_bit_cast(unsigned long long, x);
    if (x != x)
        return (__nv_fp8_storage_t)((all >> 56 & 0x80) | 0x7e | (kind == __NV_E4M3 ? 1 : all >> 50 & 1));
    double is = __builtin_fabs((double)f), right = __builtin_fabs(x);
    if (is > right) bits = (bits - 1) | 1;
    if (is < right) bits |= 1;
    return __nv_cvt_float_to_fp8(__builtin_bit_cast(float, bits), saturate, kind);
}
LOCKSTEP_HOST_FN_ __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(
    __half_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(lockstep_widen_half(x.x), saturate, kind);
}
LOCKSTEP_HOST_FN_ __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(
    __nv_bfloat16_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
    return __nv_cvt_float_to_fp8(lockstep_bfloat_widened(x.x), saturate, kind);
}

/* E5M2 is the upper half of a half. The bits of an E4M3 number, shifted into a half, give an exponent too low
 * by 8; a multiplication corrects that, also for subnormal numbers. */
LOCKSTEP_HOST_FN_ __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind)
{
    unsigned magnitude = x & 0x7fu;
    if (kind == __NV_E5M2) return {(unsigned short)(magnitude > 0x7c ? 0x7fff : x << 8)};
    if (magnitude == 0x7f) return {0x7fff};
    float value = lockstep_widen_half((unsigned short)(magnitude << 7)) * 256;
    return {(unsigned short)(lockstep_half_rn(value) | (x & 0x80u) << 8)};
}

/* ---- pairs: the first number in the lower byte ---- */

#define LOCKSTEP_FP8_PAIR_(name, T, one, first, second)                                        \
    LOCKSTEP_HOST_FN_ __nv_fp8x2_storage_t name(                                               \
        T x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)                       \
    {                                                                                          \
        unsigned low = one(first, saturate, kind), high = one(second, saturate, kind);         \
        return (__nv_fp8x2_storage_t)(high << 8 | low);                                        \
    }
LOCKSTEP_FP8_PAIR_(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8, x.x, x.y)
LOCKSTEP_FP8_PAIR_(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8, x.x, x.y)
LOCKSTEP_FP8_PAIR_(
    __nv_cvt_halfraw2_to_fp8x2, __half2_raw, __nv_cvt_halfraw_to_fp8, __half_raw{x.x}, __half_raw{x.y})
LOCKSTEP_FP8_PAIR_(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp8,
    __nv_bfloat16_raw{x.x}, __nv_bfloat16_raw{x.y})
#undef LOCKSTEP_FP8_PAIR_

LOCKSTEP_HOST_FN_ __half2_raw __nv_cvt_fp8x2_to_halfraw2(
    __nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind)
{
    return {__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x,
        __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x};
}

/* ---- the types ---- */

/* A float as an integer from low to most; out of range: the nearer end. */
LOCKSTEP_HOST_FN_ int lockstep_fp8_within(float v, int low, int most)
{
    return v != v ? 0 : v < (float)low ? low : v > (float)most ? most : (int)v;
}

#define LOCKSTEP_FP8_FROM_(type, kind, T)                                                      \
    LOCKSTEP_BOTH_ explicit type(T v) : __x(__nv_cvt_float_to_fp8((float)v, __NV_SATFINITE, kind)) {}
#define LOCKSTEP_FP8_TO_(kind, T)                                                              \
    LOCKSTEP_BOTH_ explicit operator T() const { return (T)(__half)__nv_cvt_fp8_to_halfraw(__x, kind); }
#define LOCKSTEP_FP8_TO_BYTE_(T, low, most)                                                    \
    LOCKSTEP_BOTH_ explicit operator T() const { return (T)lockstep_fp8_within((float)*this, low, most); }
#define LOCKSTEP_FP8_TYPE_(type, kind)                                                         \
    struct type {                                                                              \
        __nv_fp8_storage_t __x;                                                                \
        type() = default;                                                                      \
        LOCKSTEP_FP8_FROM_(type, kind, short)                                                  \
        LOCKSTEP_FP8_FROM_(type, kind, unsigned short)                                         \
        LOCKSTEP_FP8_FROM_(type, kind, int)                                                    \
        LOCKSTEP_FP8_FROM_(type, kind, unsigned)                                               \
        LOCKSTEP_FP8_FROM_(type, kind, long)                                                   \
        LOCKSTEP_FP8_FROM_(type, kind, unsigned long)                                          \
        LOCKSTEP_FP8_FROM_(type, kind, long long)                                              \
        LOCKSTEP_FP8_FROM_(type, kind, unsigned long long)                                     \
        LOCKSTEP_FP8_FROM_(type, kind, float)                                                  \
        LOCKSTEP_FP8_FROM_(type, kind, __half)                                                 \
        LOCKSTEP_FP8_FROM_(type, kind, __nv_bfloat16)                                          \
        LOCKSTEP_BOTH_ explicit type(double v) : __x(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, kind)) {} \
        LOCKSTEP_BOTH_ explicit operator __half() const { return __nv_cvt_fp8_to_halfraw(__x, kind); } \
        LOCKSTEP_BOTH_ explicit operator __nv_bfloat16() const { return __nv_bfloat16((float)*this); } \
        LOCKSTEP_BOTH_ explicit operator bool() const { return (__x & 0x7f) != 0; }            \
        LOCKSTEP_FP8_TO_(kind, float)                                                          \
        LOCKSTEP_BOTH_ explicit operator double() const { return (float)*this; }               \
        LOCKSTEP_FP8_TO_BYTE_(char, (char)-1 < 0 ? -128 : 0, (char)-1 < 0 ? 127 : 255)         \
        LOCKSTEP_FP8_TO_BYTE_(signed char, -128, 127)                                          \
        LOCKSTEP_FP8_TO_BYTE_(unsigned char, 0, 255)                                           \
        LOCKSTEP_FP8_TO_(kind, short)                                                          \
        LOCKSTEP_FP8_TO_(kind, unsigned short)                                                 \
        LOCKSTEP_FP8_TO_(kind, int)                                                            \
        LOCKSTEP_FP8_TO_(kind, unsigned)                                                       \
        LOCKSTEP_FP8_TO_(kind, long)                                                           \
        LOCKSTEP_FP8_TO_(kind, unsigned long)                                                  \
        LOCKSTEP_FP8_TO_(kind, long long)                                                      \
        LOCKSTEP_FP8_TO_(kind, unsigned long long)                                             \
    };
LOCKSTEP_FP8_TYPE_(__nv_fp8_e4m3, __NV_E4M3)
LOCKSTEP_FP8_TYPE_(__nv_fp8_e5m2, __NV_E5M2)
#undef LOCKSTEP_FP8_TYPE_
#undef LOCKSTEP_FP8_TO_BYTE_
#undef LOCKSTEP_FP8_TO_
#undef LOCKSTEP_FP8_FROM_

/* Vectors of two and of four numbers. */
LOCKSTEP_HOST_FN_ float2 lockstep_fp8_float2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind)
{
    __half2_raw h = __nv_cvt_fp8x2_to_halfraw2(x, kind);
    return make_float2(lockstep_widen_half(h.x), lockstep_widen_half(h.y));
}
#define LOCKSTEP_FP8X2_FROM_(type, kind, T, convert)                                           \
    LOCKSTEP_BOTH_ explicit type(T v) : __x(convert(v, __NV_SATFINITE, kind)) {}
#define LOCKSTEP_FP8X4_FROM_(type, kind, T, convert, low, high)                                \
    LOCKSTEP_BOTH_ explicit type(T)                                                            \
        : __x(convert(low, __NV_SATFINITE, kind) | (unsigned)convert(high, __NV_SATFINITE, kind) << 16) {}
#define LOCKSTEP_FP8_VECTORS_(two, four, kind)                                                 \
    struct __align__(2) two {                                                                  \
        __nv_fp8x2_storage_t __x;                                                              \
        two() = default;                                                                       \
        LOCKSTEP_FP8X2_FROM_(two, kind, float2, __nv_cvt_float2_to_fp8x2)                      \
        LOCKSTEP_FP8X2_FROM_(two, kind, double2, __nv_cvt_double2_to_fp8x2)                    \
        LOCKSTEP_FP8X2_FROM_(two, kind, __half2, __nv_cvt_halfraw2_to_fp8x2)                   \
        LOCKSTEP_FP8X2_FROM_(two, kind, __nv_bfloat162, __nv_cvt_bfloat16raw2_to_fp8x2)        \
        LOCKSTEP_BOTH_ explicit operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, kind); } \
        LOCKSTEP_BOTH_ explicit operator float2() const { return lockstep_fp8_float2(__x, kind); } \
    };                                                                                         \
    struct __align__(4) four {                                                                 \
        __nv_fp8x4_storage_t __x;                                                              \
        four() = default;                                                                      \
        LOCKSTEP_FP8X4_FROM_(four, kind, float4 v, __nv_cvt_float2_to_fp8x2, make_float2(v.x, v.y), \
            make_float2(v.z, v.w))                                                             \
        LOCKSTEP_FP8X4_FROM_(four, kind, double4 v, __nv_cvt_double2_to_fp8x2, make_double2(v.x, v.y), \
            make_double2(v.z, v.w))                                                            \
        LOCKSTEP_BOTH_ four(__half2 low, __half2 high)                                         \
            : __x(two(low).__x | (unsigned)two(high).__x << 16) {}                             \
        LOCKSTEP_BOTH_ four(__nv_bfloat162 low, __nv_bfloat162 high)                           \
            : __x(two(low).__x | (unsigned)two(high).__x << 16) {}                             \
        LOCKSTEP_BOTH_ explicit operator float4() const                                        \
        {                                                                                      \
            float2 low = lockstep_fp8_float2((unsigned short)__x, kind);                       \
            float2 high = lockstep_fp8_float2((unsigned short)(__x >> 16), kind);              \
            return make_float4(low.x, low.y, high.x, high.y);                                  \
        }                                                                                      \
    };
LOCKSTEP_FP8_VECTORS_(__nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
LOCKSTEP_FP8_VECTORS_(__nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
#undef LOCKSTEP_FP8_VECTORS_
#undef LOCKSTEP_FP8X4_FROM_
#undef LOCKSTEP_FP8X2_FROM_

#endif
#endif
