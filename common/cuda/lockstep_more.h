/* lockstep_more.h - more of what CUDA's own headers declare, for clang without the SDK: what few kernels use,
 * one line each.
 * Source: CUDA C++ Programming Guide, C++ language extensions; CUDA Math API, intrinsics. */
#ifndef LOCKSTEP_MORE_H
#define LOCKSTEP_MORE_H

#pragma clang system_header

/* ---- clocks, ends ---- */

LOCKSTEP_FN_ long clock() { return __nvvm_read_ptx_sreg_clock(); }
LOCKSTEP_FN_ long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
LOCKSTEP_FN_ void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns)); }
LOCKSTEP_FN_ void __trap() { asm volatile("trap;"); }
LOCKSTEP_FN_ void __brkpt() { asm volatile("brkpt;"); }
#define __prof_trigger(counter) ((void)(counter))
/* The entry of a pure virtual function in a table of virtual functions. */
extern "C" inline __device__ __attribute__((noinline)) void __cxa_pure_virtual() { __trap(); }

/* ---- PTX's three-operand instructions, by their names ---- */

#define LOCKSTEP_PTX3_(name, op, R, A, B, C, r, a, b, c)                                       \
    LOCKSTEP_FN_ R name(A x, B y, C z)                                                         \
    {                                                                                          \
        R d;                                                                                   \
        asm(op " %0, %1, %2, %3;" : "=" r(d) : a(x), b(y), c(z));                              \
        return d;                                                                              \
    }
LOCKSTEP_PTX3_(__sad, "sad.s32", unsigned, int, int, unsigned, "r", "r", "r", "r")
LOCKSTEP_PTX3_(__usad, "sad.u32", unsigned, unsigned, unsigned, unsigned, "r", "r", "r", "r")
LOCKSTEP_PTX3_(__dp4a, "dp4a.s32.s32", int, int, int, int, "r", "r", "r", "r")
LOCKSTEP_PTX3_(__dp4a, "dp4a.u32.u32", unsigned, unsigned, unsigned, unsigned, "r", "r", "r", "r")
LOCKSTEP_PTX3_(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int, int, "r", "r", "r", "r")
LOCKSTEP_PTX3_(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int, int, "r", "r", "r", "r")
LOCKSTEP_PTX3_(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, unsigned, unsigned, unsigned, "r", "r", "r", "r")
LOCKSTEP_PTX3_(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, unsigned, unsigned, unsigned, "r", "r", "r", "r")
#define LOCKSTEP_DOT_(name, A, B, T)                                                           \
    LOCKSTEP_FN_ T name(A a, B b, T c)                                                         \
    {                                                                                          \
        return name(*(T *)&a, *(T *)&b, c);                                                    \
    }
LOCKSTEP_DOT_(__dp4a, char4, char4, int)
LOCKSTEP_DOT_(__dp4a, uchar4, uchar4, unsigned)
LOCKSTEP_DOT_(__dp2a_lo, short2, char4, int)
LOCKSTEP_DOT_(__dp2a_hi, short2, char4, int)
LOCKSTEP_DOT_(__dp2a_lo, ushort2, uchar4, unsigned)
LOCKSTEP_DOT_(__dp2a_hi, ushort2, uchar4, unsigned)
#undef LOCKSTEP_DOT_
LOCKSTEP_PTX3_(
    __funnelshift_lc, "shf.l.clamp.b32", unsigned, unsigned, unsigned, unsigned, "r", "r", "r", "r")
LOCKSTEP_PTX3_(
    __funnelshift_rc, "shf.r.clamp.b32", unsigned, unsigned, unsigned, unsigned, "r", "r", "r", "r")
LOCKSTEP_PTX3_(__fns, "fns.b32", unsigned, unsigned, unsigned, int, "r", "r", "r", "r")
#define LOCKSTEP_PTX2_(name, op, T, t)                                                         \
    LOCKSTEP_FN_ T name(T x, T y)                                                              \
    {                                                                                          \
        T d;                                                                                   \
        asm(op " %0, %1, %2;" : "=" t(d) : t(x), t(y));                                        \
        return d;                                                                              \
    }
