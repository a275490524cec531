/* lockstep_half.h - half and half2: what CUDA's cuda_fp16.h declares, for clang without the SDK.
 *
 *     __half    16 bits                               one PTX register of 16 bits
 *     __half2   { x, y }, aligned to 4 bytes          one register of 32 bits: x below, y above
 *
 * Each function is one PTX instruction where the GPU that is compiled for has one, from compute capability
 * 5.3 on, some from 8.0 on. The host, and a GPU without it, computes the same bits in C++
 * (lockstep_half_bits.h). Arithmetic is in lockstep_half_ops.h, which bfloat16 shares.
 * Sums, products and multiply-adds of single halves use clang's own type __fp16: clang fuses products and
 * sums, as NVIDIA's assembler does, and unrolls loops of them, which it does not do around an asm. That needs
 * the option -fnative-half-type; without it each operation is an asm. Operations on pairs always are: clang
 * 14 cannot compile a pair of __fp16 that was read as a float.
 * Source: CUDA Math API, half precision intrinsics; PTX ISA, half precision instructions, cvt. */
#ifndef LOCKSTEP_HALF_H
#define LOCKSTEP_HALF_H

#ifdef __CUDACC_VER_MAJOR__
#include <cuda_fp16.h> /* nvcc has NVIDIA's own */
#elif !defined(__cplusplus)
typedef struct { unsigned short x; } __half_raw, __half;
typedef struct __attribute__((aligned(4))) { unsigned short x, y; } __half2_raw, __half2;
#else
#ifdef __CUDA__
#include "lockstep_clang.h"
#else
#include <vector_types.h> /* a host file has no functions that only kernels may call */
#endif
#include "lockstep_half_bits.h"
#include "lockstep_half_make.h"

#pragma GCC system_header

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 530
#define LOCKSTEP_HALF_PTX_ 1
#else
#define LOCKSTEP_HALF_PTX_ 0
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define LOCKSTEP_80_ 1
#else
#define LOCKSTEP_80_ 0
#endif

struct __half_raw { unsigned short x; };
struct __align__(4) __half2_raw { unsigned short x, y; };

