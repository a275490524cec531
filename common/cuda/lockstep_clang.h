/* lockstep_clang.h - what CUDA's own headers declare and kernels commonly use, for clang without the SDK.
 *
 * Threads and blocks come from clang's __clang_cuda_builtin_vars.h; __syncthreads and the like are builtins.
 * A float4 is one 16-byte access, as with nvcc. But float4 v = *(float4 *)&tile[i][j], where tile is an
 * array of floats, is four loads: clang takes the alignment of what it sees declared. ptxas merges them
 * where it can follow the address. An assignment, v = *(float4 *)&tile[i][j], is one access.
 *
 * Source: CUDA C++ Programming Guide, C++ language extensions; CUDA Math API. Functions such as expf and pow:
 * lockstep_math.h, lockstep_math_double.h, lockstep_cmath.h; what few use: lockstep_more.h; half precision:
 * lockstep_half.h.
 */
#ifndef LOCKSTEP_CLANG_H
#define LOCKSTEP_CLANG_H

#pragma clang system_header /* as host headers are: then a function that both declare is no error */

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#ifdef __NVCC__ // a whole program: as with nvcc, shared memory that only its own thread reads is kept
#define __shared__ __attribute__((shared, annotate("kept")))
#else
#define __shared__ __attribute__((shared))
#endif
#define __constant__ __attribute__((constant))
#if __clang_major__ < 15 /* later a keyword */
#define __noinline__ __attribute__((noinline))
#endif
#define __forceinline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

#include <__clang_cuda_builtin_vars.h>

typedef __SIZE_TYPE__ size_t;
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")

/* Implemented by the simulator, and by a GPU's driver. */
extern "C" __device__ int printf(const char *, ...);

/* Functions without debug information: their instructions are attributed to the line of the call. */
#define LOCKSTEP_MEMBER_ __device__ __attribute__((always_inline, nodebug))
#define LOCKSTEP_FN_ static inline LOCKSTEP_MEMBER_ __attribute__((unused))
/* The same for functions that host code may call, too. */
#define LOCKSTEP_BOTH_ __host__ __device__ __attribute__((always_inline, nodebug))
#define LOCKSTEP_HOST_FN_ static inline LOCKSTEP_BOTH_ __attribute__((unused))

/* ---- vectors: 2 and 4 elements are aligned to their size, 16 bytes at most; 3 as one element ----
 * Vectors are assigned element by element, which clang combines into one wide access; a copy of bytes would
 * become two narrower ones. clang gives the wide access the line of the instruction after the last element:
 * here an empty asm, which has the line of the assignment. */

#define LOCKSTEP_VECTOR_(T, name, align2, align4)                                              \
    struct __align__(align2) name##2 {                                                         \
        T x, y;                                                                                \
        LOCKSTEP_BOTH_ name##2 &operator=(const name##2 &v)                                      \
        {                                                                                      \
            x = v.x, y = v.y;                                                                  \
            asm volatile("");                                                                  \
            return *this;                                                                      \
        }                                                                                      \
    };                                                                                         \
    struct name##3 { T x, y, z; };                                                             \
    struct __align__(align4) name##4 {                                                         \
        T x, y, z, w;                                                                          \
        LOCKSTEP_BOTH_ name##4 &operator=(const name##4 &v)                                      \
        {                                                                                      \
            x = v.x, y = v.y, z = v.z, w = v.w;                                                \
            asm volatile("");                                                                  \
            return *this;                                                                      \
        }                                                                                      \
    };                                                                                         \
    struct name##1 { T x; };                                                                   \
    LOCKSTEP_HOST_FN_ name##1 make_##name##1(T x) { return {x}; }                              \
    LOCKSTEP_HOST_FN_ name##2 make_##name##2(T x, T y) { return {x, y}; }                      \
    LOCKSTEP_HOST_FN_ name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }              \
    LOCKSTEP_HOST_FN_ name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
