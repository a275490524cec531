/* lockstep_bfloat.h - __nv_bfloat16 and __nv_bfloat162: what CUDA's cuda_bf16.h declares, for clang without
 * the SDK.
 *
 *     bfloat16       s eeeeeeee mmmmmmm                   the upper half of a float
 *     a + b          fma.rn.bf16  a, 1, b
 *     a - b          fma.rn.bf16  b, -1, a
 *     a * b          fma.rn.bf16  a, b, -0
 *
 * A GPU has the multiply-add, min, max and conversions from floats from compute capability 8.0 on. The host,
 * and an older GPU, computes the same bits in C++ (lockstep_half_bits.h).
 * Source: CUDA Math API, bfloat16 precision intrinsics; PTX ISA, half precision instructions, cvt. */
#ifndef LOCKSTEP_BFLOAT_H
#define LOCKSTEP_BFLOAT_H

#include "lockstep_half.h"

#ifdef __CUDACC_VER_MAJOR__
#include <cuda_bf16.h>
#elif !defined(__cplusplus)
typedef struct { unsigned short x; } __nv_bfloat16_raw, __nv_bfloat16;
typedef struct __attribute__((aligned(4))) { unsigned short x, y; } __nv_bfloat162_raw, __nv_bfloat162;
#else
#pragma GCC system_header

struct __nv_bfloat16_raw { unsigned short x; };
struct __align__(4) __nv_bfloat162_raw { unsigned short x, y; };

LOCKSTEP_HOST_FN_ unsigned short lockstep_bfloat_rounded(double a, lockstep_rounding mode)
{
    return lockstep_round16(a, 8, -126, mode);
}
LOCKSTEP_HOST_FN_ unsigned short lockstep_bfloat_rn(float a)
{
#if LOCKSTEP_80_
    unsigned short d;
    if (!__builtin_constant_p(a)) {
        asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(d) : "f"(a));
        return d;
    }
#endif
    return lockstep_bfloat_rounded(a, LOCKSTEP_rn);
}
LOCKSTEP_HOST_FN_ float lockstep_bfloat_widened(unsigned short a)
{
    return __builtin_bit_cast(float, (unsigned)a << 16);
}
/* A bfloat16 is exactly a float, so it is converted to an integer as a float is. */
#ifdef __CUDA_ARCH__
#define LOCKSTEP_BFLOAT_TO_(T, name, ptx, ...)                                                 \
    LOCKSTEP_BOTH_ static inline T lockstep_##name##_of(float x, lockstep_rounding mode)       \
    {                                                                                          \
        return mode == LOCKSTEP_rn ? __nvvm_##ptx##_rn(x)                                      \
            : mode == LOCKSTEP_rz  ? __nvvm_##ptx##_rz(x)                                      \
            : mode == LOCKSTEP_rd  ? __nvvm_##ptx##_rm(x)                                      \
                                   : __nvvm_##ptx##_rp(x);                                     \
    }
#else
#define LOCKSTEP_BFLOAT_TO_(T, name, ptx, low, most, nan)                                      \
    LOCKSTEP_BOTH_ static inline T lockstep_##name##_of(float x, lockstep_rounding mode)       \
    {                                                                                          \
        return lockstep_to_whole<T>(x, mode, low, most, nan);                                  \
    }
#endif
LOCKSTEP_BFLOAT_TO_(int, int, f2i, -2147483647 - 1, 2147483647, 0)
LOCKSTEP_BFLOAT_TO_(unsigned, uint, f2ui, 0, ~0u, 0)
LOCKSTEP_BFLOAT_TO_(
    long long, ll, f2ll, (long long)(1ull << 63), (long long)(~0ull >> 1), (long long)(1ull << 63))
LOCKSTEP_BFLOAT_TO_(unsigned long long, ull, f2ull, 0, ~0ull, 1ull << 63)
#undef LOCKSTEP_BFLOAT_TO_
template <class T> LOCKSTEP_HOST_FN_ T lockstep_bfloat_to(unsigned short a, lockstep_rounding mode)
{
    float x = lockstep_bfloat_widened(a);
    bool is_signed = (T)-1 < (T)0;
    if (sizeof(T) == 8) return is_signed ? (T)lockstep_ll_of(x, mode) : (T)lockstep_ull_of(x, mode);
    if (sizeof(T) == 4) return is_signed ? (T)lockstep_int_of(x, mode) : (T)lockstep_uint_of(x, mode);
    int v = lockstep_int_of(x, mode), low = is_signed ? -32768 : 0, most = is_signed ? 32767 : 65535;
    return (T)(v < low ? low : v > most ? most : v);
}