/* Define conversions of a float and of a double to the bits of a half, with one rounding mode. */
#define LOCKSTEP_NARROW_(name, r, ptx_r)                                                       \
    LOCKSTEP_HOST_FN_ unsigned short lockstep_half_##name(float a)                             \
    {                                                                                          \
        LOCKSTEP_HALF_CVT_("cvt." ptx_r ".f16.f32", "f")                                       \
        return lockstep_round16(a, 11, -14, LOCKSTEP_##r);                                     \
    }                                                                                          \
    LOCKSTEP_HOST_FN_ unsigned short lockstep_half_##name(double a)                            \
    {                                                                                          \
        LOCKSTEP_HALF_CVT_("cvt." ptx_r ".f16.f64", "d")                                       \
        return lockstep_round16(a, 11, -14, LOCKSTEP_##r);                                     \
    }
#if LOCKSTEP_HALF_PTX_
#define LOCKSTEP_HALF_CVT_(op, constraint)                                                     \
    unsigned short d;                                                                          \
    asm(op " %0, %1;" : "=h"(d) : constraint(a));                                              \
    return d;
LOCKSTEP_HOST_FN_ unsigned short lockstep_half_rn(float a)
{
    __fp16 d = a;
    return LOCKSTEP_BITS_(d);
}
LOCKSTEP_HOST_FN_ unsigned short lockstep_half_rn(double a)
{
    __fp16 d = a;
    return LOCKSTEP_BITS_(d);
}
#else
#define LOCKSTEP_HALF_CVT_(op, constraint)
LOCKSTEP_NARROW_(rn, rn, "rn")
#endif
LOCKSTEP_NARROW_(rz, rz, "rz")
LOCKSTEP_NARROW_(rd, rd, "rm")
LOCKSTEP_NARROW_(ru, ru, "rp")
#undef LOCKSTEP_NARROW_

/* Integer types for conversions to and from halves: name in CUDA, type, PTX type, asm constraint, range, what
 * a NaN becomes. */
#define LOCKSTEP_WHOLE_TYPES_(M)                                                               \
    M(short, short, "s16", "h", -32768, 32767, 0)                                              \
    M(ushort, unsigned short, "u16", "h", 0, 65535, 0)                                         \
    M(int, int, "s32", "r", -2147483647 - 1, 2147483647, 0)                                    \
    M(uint, unsigned, "u32", "r", 0, 4294967295u, 0)                                           \
    M(ll, long long, "s64", "l", -9223372036854775807LL - 1, 9223372036854775807LL,            \
        -9223372036854775807LL - 1)                                                            \
    M(ull, unsigned long long, "u64", "l", 0, ~0ull, 1ull << 63)
#define LOCKSTEP_MODES_(M, ...)                                                                \
    M(rn, "rn", "rni", __VA_ARGS__)                                                            \
    M(rz, "rz", "rzi", __VA_ARGS__)                                                            \
    M(rd, "rm", "rmi", __VA_ARGS__)                                                            \
    M(ru, "rp", "rpi", __VA_ARGS__)
#define LOCKSTEP_WHOLE_(r, ptx, ptxi, name, T, type, constraint, low, most, nan)               \
    LOCKSTEP_HOST_FN_ unsigned short lockstep_half_from_##name##_##r(T a)                      \
    {                                                                                          \
        LOCKSTEP_HALF_CVT_("cvt." ptx ".f16." type, constraint)                                \
        return lockstep_round16(lockstep_whole(a), 11, -14, LOCKSTEP_##r);                     \
    }                                                                                          \
    LOCKSTEP_HOST_FN_ T lockstep_half_to_##name##_##r(unsigned short a)                        \
    {                                                                                          \
        LOCKSTEP_HALF_TO_("cvt." ptxi "." type ".f16", constraint, T)                          \
        return lockstep_to_whole<T>(lockstep_widen_half(a), LOCKSTEP_##r, low, most, nan);     \
    }
#if LOCKSTEP_HALF_PTX_
#define LOCKSTEP_HALF_TO_(op, constraint, T)                                                   \
    T d;                                                                                       \
    asm(op " %0, %1;" : "=" constraint(d) : "h"(a));                                           \
    return d;
#else
#define LOCKSTEP_HALF_TO_(op, constraint, T)
#endif
#define LOCKSTEP_ALL_(...) LOCKSTEP_MODES_(LOCKSTEP_WHOLE_, __VA_ARGS__)
LOCKSTEP_WHOLE_TYPES_(LOCKSTEP_ALL_)
#undef LOCKSTEP_ALL_
#undef LOCKSTEP_WHOLE_

LOCKSTEP_HOST_FN_ float lockstep_half_widened(unsigned short a)
{
#if LOCKSTEP_HALF_PTX_
    return __builtin_bit_cast(__fp16, a);
#else
    return lockstep_widen_half(a);
#endif
}

/* ---- the types ---- */

struct __nv_bfloat16;

/* Implicit conversions from and to every arithmetic type, rounded to nearest. */
#define LOCKSTEP_TO_BYTE_(T) \
    LOCKSTEP_BOTH_ operator T() const { return lockstep_to_byte<T>(lockstep_half_to_int_rz(__x)); }
struct __align__(2) __half {
    unsigned short __x;
    __half() = default;
    LOCKSTEP_BOTH_ __half(__half_raw r) : __x(r.x) {}
    LOCKSTEP_BOTH_ explicit __half(__nv_bfloat16 v); /* defined in lockstep_bfloat.h */
    LOCKSTEP_BOTH_ __half(float v) : __x(lockstep_half_rn(v)) {}
    LOCKSTEP_BOTH_ __half(double v) : __x(lockstep_half_rn(v)) {}
    LOCKSTEP_BOTH_ __half(short v) : __x(lockstep_half_from_short_rn(v)) {}
    LOCKSTEP_BOTH_ __half(unsigned short v) : __x(lockstep_half_from_ushort_rn(v)) {}
    LOCKSTEP_BOTH_ __half(int v) : __x(lockstep_half_from_int_rn(v)) {}
    LOCKSTEP_BOTH_ __half(unsigned v) : __x(lockstep_half_from_uint_rn(v)) {}
    LOCKSTEP_BOTH_ __half(long v) : __x(lockstep_half_from_ll_rn(v)) {}
    LOCKSTEP_BOTH_ __half(unsigned long v) : __x(lockstep_half_from_ull_rn(v)) {}
    LOCKSTEP_BOTH_ __half(long long v) : __x(lockstep_half_from_ll_rn(v)) {}
    LOCKSTEP_BOTH_ __half(unsigned long long v) : __x(lockstep_half_from_ull_rn(v)) {}
    LOCKSTEP_BOTH_ operator __half_raw() const { return {__x}; }
    LOCKSTEP_BOTH_ operator float() const { return lockstep_half_widened(__x); }
    LOCKSTEP_BOTH_ operator bool() const { return (__x & 0x7fff) != 0; }
    LOCKSTEP_TO_BYTE_(char)
    LOCKSTEP_TO_BYTE_(signed char)
    LOCKSTEP_TO_BYTE_(unsigned char)
    LOCKSTEP_BOTH_ operator short() const { return lockstep_half_to_short_rz(__x); }
    LOCKSTEP_BOTH_ operator unsigned short() const { return lockstep_half_to_ushort_rz(__x); }
    LOCKSTEP_BOTH_ operator int() const { return lockstep_half_to_int_rz(__x); }
    LOCKSTEP_BOTH_ operator unsigned() const { return lockstep_half_to_uint_rz(__x); }
    LOCKSTEP_BOTH_ operator long() const { return lockstep_half_to_ll_rz(__x); }
    LOCKSTEP_BOTH_ operator unsigned long() const { return lockstep_half_to_ull_rz(__x); }
    LOCKSTEP_BOTH_ operator long long() const { return lockstep_half_to_ll_rz(__x); }
    LOCKSTEP_BOTH_ operator unsigned long long() const { return lockstep_half_to_ull_rz(__x); }
};
#undef LOCKSTEP_TO_BYTE_
LOCKSTEP_PAIR_TYPE_(__half2, __half)
typedef __half half, __nv_half, nv_half;
typedef __half2 half2, __nv_half2, nv_half2;

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00u)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fffu)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00u)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000u)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000u)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bffu)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001u)