LOCKSTEP_VECTOR_(signed char, char, 2, 4)
LOCKSTEP_VECTOR_(unsigned char, uchar, 2, 4)
LOCKSTEP_VECTOR_(short, short, 4, 8)
LOCKSTEP_VECTOR_(unsigned short, ushort, 4, 8)
LOCKSTEP_VECTOR_(int, int, 8, 16)
LOCKSTEP_VECTOR_(unsigned, uint, 8, 16)
LOCKSTEP_VECTOR_(long, long, 16, 16)
LOCKSTEP_VECTOR_(unsigned long, ulong, 16, 16)
LOCKSTEP_VECTOR_(long long, longlong, 16, 16)
LOCKSTEP_VECTOR_(unsigned long long, ulonglong, 16, 16)
LOCKSTEP_VECTOR_(float, float, 8, 16)
LOCKSTEP_VECTOR_(double, double, 16, 16)
#undef LOCKSTEP_VECTOR_

struct dim3 {
    unsigned x, y, z;
    __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};

/* ---- arithmetic ---- */

#define LOCKSTEP_MIN_MAX_(T)                                                                   \
    LOCKSTEP_HOST_FN_ T min(T a, T b) { return b < a ? b : a; }                                \
    LOCKSTEP_HOST_FN_ T max(T a, T b) { return a < b ? b : a; }
LOCKSTEP_MIN_MAX_(int)
LOCKSTEP_MIN_MAX_(unsigned)
LOCKSTEP_MIN_MAX_(long)
LOCKSTEP_MIN_MAX_(unsigned long)
LOCKSTEP_MIN_MAX_(long long)
LOCKSTEP_MIN_MAX_(unsigned long long)
#undef LOCKSTEP_MIN_MAX_
LOCKSTEP_HOST_FN_ unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
LOCKSTEP_HOST_FN_ unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
LOCKSTEP_HOST_FN_ unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
LOCKSTEP_HOST_FN_ unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }

LOCKSTEP_FN_ float fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
LOCKSTEP_FN_ float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
LOCKSTEP_FN_ double fmin(double a, double b) { return __nvvm_fmin_d(a, b); }
LOCKSTEP_FN_ double fmax(double a, double b) { return __nvvm_fmax_d(a, b); }
LOCKSTEP_HOST_FN_ float min(float a, float b) { return __builtin_fminf(a, b); }
LOCKSTEP_HOST_FN_ float max(float a, float b) { return __builtin_fmaxf(a, b); }
LOCKSTEP_HOST_FN_ double min(double a, double b) { return __builtin_fmin(a, b); }
LOCKSTEP_HOST_FN_ double max(double a, double b) { return __builtin_fmax(a, b); }
LOCKSTEP_HOST_FN_ double min(float a, double b) { return __builtin_fmin(a, b); }
LOCKSTEP_HOST_FN_ double min(double a, float b) { return __builtin_fmin(a, b); }
LOCKSTEP_HOST_FN_ double max(float a, double b) { return __builtin_fmax(a, b); }
LOCKSTEP_HOST_FN_ double max(double a, float b) { return __builtin_fmax(a, b); }