/* ---- the types ---- */

/* Implicit conversions from and to every arithmetic type, rounded to nearest. */
#define LOCKSTEP_FROM_(T) \
    LOCKSTEP_BOTH_ __nv_bfloat16(T v) : __x(lockstep_bfloat_rounded(lockstep_whole(v), LOCKSTEP_rn)) {}
#define LOCKSTEP_TO_(T) LOCKSTEP_BOTH_ operator T() const { return lockstep_bfloat_to<T>(__x, LOCKSTEP_rz); }
#define LOCKSTEP_TO_BYTE_(T)                                                                   \
    LOCKSTEP_BOTH_ operator T() const                                                          \
    {                                                                                          \
        return lockstep_to_byte<T>(lockstep_bfloat_to<int>(__x, LOCKSTEP_rz));                 \
    }
struct __align__(2) __nv_bfloat16 {
    unsigned short __x;
    __nv_bfloat16() = default;
    LOCKSTEP_BOTH_ __nv_bfloat16(__nv_bfloat16_raw r) : __x(r.x) {}
    LOCKSTEP_BOTH_ explicit __nv_bfloat16(__half v) : __x(lockstep_bfloat_rn((float)v)) {}
    LOCKSTEP_BOTH_ __nv_bfloat16(float v) : __x(lockstep_bfloat_rn(v)) {}
    LOCKSTEP_BOTH_ __nv_bfloat16(double v) : __x(lockstep_bfloat_rounded(v, LOCKSTEP_rn)) {}
    LOCKSTEP_BOTH_ __nv_bfloat16(short v) : __x(lockstep_bfloat_rn(v)) {}
    LOCKSTEP_BOTH_ __nv_bfloat16(unsigned short v) : __x(lockstep_bfloat_rn(v)) {}
    LOCKSTEP_FROM_(int)
    LOCKSTEP_FROM_(unsigned)
    LOCKSTEP_BOTH_ __nv_bfloat16(long v) : __nv_bfloat16((long long)v) {}
    LOCKSTEP_BOTH_ __nv_bfloat16(unsigned long v) : __nv_bfloat16((unsigned long long)v) {}
    LOCKSTEP_FROM_(long long)
    LOCKSTEP_FROM_(unsigned long long)
    LOCKSTEP_BOTH_ operator __nv_bfloat16_raw() const { return {__x}; }
    LOCKSTEP_BOTH_ operator float() const { return lockstep_bfloat_widened(__x); }
    LOCKSTEP_BOTH_ operator bool() const { return (__x & 0x7fff) != 0; }
    LOCKSTEP_TO_BYTE_(char)
    LOCKSTEP_TO_BYTE_(signed char)
    LOCKSTEP_TO_BYTE_(unsigned char)
    LOCKSTEP_TO_(short)
    LOCKSTEP_TO_(unsigned short)
    LOCKSTEP_TO_(int)
    LOCKSTEP_TO_(unsigned)
    LOCKSTEP_TO_(long)
    LOCKSTEP_TO_(unsigned long)
    LOCKSTEP_TO_(long long)
    LOCKSTEP_TO_(unsigned long long)
};
#undef LOCKSTEP_FROM_
#undef LOCKSTEP_TO_
#undef LOCKSTEP_TO_BYTE_
LOCKSTEP_BOTH_ inline __half::__half(__nv_bfloat16 v) : __x(lockstep_half_rn((float)v)) {}
LOCKSTEP_PAIR_TYPE_(__nv_bfloat162, __nv_bfloat16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80u)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fffu)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80u)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000u)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000u)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7fu)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001u)

/* ---- bits, conversions ---- */

LOCKSTEP_HOST_FN_ __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) { return __nv_bfloat16_raw{a}; }
LOCKSTEP_HOST_FN_ __nv_bfloat16 __short_as_bfloat16(short a) { return __nv_bfloat16_raw{(unsigned short)a}; }
LOCKSTEP_HOST_FN_ unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.__x; }
LOCKSTEP_HOST_FN_ short __bfloat16_as_short(__nv_bfloat16 a) { return (short)a.__x; }