#define LOCKSTEP_PTX1_(name, op, T, t)                                                         \
    LOCKSTEP_FN_ T name(T x)                                                                   \
    {                                                                                          \
        T d;                                                                                   \
        asm(op " %0, %1;" : "=" t(d) : t(x));                                                  \
        return d;                                                                              \
    }
#define LOCKSTEP_DIRECTED_OF_(f, fma, suffix, type, T, t)                                      \
    LOCKSTEP_PTX3_(fma##_##suffix, "fma." type, T, T, T, T, t, t, t, t)                        \
    LOCKSTEP_PTX2_(__##f##add_##suffix, "add." type, T, t)                                     \
    LOCKSTEP_PTX2_(__##f##sub_##suffix, "sub." type, T, t)                                     \
    LOCKSTEP_PTX2_(__##f##mul_##suffix, "mul." type, T, t)                                     \
    LOCKSTEP_PTX2_(__##f##div_##suffix, "div." type, T, t)                                     \
    LOCKSTEP_PTX1_(__##f##rcp_##suffix, "rcp." type, T, t)                                     \
    LOCKSTEP_PTX1_(__##f##sqrt_##suffix, "sqrt." type, T, t)
#define LOCKSTEP_DIRECTED_(suffix, r)                                                          \
    LOCKSTEP_DIRECTED_OF_(f, __fmaf, suffix, r ".f32", float, "f")                             \
    LOCKSTEP_DIRECTED_OF_(d, __fma, suffix, r ".f64", double, "d")
LOCKSTEP_DIRECTED_(rd, "rm")
LOCKSTEP_DIRECTED_(ru, "rp")
LOCKSTEP_DIRECTED_(rz, "rz")
#undef LOCKSTEP_DIRECTED_
#undef LOCKSTEP_DIRECTED_OF_
#undef LOCKSTEP_PTX1_
#undef LOCKSTEP_PTX2_
#undef LOCKSTEP_PTX3_
LOCKSTEP_HOST_FN_ float fdividef(float a, float b) { return a / b; }
/* These do not flush subnormal floats to zero, whatever -ftz says; nor do the functions that they call. */
LOCKSTEP_FN_ float __fmaf_ieee_rn(float a, float b, float c) { return __fmaf_rn(a, b, c); }
LOCKSTEP_FN_ float __fmaf_ieee_rz(float a, float b, float c) { return __fmaf_rz(a, b, c); }
LOCKSTEP_FN_ float __fmaf_ieee_rd(float a, float b, float c) { return __fmaf_rd(a, b, c); }
LOCKSTEP_FN_ float __fmaf_ieee_ru(float a, float b, float c) { return __fmaf_ru(a, b, c); }
LOCKSTEP_FN_ float __frsqrt_rn(float x) { return (float)(1.0 / __nvvm_sqrt_rn_d(x)); }
LOCKSTEP_FN_ double __dsub_rn(double a, double b) { return __dadd_rn(a, -b); }
LOCKSTEP_FN_ double __fma_rn(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
LOCKSTEP_FN_ double __ddiv_rn(double a, double b) { return a / b; }
LOCKSTEP_FN_ double __drcp_rn(double a) { return 1.0 / a; }
LOCKSTEP_FN_ double __dsqrt_rn(double a) { return __nvvm_sqrt_rn_d(a); }

/* ---- minimum and maximum, with the type in the name ---- */

LOCKSTEP_HOST_FN_ unsigned umin(unsigned a, unsigned b) { return b < a ? b : a; }
LOCKSTEP_HOST_FN_ unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
LOCKSTEP_HOST_FN_ long long llmin(long long a, long long b) { return b < a ? b : a; }
LOCKSTEP_HOST_FN_ long long llmax(long long a, long long b) { return a < b ? b : a; }
LOCKSTEP_HOST_FN_ unsigned long long ullmin(unsigned long long a, unsigned long long b)
{
    return b < a ? b : a;
}
LOCKSTEP_HOST_FN_ unsigned long long ullmax(unsigned long long a, unsigned long long b)
{
    return a < b ? b : a;
}

/* ---- conversions ---- */

LOCKSTEP_FN_ float __ll2float_rn(long long a) { return __nvvm_ll2f_rn(a); }
LOCKSTEP_FN_ float __ull2float_rn(unsigned long long a) { return __nvvm_ull2f_rn(a); }
LOCKSTEP_FN_ double __ll2double_rn(long long a) { return __nvvm_ll2d_rn(a); }
LOCKSTEP_FN_ double __ull2double_rn(unsigned long long a) { return __nvvm_ull2d_rn(a); }
/* In PTX, since clang's builtins that end in rz round to nearest. */
#define LOCKSTEP_CVT_(name, type, R, A, r, a)                                                  \
    LOCKSTEP_FN_ R name(A x)                                                                   \
    {                                                                                          \
        R d;                                                                                   \
        asm("cvt." type " %0, %1;" : "=" r(d) : a(x));                                         \
        return d;                                                                              \
    }
#define LOCKSTEP_DIRECTED_(n, m)                                                               \
    LOCKSTEP_CVT_(__ll2float_##n, m ".f32.s64", float, long long, "f", "l")                    \
    LOCKSTEP_CVT_(__ull2float_##n, m ".f32.u64", float, unsigned long long, "f", "l")          \
    LOCKSTEP_CVT_(__ll2double_##n, m ".f64.s64", double, long long, "d", "l")                  \
    LOCKSTEP_CVT_(__ull2double_##n, m ".f64.u64", double, unsigned long long, "d", "l")        \
    LOCKSTEP_CVT_(__int2float_##n, m ".f32.s32", float, int, "f", "r")                         \
    LOCKSTEP_CVT_(__uint2float_##n, m ".f32.u32", float, unsigned, "f", "r")                   \
    LOCKSTEP_CVT_(__double2float_##n, m ".f32.f64", float, double, "f", "d")
LOCKSTEP_DIRECTED_(rz, "rz")
LOCKSTEP_DIRECTED_(rd, "rm")
LOCKSTEP_DIRECTED_(ru, "rp")
#undef LOCKSTEP_DIRECTED_
#undef LOCKSTEP_CVT_
LOCKSTEP_FN_ double __int2double_rn(int a) { return a; }
LOCKSTEP_FN_ double __uint2double_rn(unsigned a) { return a; }
LOCKSTEP_FN_ int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
LOCKSTEP_FN_ int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
LOCKSTEP_FN_ unsigned __urhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}
LOCKSTEP_FN_ unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }

/* ---- loads and stores with a cache hint, which is ignored; barriers that count ---- */

#define LOCKSTEP_HINTED_(name) template <class T> LOCKSTEP_FN_ T name(const T *p) { return *p; }
LOCKSTEP_HINTED_(__ldca)
LOCKSTEP_HINTED_(__ldcg)
LOCKSTEP_HINTED_(__ldcs)
LOCKSTEP_HINTED_(__ldlu)
template <class T> LOCKSTEP_FN_ T __ldcv(const T *p) { return *(const volatile T *)p; }
#undef LOCKSTEP_HINTED_
#define LOCKSTEP_HINTED_(name) template <class T> LOCKSTEP_FN_ void name(T *p, T v) { *p = v; }
LOCKSTEP_HINTED_(__stwb)
LOCKSTEP_HINTED_(__stcg)
LOCKSTEP_HINTED_(__stcs)
LOCKSTEP_HINTED_(__stwt)
#undef LOCKSTEP_HINTED_
LOCKSTEP_FN_ char __ldg(const char *p) { return (char)__nvvm_ldg_c(p); }
LOCKSTEP_FN_ signed char __ldg(const signed char *p) { return (signed char)__nvvm_ldg_c((const char *)p); }
LOCKSTEP_FN_ short __ldg(const short *p) { return __nvvm_ldg_s(p); }
LOCKSTEP_FN_ unsigned short __ldg(const unsigned short *p) { return __nvvm_ldg_us(p); }
LOCKSTEP_FN_ long __ldg(const long *p) { return __nvvm_ldg_l(p); }
LOCKSTEP_FN_ unsigned long __ldg(const unsigned long *p) { return __nvvm_ldg_ul(p); }
#define LOCKSTEP_LDG_(name, T, n, suffix, ...)                                                 \
    LOCKSTEP_FN_ name __ldg(const name *p)                                                     \
    {                                                                                          \
        typedef T vector __attribute__((ext_vector_type(n)));                                  \
        vector v = __nvvm_ldg_##suffix((const vector *)p);                                     \
        return {__VA_ARGS__};                                                                  \
    }
LOCKSTEP_LDG_(int2, int, 2, i2, v[0], v[1])
LOCKSTEP_LDG_(uint2, unsigned, 2, ui2, v[0], v[1])
LOCKSTEP_LDG_(uint4, unsigned, 4, ui4, v[0], v[1], v[2], v[3])
LOCKSTEP_LDG_(double2, double, 2, d2, v[0], v[1])
LOCKSTEP_LDG_(uchar4, unsigned char, 4, uc4, v[0], v[1], v[2], v[3])
LOCKSTEP_LDG_(char4, char, 4, c4, v[0], v[1], v[2], v[3])
LOCKSTEP_LDG_(char2, char, 2, c2, v[0], v[1])
LOCKSTEP_LDG_(uchar2, unsigned char, 2, uc2, v[0], v[1])
LOCKSTEP_LDG_(short2, short, 2, s2, v[0], v[1])
LOCKSTEP_LDG_(short4, short, 4, s4, v[0], v[1], v[2], v[3])
LOCKSTEP_LDG_(ushort2, unsigned short, 2, us2, v[0], v[1])
LOCKSTEP_LDG_(ushort4, unsigned short, 4, us4, v[0], v[1], v[2], v[3])
LOCKSTEP_LDG_(longlong2, long long, 2, ll2, v[0], v[1])
LOCKSTEP_LDG_(ulonglong2, unsigned long long, 2, ull2, v[0], v[1])
#undef LOCKSTEP_LDG_

/* ---- atomics with the scope of a block or of the whole system: here the same ---- */

#define LOCKSTEP_SCOPED_(name)                                                                 \
    template <class T, class U> LOCKSTEP_FN_ T name##_block(T *p, U v) { return name(p, (T)v); } \
    template <class T, class U> LOCKSTEP_FN_ T name##_system(T *p, U v) { return name(p, (T)v); }
LOCKSTEP_SCOPED_(atomicAdd)
LOCKSTEP_SCOPED_(atomicMin)
LOCKSTEP_SCOPED_(atomicMax)
LOCKSTEP_SCOPED_(atomicAnd)
LOCKSTEP_SCOPED_(atomicOr)
LOCKSTEP_SCOPED_(atomicXor)
LOCKSTEP_SCOPED_(atomicExch)
LOCKSTEP_SCOPED_(atomicSub)
LOCKSTEP_SCOPED_(atomicInc)
LOCKSTEP_SCOPED_(atomicDec)
#undef LOCKSTEP_SCOPED_
template <class T, class U, class V> LOCKSTEP_FN_ T atomicCAS_block(T *p, U compare, V v)
{
    return atomicCAS(p, (T)compare, (T)v);
}
template <class T, class U, class V> LOCKSTEP_FN_ T atomicCAS_system(T *p, U compare, V v)
{
    return atomicCAS(p, (T)compare, (T)v);
}
LOCKSTEP_FN_ unsigned __match_any_sync(unsigned mask, unsigned long long v)
{
    return __match_any_sync(mask, (long long)v);
}
LOCKSTEP_FN_ unsigned __match_any_sync(unsigned mask, long v)
{
    return __match_any_sync(mask, (long long)v);
}
LOCKSTEP_FN_ unsigned __match_any_sync(unsigned mask, unsigned long v)
{
    return __match_any_sync(mask, (long long)v);
}

/* ---- sums and the like over the lanes of a mask ---- */

#define LOCKSTEP_REDUCE_(name, T, expression)                                                  \
    LOCKSTEP_FN_ T __reduce_##name##_sync(unsigned mask, T v)                                  \
    {                                                                                          \
        T all = v;                                                                             \
        int lane = __nvvm_read_ptx_sreg_laneid();                                              \
        for (unsigned left = mask; left; left &= left - 1) {                                   \
            int from = __builtin_ctz(left);                                                    \
            T x = __shfl_sync(mask, v, from);                                                  \
            if (from != lane) all = expression;                                                \
        }                                                                                      \
        return all;                                                                            \
    }
LOCKSTEP_REDUCE_(add, int, all + x)
LOCKSTEP_REDUCE_(add, unsigned, all + x)
LOCKSTEP_REDUCE_(min, int, min(all, x))
LOCKSTEP_REDUCE_(min, unsigned, min(all, x))
LOCKSTEP_REDUCE_(max, int, max(all, x))
LOCKSTEP_REDUCE_(max, unsigned, max(all, x))
LOCKSTEP_REDUCE_(and, unsigned, all & x)
LOCKSTEP_REDUCE_(or, unsigned, all | x)
LOCKSTEP_REDUCE_(xor, unsigned, all ^ x)
#undef LOCKSTEP_REDUCE_
LOCKSTEP_FN_ unsigned __match_all_sync(unsigned mask, unsigned v, int *p)
{
    return __nvvm_match_all_sync_i32p(mask, v, p);
}
LOCKSTEP_FN_ unsigned __match_all_sync(unsigned mask, float v, int *p)
{
    return __match_all_sync(mask, __float_as_int(v), p);
}
LOCKSTEP_FN_ unsigned __match_all_sync(unsigned mask, long long v, int *p)
{
    return (unsigned)__nvvm_match_all_sync_i64p(mask, v, p);
}
LOCKSTEP_FN_ unsigned __match_any_sync(unsigned mask, double v)
{
    return __match_any_sync(mask, __double_as_longlong(v));
}
#define LOCKSTEP_MATCH_(T)                                                                     \
    LOCKSTEP_FN_ unsigned __match_all_sync(unsigned mask, T v, int *p)                         \
    {                                                                                          \
        return __match_all_sync(mask, __builtin_bit_cast(long long, v), p);                    \
    }
LOCKSTEP_MATCH_(unsigned long long)
LOCKSTEP_MATCH_(long)
LOCKSTEP_MATCH_(unsigned long)
LOCKSTEP_MATCH_(double)
#undef LOCKSTEP_MATCH_

/* ---- barriers by number; the space that an address lies in ---- */

LOCKSTEP_FN_ void __barrier_sync(unsigned id) { LOCKSTEP_KEPT_(__nvvm_barrier_sync(id)); }
LOCKSTEP_FN_ void __barrier_sync_count(unsigned id, unsigned threads)
{
    LOCKSTEP_KEPT_(__nvvm_barrier_sync_cnt(id, threads));
}
LOCKSTEP_FN_ unsigned __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
LOCKSTEP_FN_ unsigned __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
LOCKSTEP_FN_ unsigned __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
LOCKSTEP_FN_ unsigned __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
#define LOCKSTEP_SPACE_(name, number)                                                          \
    LOCKSTEP_FN_ size_t __cvta_generic_to_##name(const void *p)                                \
    {                                                                                          \
        return (size_t)(__attribute__((address_space(number))) const void *)p;                 \
    }                                                                                          \
    LOCKSTEP_FN_ void *__cvta_##name##_to_generic(size_t p)                                    \
    {                                                                                          \
        return (void *)(__attribute__((address_space(number))) void *)p;                       \
    }
LOCKSTEP_SPACE_(global, 1)
LOCKSTEP_SPACE_(shared, 3)
LOCKSTEP_SPACE_(constant, 4)
LOCKSTEP_SPACE_(local, 5)
#undef LOCKSTEP_SPACE_

#include "lockstep_simd.h"
#include "lockstep_dpx.h"
#include "lockstep_old.h"

#endif