LOCKSTEP_FN_ int abs(int a) { return a < 0 ? -a : a; }
LOCKSTEP_FN_ long long llabs(long long a) { return a < 0 ? -a : a; }
LOCKSTEP_FN_ float fabsf(float a) { return __builtin_fabsf(a); }
LOCKSTEP_FN_ double fabs(double a) { return __builtin_fabs(a); }
LOCKSTEP_FN_ float copysignf(float a, float b) { return __builtin_copysignf(a, b); }
LOCKSTEP_FN_ double copysign(double a, double b) { return __builtin_copysign(a, b); }
LOCKSTEP_FN_ float fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
LOCKSTEP_FN_ double fma(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
#if defined(__USE_FAST_MATH__)
LOCKSTEP_FN_ float sqrtf(float a) { return __nvvm_sqrt_approx_ftz_f(a); }
#elif defined(LOCKSTEP_APPROXIMATE_SQRT) // -prec-sqrt=false
LOCKSTEP_FN_ float sqrtf(float a) { return __nvvm_sqrt_approx_f(a); }
#else
LOCKSTEP_FN_ float sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
#endif
LOCKSTEP_FN_ double sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
LOCKSTEP_FN_ float rsqrtf(float a) { return __nvvm_rsqrt_approx_f(a); }
LOCKSTEP_FN_ float floorf(float a) { return __builtin_floorf(a); }
LOCKSTEP_FN_ float ceilf(float a) { return __builtin_ceilf(a); }
LOCKSTEP_FN_ float truncf(float a) { return __builtin_truncf(a); }
LOCKSTEP_FN_ float rintf(float a) { return __builtin_rintf(a); }
LOCKSTEP_FN_ double floor(double a) { return __builtin_floor(a); }
LOCKSTEP_FN_ double ceil(double a) { return __builtin_ceil(a); }
LOCKSTEP_FN_ double trunc(double a) { return __builtin_trunc(a); }
LOCKSTEP_FN_ double rint(double a) { return __builtin_rint(a); }

/* In PTX, since clang's builtins for these become plain operators, which clang may fuse into
 * multiply-adds. */
#define LOCKSTEP_RN_(name, op, T, constraint)                                                  \
    LOCKSTEP_FN_ T name(T a, T b)                                                              \
    {                                                                                          \
        T d;                                                                                   \
        asm(op " %0, %1, %2;" : "=" constraint(d) : constraint(a), constraint(b));             \
        return d;                                                                              \
    }
LOCKSTEP_RN_(__fadd_rn, "add.rn.f32", float, "f")
LOCKSTEP_RN_(__fsub_rn, "sub.rn.f32", float, "f")
LOCKSTEP_RN_(__fmul_rn, "mul.rn.f32", float, "f")
LOCKSTEP_RN_(__dadd_rn, "add.rn.f64", double, "d")
LOCKSTEP_RN_(__dmul_rn, "mul.rn.f64", double, "d")
#undef LOCKSTEP_RN_
LOCKSTEP_FN_ float __fmaf_rn(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
LOCKSTEP_FN_ float __fdiv_rn(float a, float b) { return __nvvm_div_rn_f(a, b); }
LOCKSTEP_FN_ float __frcp_rn(float a) { return __nvvm_rcp_rn_f(a); }
LOCKSTEP_FN_ float __fsqrt_rn(float a) { return __nvvm_sqrt_rn_f(a); }
LOCKSTEP_FN_ float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
LOCKSTEP_FN_ float __saturatef(float a) { return __nvvm_saturate_f(a); }
LOCKSTEP_FN_ float __expf(float a) { return __nvvm_ex2_approx_f(a * 1.4426950408889634f); }
LOCKSTEP_FN_ float __logf(float a) { return __nvvm_lg2_approx_f(a) * 0.6931471805599453f; }
LOCKSTEP_FN_ float __log2f(float a) { return __nvvm_lg2_approx_f(a); }
LOCKSTEP_FN_ float __sinf(float a) { return __nvvm_sin_approx_f(a); }
LOCKSTEP_FN_ float __cosf(float a) { return __nvvm_cos_approx_f(a); }
LOCKSTEP_FN_ float __powf(float a, float b) { return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a)); }

/* ---- integers and bits ---- */