LOCKSTEP_HOST_FN_ __nv_bfloat16 __float2bfloat16(float a) { return __nv_bfloat16(a); }
LOCKSTEP_HOST_FN_ __nv_bfloat16 __float2bfloat16_rn(float a) { return __nv_bfloat16(a); }
#define LOCKSTEP_ROUNDED_(r)                                                                   \
    LOCKSTEP_HOST_FN_ __nv_bfloat16 __float2bfloat16_##r(float a)                              \
    {                                                                                          \
        return __ushort_as_bfloat16(lockstep_bfloat_rounded(a, LOCKSTEP_##r));                 \
    }
LOCKSTEP_ROUNDED_(rz)
LOCKSTEP_ROUNDED_(rd)
LOCKSTEP_ROUNDED_(ru)
#undef LOCKSTEP_ROUNDED_
LOCKSTEP_HOST_FN_ __nv_bfloat16 __double2bfloat16(double a) { return __nv_bfloat16(a); }
LOCKSTEP_HOST_FN_ float __bfloat162float(__nv_bfloat16 a) { return lockstep_bfloat_widened(a.__x); }
#define LOCKSTEP_WHOLE_(r, name, T)                                                            \
    LOCKSTEP_HOST_FN_ __nv_bfloat16 __##name##2bfloat16_##r(T a)                               \
    {                                                                                          \
        return __ushort_as_bfloat16(lockstep_bfloat_rounded(lockstep_whole(a), LOCKSTEP_##r)); \
    }                                                                                          \
    LOCKSTEP_HOST_FN_ T __bfloat162##name##_##r(__nv_bfloat16 a)                               \
    {                                                                                          \
        return lockstep_bfloat_to<T>(a.__x, LOCKSTEP_##r);                                     \
    }
#define LOCKSTEP_MODES_OF_(name, T)                                                            \
    LOCKSTEP_WHOLE_(rn, name, T)                                                               \
    LOCKSTEP_WHOLE_(rz, name, T)                                                               \
    LOCKSTEP_WHOLE_(rd, name, T)                                                               \
    LOCKSTEP_WHOLE_(ru, name, T)
LOCKSTEP_MODES_OF_(short, short)
LOCKSTEP_MODES_OF_(ushort, unsigned short)
LOCKSTEP_MODES_OF_(int, int)
LOCKSTEP_MODES_OF_(uint, unsigned)
LOCKSTEP_MODES_OF_(ll, long long)
LOCKSTEP_MODES_OF_(ull, unsigned long long)
#undef LOCKSTEP_MODES_OF_
#undef LOCKSTEP_WHOLE_

LOCKSTEP_HOST_FN_ signed char __bfloat162char_rz(__nv_bfloat16 a)
{
    int v = __bfloat162int_rz(a);
    return (signed char)(v < -128 ? -128 : v > 127 ? 127 : v);
}
LOCKSTEP_HOST_FN_ unsigned char __bfloat162uchar_rz(__nv_bfloat16 a)
{
    unsigned v = __bfloat162uint_rz(a);
    return (unsigned char)(v > 255 ? 255 : v);
}

/* ---- pairs ---- */

LOCKSTEP_HOST_FN_ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __builtin_bit_cast(__nv_bfloat162, lockstep_pack16(a.__x, b.__x));
}
LOCKSTEP_HOST_FN_ __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __halves2bfloat162(a, b);
}
LOCKSTEP_HOST_FN_ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __halves2bfloat162(a, a); }
LOCKSTEP_HOST_FN_ __nv_bfloat162 __floats2bfloat162_rn(float a, float b)
{
#if LOCKSTEP_80_
    unsigned d;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(b), "f"(a));
    return __builtin_bit_cast(__nv_bfloat162, d);
#else
    return __halves2bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
#endif
}
LOCKSTEP_HOST_FN_ __nv_bfloat162 __float2bfloat162_rn(float a) { return __floats2bfloat162_rn(a, a); }
LOCKSTEP_HOST_FN_ __nv_bfloat162 __float22bfloat162_rn(float2 a) { return __floats2bfloat162_rn(a.x, a.y); }
LOCKSTEP_HOST_FN_ float2 __bfloat1622float2(__nv_bfloat162 a)
{
    return {__bfloat162float(a.x), __bfloat162float(a.y)};
}
#define LOCKSTEP_PICK_(name, a_part, b_part)                                                   \
    LOCKSTEP_HOST_FN_ __nv_bfloat162 name(__nv_bfloat162 a, __nv_bfloat162 b)                  \
    {                                                                                          \
        return __halves2bfloat162(a.a_part, b.b_part);                                         \
    }
LOCKSTEP_PICK_(__lows2bfloat162, x, x)
LOCKSTEP_PICK_(__highs2bfloat162, y, y)
#undef LOCKSTEP_PICK_
LOCKSTEP_HOST_FN_ __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return __lows2bfloat162(a, a); }
LOCKSTEP_HOST_FN_ __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return __highs2bfloat162(a, a); }
LOCKSTEP_HOST_FN_ __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) { return __halves2bfloat162(a.y, a.x); }
LOCKSTEP_HOST_FN_ __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
LOCKSTEP_HOST_FN_ __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }

/* ---- arithmetic ---- */

#define LOCKSTEP_T_ __nv_bfloat16
#define LOCKSTEP_T2_ __nv_bfloat162
#define LOCKSTEP_F_ "bf16"
#define LOCKSTEP_PTX_ LOCKSTEP_80_
#define LOCKSTEP_WIDEN_ __bfloat162float
#define LOCKSTEP_NARROW_ __float2bfloat16
#define LOCKSTEP_PAIR_ __floats2bfloat162_rn
#define LOCKSTEP_ROUND_(x) __ushort_as_bfloat16(lockstep_bfloat_rounded(x, LOCKSTEP_rn))
#define LOCKSTEP_ONE_ 0x3f80u
#define LOCKSTEP_INFINITY_ 0x7f80
#if LOCKSTEP_PTX_
LOCKSTEP_TERNARY_PTX_(__hfma, __hfma2, "fma.rn.")
#else
LOCKSTEP_TERNARY_CPP_(__hfma, __hfma2, LOCKSTEP_ROUND_(lockstep_fma_odd(x, y, z)))
#endif
#define LOCKSTEP_BY_FMA_(one, two, x, y, z, bits)                                              \
    LOCKSTEP_HOST_FN_ __nv_bfloat16 one(__nv_bfloat16 a, __nv_bfloat16 b)                      \
    {                                                                                          \
        const __nv_bfloat16 k = __ushort_as_bfloat16(bits);                                    \
        return __hfma(x, y, z);                                                                \
    }                                                                                          \
    LOCKSTEP_HOST_FN_ __nv_bfloat162 two(__nv_bfloat162 a, __nv_bfloat162 b)                   \
    {                                                                                          \
        const __nv_bfloat162 k = __builtin_bit_cast(__nv_bfloat162, (unsigned)bits << 16 | bits); \
        return __hfma2(x, y, z);                                                               \
    }
LOCKSTEP_BY_FMA_(__hadd, __hadd2, a, k, b, 0x3f80)
LOCKSTEP_BY_FMA_(__hsub, __hsub2, b, k, a, 0xbf80)
LOCKSTEP_BY_FMA_(__hmul, __hmul2, a, b, k, 0x8000)
LOCKSTEP_BY_FMA_(__hadd_rn, __hadd2_rn, a, k, b, 0x3f80)
LOCKSTEP_BY_FMA_(__hsub_rn, __hsub2_rn, b, k, a, 0xbf80)
LOCKSTEP_BY_FMA_(__hmul_rn, __hmul2_rn, a, b, k, 0x8000)
#undef LOCKSTEP_BY_FMA_
LOCKSTEP_CLAMPED_ALL_
LOCKSTEP_COMPARES_(LOCKSTEP_COMPARE_CPP_)
#define LOCKSTEP_NO_TANH_ /* tanh.approx.bf16 requires 9.0 */
#include "lockstep_half_ops.h"

#ifdef LOCKSTEP_CLANG_H
/* ---- atomics: compare and swap, since GPUs have sums of bfloat16 from 9.0 on only ---- */

LOCKSTEP_FN_ __nv_bfloat162 atomicAdd(__nv_bfloat162 *p, __nv_bfloat162 v)
{
    unsigned *word = (unsigned *)p, seen = *(volatile unsigned *)word, was;
    do {
        was = seen;
        seen = atomicCAS(word, was, LOCKSTEP_BITS2_(__hadd2(__builtin_bit_cast(__nv_bfloat162, was), v)));
    } while (seen != was);
    return __builtin_bit_cast(__nv_bfloat162, was);
}
LOCKSTEP_FN_ __nv_bfloat16 atomicAdd(__nv_bfloat16 *p, __nv_bfloat16 v)
{
    unsigned short seen = *(volatile unsigned short *)p, was;
    do {
        was = seen;
        seen = atomicCAS((unsigned short *)p, was, __hadd(__ushort_as_bfloat16(was), v).__x);
    } while (seen != was);
    return __ushort_as_bfloat16(was);
}
#endif

#endif
#endif