/* ---- bits, conversions ---- */

LOCKSTEP_HOST_FN_ __half __ushort_as_half(unsigned short a) { return __half_raw{a}; }
LOCKSTEP_HOST_FN_ __half __short_as_half(short a) { return __half_raw{(unsigned short)a}; }
LOCKSTEP_HOST_FN_ unsigned short __half_as_ushort(__half a) { return a.__x; }
LOCKSTEP_HOST_FN_ short __half_as_short(__half a) { return (short)a.__x; }

LOCKSTEP_HOST_FN_ __half __float2half(float a) { return __ushort_as_half(lockstep_half_rn(a)); }
LOCKSTEP_HOST_FN_ __half __float2half_rn(float a) { return __float2half(a); }
LOCKSTEP_HOST_FN_ __half __float2half_rz(float a) { return __ushort_as_half(lockstep_half_rz(a)); }
LOCKSTEP_HOST_FN_ __half __float2half_rd(float a) { return __ushort_as_half(lockstep_half_rd(a)); }
LOCKSTEP_HOST_FN_ __half __float2half_ru(float a) { return __ushort_as_half(lockstep_half_ru(a)); }
LOCKSTEP_HOST_FN_ __half __double2half(double a) { return __ushort_as_half(lockstep_half_rn(a)); }
LOCKSTEP_HOST_FN_ float __half2float(__half a) { return lockstep_half_widened(a.__x); }
#define LOCKSTEP_WHOLE_(r, ptx, ptxi, name, T, ...)                                            \
    LOCKSTEP_HOST_FN_ __half __##name##2half_##r(T a)                                          \
    {                                                                                          \
        return __ushort_as_half(lockstep_half_from_##name##_##r(a));                           \
    }                                                                                          \
    LOCKSTEP_HOST_FN_ T __half2##name##_##r(__half a) { return lockstep_half_to_##name##_##r(a.__x); }
#define LOCKSTEP_ALL_(...) LOCKSTEP_MODES_(LOCKSTEP_WHOLE_, __VA_ARGS__)
LOCKSTEP_WHOLE_TYPES_(LOCKSTEP_ALL_)
#undef LOCKSTEP_ALL_
#undef LOCKSTEP_WHOLE_
LOCKSTEP_HOST_FN_ signed char __half2char_rz(__half a)
{
    short v = __half2short_rz(a);
    return (signed char)(v < -128 ? -128 : v > 127 ? 127 : v);
}
LOCKSTEP_HOST_FN_ unsigned char __half2uchar_rz(__half a)
{
    unsigned short v = __half2ushort_rz(a);
    return (unsigned char)(v > 255 ? 255 : v);
}

/* ---- pairs ---- */

LOCKSTEP_HOST_FN_ __half2 __halves2half2(__half a, __half b)
{
    return __builtin_bit_cast(__half2, lockstep_pack16(a.__x, b.__x));
}
LOCKSTEP_HOST_FN_ __half2 make_half2(__half a, __half b) { return __halves2half2(a, b); }
LOCKSTEP_HOST_FN_ __half2 __half2half2(__half a) { return __halves2half2(a, a); }
LOCKSTEP_HOST_FN_ __half2 __floats2half2_rn(float a, float b)
{
#if LOCKSTEP_80_
    unsigned d;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(b), "f"(a));
    return __builtin_bit_cast(__half2, d);
#else
    return __half2(__float2half(a), __float2half(b));
#endif
}
LOCKSTEP_HOST_FN_ __half2 __float2half2_rn(float a) { return __half2half2(__float2half(a)); }
LOCKSTEP_HOST_FN_ __half2 __float22half2_rn(float2 a) { return __floats2half2_rn(a.x, a.y); }
LOCKSTEP_HOST_FN_ __half __low2half(__half2 a)
{
    return __builtin_bit_cast(__half, lockstep_low16(LOCKSTEP_BITS2_(a)));
}
LOCKSTEP_HOST_FN_ __half __high2half(__half2 a)
{
    return __builtin_bit_cast(__half, lockstep_high16(LOCKSTEP_BITS2_(a)));
}
LOCKSTEP_HOST_FN_ float2 __half22float2(__half2 a)
{
    return {__half2float(__low2half(a)), __half2float(__high2half(a))};
}
LOCKSTEP_HOST_FN_ __half2 __low2half2(__half2 a) { return __halves2half2(a.x, a.x); }
LOCKSTEP_HOST_FN_ __half2 __high2half2(__half2 a) { return __halves2half2(a.y, a.y); }
LOCKSTEP_HOST_FN_ __half2 __lows2half2(__half2 a, __half2 b) { return __halves2half2(a.x, b.x); }
LOCKSTEP_HOST_FN_ __half2 __highs2half2(__half2 a, __half2 b) { return __halves2half2(a.y, b.y); }
LOCKSTEP_HOST_FN_ __half2 __lowhigh2highlow(__half2 a) { return __halves2half2(a.y, a.x); }