LOCKSTEP_FN_ int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
LOCKSTEP_FN_ unsigned __umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
LOCKSTEP_FN_ long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
LOCKSTEP_FN_ unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return __nvvm_mulhi_ull(a, b);
}
LOCKSTEP_FN_ int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
LOCKSTEP_FN_ unsigned __umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
LOCKSTEP_FN_ int __popc(unsigned a) { return __builtin_popcount(a); }
LOCKSTEP_FN_ int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
LOCKSTEP_FN_ int __clz(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
LOCKSTEP_FN_ int __clzll(long long a) { return a ? __builtin_clzll((unsigned long long)a) : 64; }
LOCKSTEP_FN_ int __ffs(int a) { return __builtin_ffs(a); }
LOCKSTEP_FN_ int __ffsll(long long a) { return __builtin_ffsll(a); }
LOCKSTEP_FN_ unsigned __brev(unsigned a) { return __builtin_bitreverse32(a); }
LOCKSTEP_FN_ unsigned long long __brevll(unsigned long long a) { return __builtin_bitreverse64(a); }
LOCKSTEP_FN_ unsigned __byte_perm(unsigned a, unsigned b, unsigned select)
{
    return __nvvm_prmt(a, b, select);
}
LOCKSTEP_FN_ unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n)
{
    unsigned d;
    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(low), "r"(high), "r"(n));
    return d;
}
LOCKSTEP_FN_ unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n)
{
    unsigned d;
    asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(low), "r"(high), "r"(n));
    return d;
}

/* ---- conversions: n to nearest, z toward zero, d down, u up; PTX says m and p for the last two ---- */

#define LOCKSTEP_ROUNDED_(n, m)                                                                \
    LOCKSTEP_FN_ int __float2int_r##n(float a) { return __nvvm_f2i_r##m(a); }                  \
    LOCKSTEP_FN_ unsigned __float2uint_r##n(float a) { return __nvvm_f2ui_r##m(a); }           \
    LOCKSTEP_FN_ long long __float2ll_r##n(float a) { return __nvvm_f2ll_r##m(a); }            \
    LOCKSTEP_FN_ unsigned long long __float2ull_r##n(float a) { return __nvvm_f2ull_r##m(a); } \
    LOCKSTEP_FN_ int __double2int_r##n(double a) { return __nvvm_d2i_r##m(a); }                \
    LOCKSTEP_FN_ unsigned __double2uint_r##n(double a) { return __nvvm_d2ui_r##m(a); }         \
    LOCKSTEP_FN_ long long __double2ll_r##n(double a) { return __nvvm_d2ll_r##m(a); }          \
    LOCKSTEP_FN_ unsigned long long __double2ull_r##n(double a) { return __nvvm_d2ull_r##m(a); }
LOCKSTEP_ROUNDED_(n, n)
LOCKSTEP_ROUNDED_(z, z)
LOCKSTEP_ROUNDED_(d, m)
LOCKSTEP_ROUNDED_(u, p)
#undef LOCKSTEP_ROUNDED_
LOCKSTEP_FN_ float __int2float_rn(int a) { return __nvvm_i2f_rn(a); }
LOCKSTEP_FN_ float __uint2float_rn(unsigned a) { return __nvvm_ui2f_rn(a); }
LOCKSTEP_FN_ float __double2float_rn(double a) { return __nvvm_d2f_rn(a); }

LOCKSTEP_FN_ float __int_as_float(int a) { return __builtin_bit_cast(float, a); }
LOCKSTEP_FN_ int __float_as_int(float a) { return __builtin_bit_cast(int, a); }
LOCKSTEP_FN_ float __uint_as_float(unsigned a) { return __builtin_bit_cast(float, a); }
LOCKSTEP_FN_ unsigned __float_as_uint(float a) { return __builtin_bit_cast(unsigned, a); }
LOCKSTEP_FN_ double __longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }
LOCKSTEP_FN_ long long __double_as_longlong(double a) { return __builtin_bit_cast(long long, a); }
LOCKSTEP_FN_ int __double2hiint(double a) { return (int)(__builtin_bit_cast(unsigned long long, a) >> 32); }
LOCKSTEP_FN_ int __double2loint(double a) { return (int)__builtin_bit_cast(unsigned long long, a); }
LOCKSTEP_FN_ double __hiloint2double(int high, int low)
{
    return __builtin_bit_cast(double, (unsigned long long)(unsigned)high << 32 | (unsigned)low);
}

/* ---- the read-only path ---- */

LOCKSTEP_FN_ int __ldg(const int *p) { return __nvvm_ldg_i(p); }
LOCKSTEP_FN_ unsigned __ldg(const unsigned *p) { return __nvvm_ldg_ui(p); }
LOCKSTEP_FN_ long long __ldg(const long long *p) { return __nvvm_ldg_ll(p); }
LOCKSTEP_FN_ unsigned long long __ldg(const unsigned long long *p) { return __nvvm_ldg_ull(p); }
LOCKSTEP_FN_ float __ldg(const float *p) { return __nvvm_ldg_f(p); }
LOCKSTEP_FN_ double __ldg(const double *p) { return __nvvm_ldg_d(p); }
LOCKSTEP_FN_ unsigned char __ldg(const unsigned char *p) { return __nvvm_ldg_uc(p); }
LOCKSTEP_FN_ float2 __ldg(const float2 *p)
{
    typedef float vector __attribute__((ext_vector_type(2)));
    vector v = __nvvm_ldg_f2((const vector *)p);
    return {v[0], v[1]};
}
LOCKSTEP_FN_ float4 __ldg(const float4 *p)
{
    typedef float vector __attribute__((ext_vector_type(4)));
    vector v = __nvvm_ldg_f4((const vector *)p);
    return {v[0], v[1], v[2], v[3]};
}
LOCKSTEP_FN_ int4 __ldg(const int4 *p)
{
    typedef int vector __attribute__((ext_vector_type(4)));
    vector v = __nvvm_ldg_i4((const vector *)p);
    return {v[0], v[1], v[2], v[3]};
}

/* ---- shuffles, votes and matches among the lanes of a warp ---- */

/* Values are passed by reference: a lane may pass one that it has not initialized. By value that would be
 * undefined behaviour, and clang would remove the branch that initializes the value in other lanes. */
#define LOCKSTEP_SHUFFLE_AS_(name, operand, T, W)                                              \
    LOCKSTEP_FN_ T name(unsigned mask, const T &v, operand b, int width = 32)                  \
    {                                                                                          \
        return __builtin_bit_cast(T, name(mask, __builtin_bit_cast(W, v), b, width));          \
    }                                                                                          \
    LOCKSTEP_FN_ T name(unsigned mask, const volatile T &v, operand b, int width = 32)         \
    {                                                                                          \
        T x = v;                                                                               \
        return name(mask, x, b, width);                                                        \
    }
#define LOCKSTEP_SHUFFLE_(name, mode, operand, within)                                         \
    LOCKSTEP_FN_ int name(unsigned mask, const int &v, operand b, int width = 32)              \
    {                                                                                          \
        return __nvvm_shfl_sync_##mode##_i32(mask, v, (int)b, (32 - width) << 8 | within);     \
    }                                                                                          \
    LOCKSTEP_FN_ int name(unsigned mask, const volatile int &v, operand b, int width = 32)     \
    {                                                                                          \
        int x = v;                                                                             \
        return name(mask, x, b, width);                                                        \
    }                                                                                          \
    LOCKSTEP_FN_ long long name(unsigned mask, const long long &v, operand b, int width = 32)  \
    {                                                                                          \
        int low = name(mask, (int)v, b, width), high = name(mask, (int)(v >> 32), b, width);   \
        return (long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low);          \
    }                                                                                          \
    LOCKSTEP_SHUFFLE_AS_(name, operand, unsigned, int)                                         \
    LOCKSTEP_SHUFFLE_AS_(name, operand, float, int)                                            \
    LOCKSTEP_SHUFFLE_AS_(name, operand, long, long long)                                       \
    LOCKSTEP_SHUFFLE_AS_(name, operand, unsigned long, long long)                              \
    LOCKSTEP_SHUFFLE_AS_(name, operand, unsigned long long, long long)                         \
    LOCKSTEP_SHUFFLE_AS_(name, operand, double, long long)