/* ---- arithmetic ---- */

#define LOCKSTEP_T_ __half
#define LOCKSTEP_T2_ __half2
#define LOCKSTEP_F_ "f16"
#define LOCKSTEP_PTX_ LOCKSTEP_HALF_PTX_
#define LOCKSTEP_WIDEN_ __half2float
#define LOCKSTEP_NARROW_ __float2half
#define LOCKSTEP_PAIR_ __floats2half2_rn
#define LOCKSTEP_ROUND_(x) __ushort_as_half(lockstep_round16(x, 11, -14, LOCKSTEP_rn))
#define LOCKSTEP_ONE_ 0x3c00u
#define LOCKSTEP_INFINITY_ 0x7c00
#if LOCKSTEP_HALF_PTX_
#define LOCKSTEP_NATIVE_ (sizeof((__fp16)0 + (__fp16)0) == 2)
#define LOCKSTEP_HALF_BINARY_(one, two, op, sign)                                              \
    LOCKSTEP_BINARY_PTX_(lockstep##one, two, op)                                               \
    LOCKSTEP_HOST_FN_ __half one(__half a, __half b)                                           \
    {                                                                                          \
        __fp16 d = __builtin_bit_cast(__fp16, a) sign __builtin_bit_cast(__fp16, b);           \
        return LOCKSTEP_NATIVE_ ? __builtin_bit_cast(__half, d) : lockstep##one(a, b);         \
    }
LOCKSTEP_HALF_BINARY_(__hadd, __hadd2, "add.", +)
LOCKSTEP_HALF_BINARY_(__hsub, __hsub2, "sub.", -)
LOCKSTEP_HALF_BINARY_(__hmul, __hmul2, "mul.", *)
#undef LOCKSTEP_HALF_BINARY_
LOCKSTEP_TERNARY_PTX_(lockstep__hfma, __hfma2, "fma.rn.")
LOCKSTEP_HOST_FN_ __half __hfma(__half a, __half b, __half c)
{
#pragma clang fp contract(on)
    if (!LOCKSTEP_NATIVE_) return lockstep__hfma(a, b, c);
    __fp16 x = __builtin_bit_cast(__fp16, a), y = __builtin_bit_cast(__fp16, b);
    __fp16 d = x * y + __builtin_bit_cast(__fp16, c);
    return __builtin_bit_cast(__half, d);
}
LOCKSTEP_BINARY_PTX_(__hadd_rn, __hadd2_rn, "add.rn.")
LOCKSTEP_BINARY_PTX_(__hsub_rn, __hsub2_rn, "sub.rn.")
LOCKSTEP_BINARY_PTX_(__hmul_rn, __hmul2_rn, "mul.rn.")
LOCKSTEP_BINARY_PTX_(__hadd_sat, __hadd2_sat, "add.sat.")
LOCKSTEP_BINARY_PTX_(__hsub_sat, __hsub2_sat, "sub.sat.")
LOCKSTEP_BINARY_PTX_(__hmul_sat, __hmul2_sat, "mul.sat.")
LOCKSTEP_TERNARY_PTX_(__hfma_sat, __hfma2_sat, "fma.rn.sat.")
#define LOCKSTEP_SET_(name, op)                                                                \
    LOCKSTEP_HOST_FN_ unsigned name(__half2 a, __half2 b)                                      \
    {                                                                                          \
        unsigned d;                                                                            \
        asm(op " %0, %1, %2;" : "=r"(d) : "r"(LOCKSTEP_BITS2_(a)), "r"(LOCKSTEP_BITS2_(b)));   \
        return d;                                                                              \
    }
#define LOCKSTEP_COMPARE_(name, op, compare)                                                   \
    LOCKSTEP_HOST_FN_ bool __h##name(__half a, __half b)                                       \
    {                                                                                          \
        __fp16 x = __builtin_bit_cast(__fp16, a), y = __builtin_bit_cast(__fp16, b);           \
        return compare;                                                                        \
    }                                                                                          \
    LOCKSTEP_SET_(__h##name##2_mask, "set." op ".u32.f16x2")                                   \
    LOCKSTEP_SET_(lockstep_##name##2, "set." op ".f16x2.f16x2")                                \
    LOCKSTEP_HOST_FN_ __half2 __h##name##2(__half2 a, __half2 b)                               \
    {                                                                                          \
        return __builtin_bit_cast(__half2, lockstep_##name##2(a, b));                          \
    }
LOCKSTEP_COMPARES_(LOCKSTEP_COMPARE_)
#undef LOCKSTEP_COMPARE_
#undef LOCKSTEP_SET_
#else
LOCKSTEP_BINARY_CPP_(__hadd, __hadd2, LOCKSTEP_ROUND_((double)x + y))
LOCKSTEP_BINARY_CPP_(__hsub, __hsub2, LOCKSTEP_ROUND_((double)x - y))
LOCKSTEP_BINARY_CPP_(__hmul, __hmul2, LOCKSTEP_ROUND_((double)x * y))
LOCKSTEP_BINARY_CPP_(__hadd_rn, __hadd2_rn, __hadd(a, b))
LOCKSTEP_BINARY_CPP_(__hsub_rn, __hsub2_rn, __hsub(a, b))
LOCKSTEP_BINARY_CPP_(__hmul_rn, __hmul2_rn, __hmul(a, b))
LOCKSTEP_TERNARY_CPP_(__hfma, __hfma2, LOCKSTEP_ROUND_(lockstep_fma_odd(x, y, z)))
LOCKSTEP_CLAMPED_ALL_
LOCKSTEP_COMPARES_(LOCKSTEP_COMPARE_CPP_)
#endif
#include "lockstep_half_ops.h"

#ifdef LOCKSTEP_CLANG_H
/* ---- atomics ---- */

LOCKSTEP_FN_ unsigned short atomicCAS(unsigned short *p, unsigned short compare, unsigned short v)
{
    unsigned short d;
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(d) : "l"(p), "h"(compare), "h"(v) : "memory");
    return d;
}

LOCKSTEP_FN_ __half2 atomicAdd(__half2 *p, __half2 v)
{
    unsigned d;
    asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(d) : "l"(p), "r"(LOCKSTEP_BITS2_(v)) : "memory");
    return __builtin_bit_cast(__half2, d);
}
LOCKSTEP_FN_ __half atomicAdd(__half *p, __half v)
{
    unsigned short d;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(d) : "l"(p), "h"(v.__x) : "memory");
    return __builtin_bit_cast(__half, d);
}
#endif

#endif
#endif