LOCKSTEP_SHUFFLE_(__shfl_sync, idx, int, 31)
LOCKSTEP_SHUFFLE_(__shfl_up_sync, up, unsigned, 0)
LOCKSTEP_SHUFFLE_(__shfl_down_sync, down, unsigned, 31)
LOCKSTEP_SHUFFLE_(__shfl_xor_sync, bfly, int, 31)
#undef LOCKSTEP_SHUFFLE_
#undef LOCKSTEP_SHUFFLE_AS_

LOCKSTEP_FN_ int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
LOCKSTEP_FN_ int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
LOCKSTEP_FN_ int __uni_sync(unsigned mask, int p) { return __nvvm_vote_uni_sync(mask, p); }
LOCKSTEP_FN_ unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
LOCKSTEP_FN_ unsigned __match_any_sync(unsigned mask, int v) { return __nvvm_match_any_sync_i32(mask, v); }
LOCKSTEP_FN_ unsigned __match_any_sync(unsigned mask, unsigned v)
{
    return __nvvm_match_any_sync_i32(mask, v);
}
LOCKSTEP_FN_ unsigned __match_any_sync(unsigned mask, float v)
{
    return __nvvm_match_any_sync_i32(mask, __float_as_int(v));
}
/* clang's builtin takes a 64-bit mask, but the PTX instruction has a mask of 32 bits. */
LOCKSTEP_FN_ unsigned __match_any_sync(unsigned mask, long long v)
{
    unsigned same;
    asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(same) : "l"(v), "r"(mask));
    return same;
}
LOCKSTEP_FN_ unsigned __match_all_sync(unsigned mask, int v, int *p)
{
    return __nvvm_match_all_sync_i32p(mask, v, p);
}
LOCKSTEP_FN_ unsigned __activemask()
{
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
LOCKSTEP_FN_ void __syncwarp(unsigned mask = 0xffffffff)
{
    asm volatile("" ::: "memory");
    __nvvm_bar_warp_sync(mask);
    asm volatile("" ::: "memory");
}

/* ---- memory: order and atomics ----
 * clang 14 assumes that barriers and fences do not access a kernel's own shared arrays, and so moves loads
 * of these across them (tests/kernels/kept.cu; LLVM's GlobalsModRef, corrected later). An empty asm that
 * may touch all memory keeps them where they are. */

#define LOCKSTEP_KEPT_(call) \
    __extension__({ asm volatile("" ::: "memory"); call; asm volatile("" ::: "memory"); })
#define __syncthreads() LOCKSTEP_KEPT_(__syncthreads())
#define LOCKSTEP_BARRIER_(name, builtin)          \
    LOCKSTEP_FN_ int __syncthreads_##name(int p)  \
    {                                             \
        int d;                                    \
        LOCKSTEP_KEPT_(d = builtin(p));           \
        return d;                                 \
    }
LOCKSTEP_BARRIER_(count, __nvvm_bar0_popc)
LOCKSTEP_BARRIER_(and, __nvvm_bar0_and)
LOCKSTEP_BARRIER_(or, __nvvm_bar0_or)
LOCKSTEP_FN_ void __threadfence() { LOCKSTEP_KEPT_(__nvvm_membar_gl()); }
LOCKSTEP_FN_ void __threadfence_block() { LOCKSTEP_KEPT_(__nvvm_membar_cta()); }
LOCKSTEP_FN_ void __threadfence_system() { LOCKSTEP_KEPT_(__nvvm_membar_sys()); }

#define LOCKSTEP_ATOMIC_(name, op, T, suffix)                                                  \
    LOCKSTEP_FN_ T atomic##name(T *p, T v) { return (T)__nvvm_atom_##op##_gen_##suffix(p, v); }
LOCKSTEP_ATOMIC_(Add, add, int, i)
LOCKSTEP_ATOMIC_(Add, add, float, f)
LOCKSTEP_ATOMIC_(Min, min, int, i)
LOCKSTEP_ATOMIC_(Min, min, unsigned, ui)
LOCKSTEP_ATOMIC_(Min, min, long long, ll)
LOCKSTEP_ATOMIC_(Min, min, unsigned long long, ull)
LOCKSTEP_ATOMIC_(Max, max, int, i)
LOCKSTEP_ATOMIC_(Max, max, unsigned, ui)
LOCKSTEP_ATOMIC_(Max, max, long long, ll)
LOCKSTEP_ATOMIC_(Max, max, unsigned long long, ull)
LOCKSTEP_ATOMIC_(And, and, int, i)
LOCKSTEP_ATOMIC_(Or, or, int, i)
LOCKSTEP_ATOMIC_(Xor, xor, int, i)
LOCKSTEP_ATOMIC_(Exch, xchg, int, i)
LOCKSTEP_ATOMIC_(Inc, inc, unsigned, ui)
LOCKSTEP_ATOMIC_(Dec, dec, unsigned, ui)
#undef LOCKSTEP_ATOMIC_
/* these differ from the signed ones only in type */
#define LOCKSTEP_ATOMIC_(name, op, T, S, suffix)                                               \
    LOCKSTEP_FN_ T atomic##name(T *p, T v) { return (T)__nvvm_atom_##op##_gen_##suffix((S *)p, (S)v); }
LOCKSTEP_ATOMIC_(Add, add, unsigned, int, i)
LOCKSTEP_ATOMIC_(Add, add, unsigned long long, long long, ll)
LOCKSTEP_ATOMIC_(And, and, unsigned, int, i)
LOCKSTEP_ATOMIC_(And, and, unsigned long long, long long, ll)
LOCKSTEP_ATOMIC_(Or, or, unsigned, int, i)
LOCKSTEP_ATOMIC_(Or, or, unsigned long long, long long, ll)
LOCKSTEP_ATOMIC_(Xor, xor, unsigned, int, i)
LOCKSTEP_ATOMIC_(Xor, xor, unsigned long long, long long, ll)
LOCKSTEP_ATOMIC_(Exch, xchg, unsigned, int, i)
LOCKSTEP_ATOMIC_(Exch, xchg, unsigned long long, long long, ll)
#undef LOCKSTEP_ATOMIC_
LOCKSTEP_FN_ double atomicAdd(double *p, double v) { return __nvvm_atom_add_gen_d(p, v); }
LOCKSTEP_FN_ float atomicExch(float *p, float v)
{
    return __int_as_float(__nvvm_atom_xchg_gen_i((int *)p, __float_as_int(v)));
}
LOCKSTEP_FN_ int atomicSub(int *p, int v) { return atomicAdd(p, -v); }
LOCKSTEP_FN_ unsigned atomicSub(unsigned *p, unsigned v) { return atomicAdd(p, 0u - v); }
LOCKSTEP_FN_ int atomicCAS(int *p, int compare, int v) { return __nvvm_atom_cas_gen_i(p, compare, v); }
LOCKSTEP_FN_ unsigned atomicCAS(unsigned *p, unsigned compare, unsigned v)
{
    return (unsigned)__nvvm_atom_cas_gen_i((int *)p, (int)compare, (int)v);
}
LOCKSTEP_FN_ unsigned long long atomicCAS(
    unsigned long long *p, unsigned long long compare, unsigned long long v)
{
    return (unsigned long long)__nvvm_atom_cas_gen_ll((long long *)p, (long long)compare, (long long)v);
}

#include "lockstep_bits.h"
#ifdef __USE_FAST_MATH__
#include "lockstep_fast.h"
#endif
#include "lockstep_math.h"
#ifdef __USE_FAST_MATH__
#include "lockstep_fast.h"
#endif
#include "lockstep_math_double.h"
#include "lockstep_gamma.h"
#include "lockstep_cmath.h"
#include "lockstep_more.h"

#endif
