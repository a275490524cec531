/* lockstep_mma.h - nvcuda::wmma, products of matrices by a warp's tensor cores: what CUDA's mma.h declares,
 * for clang without the SDK and for nvcc. NVIDIA's own is left out: its PTX, wmma.mma.sync, does not say
 * which lane holds what. A file that has included <mma.h> keeps that.
 *
 *     fragment<matrix_a, 16, 16, 16, half, row_major> a;      load_matrix_sync(a, p, ldm);
 *     fragment<accumulator, 16, 16, 16, float> c;             mma_sync(c, a, b, c);
 *
 * Lanes hold what they hold on GPUs of compute capability 8.0 and later, in the registers of mma.sync (g =
 * lane / 4, t = lane % 4). A product is two mma.sync or more. 8 x 32 x 16 is computed as 32 x 8, transposed.
 * From shared memory, matrices of 16-bit elements are loaded by ldmatrix; from elsewhere, by words, which
 * movmatrix transposes where k is not the fast index. So does NVIDIA's compiler.
 *
 * Source: CUDA C++ Programming Guide, Warp Matrix Functions; PTX ISA, mma; an H200's fragments. */
#ifndef LOCKSTEP_MMA_H
#define LOCKSTEP_MMA_H

#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__ /* a later <mma.h> adds nothing */
#if !defined(__clang__) || defined(__CUDACC_VER_MAJOR__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define LOCKSTEP_MMA_FN_ static __device__ __forceinline__

LOCKSTEP_MMA_FN_ unsigned lockstep_shared_(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
LOCKSTEP_MMA_FN_ unsigned lockstep_lane_()
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
#else
#include "lockstep_async.h"
#include "lockstep_bfloat.h"
#include "lockstep_half.h"
#pragma clang system_header
#define LOCKSTEP_MMA_FN_ LOCKSTEP_FN_

LOCKSTEP_MMA_FN_ unsigned lockstep_lane_() { return __nvvm_read_ptx_sreg_laneid(); }
#endif

#define __CUDA_MMA__

namespace nvcuda {
namespace wmma {

LOCKSTEP_MMA_FN_ float __float_to_tf32(float a)
{
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(a));
    return __uint_as_float(bits);
}

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}

namespace lockstep_ {

template <class A, class B> constexpr bool same = false;
template <class A> constexpr bool same<A, A> = true;
template <class T> constexpr bool is_half = same<T, half> || same<T, __nv_bfloat16>;
template <class T> constexpr bool is_byte = same<T, signed char> || same<T, unsigned char> || same<T, char>;
template <class T> struct stored { using type = T; };
template <> struct stored<precision::tf32> { using type = float; };

LOCKSTEP_MMA_FN_ unsigned g() { return lockstep_lane_() / 4; }
LOCKSTEP_MMA_FN_ unsigned t() { return lockstep_lane_() % 4; }

/* How many elements of a fragment a lane has: its share of the matrix. For A and B of halves it is always 16,
 * of which the first elements may be repeated. */
template <class Use, int m, int n, int k, class T> constexpr int share =
    (same<Use, matrix_a> ? m * k : same<Use, matrix_b> ? n * k : m * n) / 32;
template <class Use, int m, int n, int k, class T> constexpr int elements =
    same<T, half> && !same<Use, accumulator> ? 16 : share<Use, m, n, k, T>;

template <class T> LOCKSTEP_MMA_FN_ unsigned word(const T *x)
{
    unsigned w;
    __builtin_memcpy(&w, x, 4);
    return w;
}
template <class T> LOCKSTEP_MMA_FN_ void set_word(T *x, unsigned w) { __builtin_memcpy(x, &w, 4); }

LOCKSTEP_MMA_FN_ unsigned turned(unsigned a)
{
    unsigned d;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d) : "r"(a));
    return d;
}
template <int count, bool trans> LOCKSTEP_MMA_FN_ void ldmatrix(unsigned r[4], const void *p)
{
    unsigned at = lockstep_shared_(p);
#define LOCKSTEP_LDM_(how)                                                                         \
    if constexpr (count == 4)                                                                      \
        asm volatile("ldmatrix.sync.aligned.m8n8.x4" how ".shared.b16 {%0, %1, %2, %3}, [%4];"     \
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])                              \
                     : "r"(at)                                                                     \
                     : "memory");                                                                  \
    else                                                                                           \
        asm volatile("ldmatrix.sync.aligned.m8n8.x2" how ".shared.b16 {%0, %1}, [%2];"             \
                     : "=r"(r[0]), "=r"(r[1])                                                      \
                     : "r"(at)                                                                     \
                     : "memory");
    if constexpr (trans) { LOCKSTEP_LDM_(".trans") }
    else { LOCKSTEP_LDM_("") }
#undef LOCKSTEP_LDM_
}

/* Load a block of 16-bit elements: 8 or 16 lines (rows of A, columns of B) by 16 of k. Each register is of 8
 * x 8 elements. fast: the next register is of the next 8 lines, otherwise of the next 8 of k. along: elements
 * adjacent in memory are adjacent in k. */
template <int lines, bool fast, bool along, class T>
LOCKSTEP_MMA_FN_ void load_halves(T *x, const T *p, unsigned ldm)
{
    unsigned r[4], lane = lockstep_lane_();
    if (__isShared(p)) {
        unsigned block = lane / 8, line = lines == 8 ? 0 : (fast ? block % 2 : block / 2) * 8,
                 k = (lines == 8 ? block % 2 : fast ? block / 2 : block % 2) * 8, in = lane % 8;
        if (along) ldmatrix<lines / 4, false>(r, p + (line + in) * ldm + k);
        else ldmatrix<lines / 4, true>(r, p + (k + in) * ldm + line);
    } else {
#pragma unroll
        for (int i = 0; i < lines / 4; i++) {
            unsigned line = lines == 8 ? 0 : (fast ? i % 2 : i / 2) * 8,
                     k = (lines == 8 ? i % 2 : fast ? i / 2 : i % 2) * 8;
            if (along) r[i] = word(p + (line + g()) * ldm + k + 2 * t());
            else r[i] = turned(word(p + (k + g()) * ldm + line + 2 * t()));
        }
    }
#pragma unroll
    for (int i = 0; i < lines / 4; i++) set_word(x + 2 * i, r[i]);
}

/* Load elements of another size, one by one. per: number of elements in a register. */
template <int lines, int depth, bool fast, bool along, int per, class T>
LOCKSTEP_MMA_FN_ void load_others(T *x, const T *p, unsigned ldm)
{
    constexpr int line_blocks = lines / 8, k_blocks = depth / (4 * per);
#pragma unroll
    for (int i = 0; i < line_blocks * k_blocks; i++)
#pragma unroll
        for (int e = 0; e < per; e++) {
            unsigned line = (fast ? i % line_blocks : i / k_blocks) * 8 + g(),
                     k = (fast ? i / line_blocks : i % k_blocks) * 4 * per + per * t() + e;
            x[per * i + e] = along ? p[line * ldm + k] : p[k * ldm + line];
        }
}

template <int lines, int depth, bool fast, bool along, class T>
LOCKSTEP_MMA_FN_ void load_factor(T *x, const T *p, unsigned ldm)
{
    constexpr int part = lines < 16 ? lines : 16;
#pragma unroll
    for (int i = 0; i < lines / part; i++) {
        const T *from = p + i * part * (along ? ldm : 1);
        if constexpr (sizeof(T) == 2) load_halves<part, fast, along>(x + i * part / 2, from, ldm);
        else if constexpr (sizeof(T) == 1)
            load_others<part, depth, fast, along, 4>(x + i * part / 2, from, ldm);
        else load_others<part, depth, fast, along, 1>(x + i * part * depth / 32, from, ldm);
    }
}

/* Row and column of element i of an accumulator. */
template <int m, int n> LOCKSTEP_MMA_FN_ void place(int i, unsigned &row, unsigned &column)
{
    unsigned high = g() + 8 * (i >> 1 & 1), low = 2 * t() + (i & 1);
    row = m == 8 && n == 32 ? low : high + (m == 32 ? i / 4 * 16 : 0);
    column = m == 8 && n == 32 ? high + i / 4 * 16 : low + (m == 16 ? i / 4 * 8 : 0);
}

/* D = A B + C for a D of 16 x 8. The elements of A, B and C begin at x, y and z. */
template <class T> LOCKSTEP_MMA_FN_ void product(float *d, const T *x, const T *y, const float *z)
{
#define LOCKSTEP_MMA_(type)                                                                        \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." type "." type ".f32 {%0, %1, %2, %3}, "  \
                 "{%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"                               \
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])                                  \
                 : "r"(word(x)), "r"(word(x + 2)), "r"(word(x + 4)), "r"(word(x + 6)), "r"(word(y)), \
                   "r"(word(y + 2)), "f"(z[0]), "f"(z[1]), "f"(z[2]), "f"(z[3]))
    if constexpr (same<T, half>) LOCKSTEP_MMA_("f16");
    else LOCKSTEP_MMA_("bf16");
#undef LOCKSTEP_MMA_
}
LOCKSTEP_MMA_FN_ void product(half *d, const half *x, const half *y, const half *z)
{
    unsigned r[2];
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, "
                 "{%8, %9};"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(word(x)), "r"(word(x + 2)), "r"(word(x + 4)), "r"(word(x + 6)), "r"(word(y)),
                   "r"(word(y + 2)), "r"(word(z)), "r"(word(z + 2)));
    set_word(d, r[0]), set_word(d + 2, r[1]);
}
/* TF32 by two instructions of k = 4, as NVIDIA's compiler does it. */
LOCKSTEP_MMA_FN_ void product(float *d, const float *x, const float *y, const float *z)
{
#pragma unroll
    for (int k = 0; k < 2; k++, z = d)
        asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
                     "{%7, %8, %9, %10};"
                     : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                     : "r"(word(x + 2 * k)), "r"(word(x + 2 * k + 1)), "r"(word(y + k)), "f"(z[0]), "f"(z[1]),
                       "f"(z[2]), "f"(z[3]));
}
template <bool clamp, class T>
LOCKSTEP_MMA_FN_ void product_of_bytes(int *d, const T *x, const T *y, const int *z)
{
#define LOCKSTEP_MMA_(how)                                                                         \
    asm volatile("mma.sync.aligned.m16n8k16.row.col." how ".s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, " \
                 "{%7, %8, %9, %10};"                                                              \
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                  \
                 : "r"(word(x)), "r"(word(x + 4)), "r"(word(y)), "r"(z[0]), "r"(z[1]), "r"(z[2]), "r"(z[3]))
    if constexpr (same<T, unsigned char>) {
        if constexpr (clamp) LOCKSTEP_MMA_("satfinite.s32.u8.u8");
        else LOCKSTEP_MMA_("s32.u8.u8");
    } else {
        if constexpr (clamp) LOCKSTEP_MMA_("satfinite.s32.s8.s8");
        else LOCKSTEP_MMA_("s32.s8.s8");
    }
#undef LOCKSTEP_MMA_
}
}

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment {
    static_assert(
        (k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32)) &&
            (lockstep_::is_half<T> || lockstep_::is_byte<T> || lockstep_::same<Use, accumulator>)) ||
            (m == 16 && n == 16 && k == 8 && sizeof(typename lockstep_::stored<T>::type) == 4) ||
            (m == 8 && n == 8 && k == 4 && lockstep_::same<T, double>),
        "wmma is supported for 16x16x16, 32x8x16 and 8x32x16 of half, bfloat16 and 8-bit integers, 16x16x8 "
        "of TF32 and 8x8x4 of doubles");

public:
    using element_type = T;
    using storage_element_type = typename lockstep_::stored<T>::type;
    static constexpr int num_elements = lockstep_::elements<Use, m, n, k, T>;
    static constexpr int num_storage_elements = num_elements;
    storage_element_type x[num_elements];
};

template <class Use, int m, int n, int k, class T, class Layout, class V>
LOCKSTEP_MMA_FN_ void fill_fragment(fragment<Use, m, n, k, T, Layout> &f, const V &v)
{
#pragma unroll
    for (int i = 0; i < f.num_elements; i++) f.x[i] = (typename lockstep_::stored<T>::type)v;
}

template <int m, int n, int k, class T, class Layout, class V>
LOCKSTEP_MMA_FN_ void load_matrix_sync(fragment<matrix_a, m, n, k, T, Layout> &f, const V *p, unsigned ldm)
{
    using S = typename lockstep_::stored<T>::type;
    constexpr int own = lockstep_::share<matrix_a, m, n, k, T>;
    lockstep_::load_factor<m, k, m != 8, lockstep_::same<Layout, row_major>>(f.x, (const S *)p, ldm);
#pragma unroll
    for (int i = own; i < f.num_elements; i++) f.x[i] = f.x[i % own];
}
template <int m, int n, int k, class T, class Layout, class V>
LOCKSTEP_MMA_FN_ void load_matrix_sync(fragment<matrix_b, m, n, k, T, Layout> &f, const V *p, unsigned ldm)
{
    using S = typename lockstep_::stored<T>::type;
    constexpr int own = lockstep_::share<matrix_b, m, n, k, T>;
    lockstep_::load_factor<n, k, n == 32, lockstep_::same<Layout, col_major>>(f.x, (const S *)p, ldm);
#pragma unroll
    for (int i = own; i < f.num_elements; i++) f.x[i] = f.x[i % own];
}
namespace lockstep_ {
/* Two adjacent elements, which one instruction accesses. */
template <class T> struct __align__(2 * sizeof(T)) two { T first, second; };
template <int m, int n> LOCKSTEP_MMA_FN_ bool neighbours(layout_t layout)
{
    return (layout == mem_row_major) != (m == 8 && n == 32);
}
}

template <int m, int n, int k, class T>
LOCKSTEP_MMA_FN_ void load_matrix_sync(
    fragment<accumulator, m, n, k, T> &f, const T *p, unsigned ldm, layout_t layout)
{
    unsigned row, column;
#pragma unroll
    for (int i = 0; i < f.num_elements; i += 2) {
        lockstep_::place<m, n>(i, row, column);
        unsigned at = layout == mem_row_major ? row * ldm + column : column * ldm + row;
        if (lockstep_::neighbours<m, n>(layout)) {
            const lockstep_::two<T> *both = (const lockstep_::two<T> *)(p + at);
            f.x[i] = both->first, f.x[i + 1] = both->second;
        } else {
            f.x[i] = p[at], f.x[i + 1] = p[at + ldm];
        }
    }
}
template <int m, int n, int k, class T>
LOCKSTEP_MMA_FN_ void store_matrix_sync(
    T *p, const fragment<accumulator, m, n, k, T> &f, unsigned ldm, layout_t layout)
{
    unsigned row, column;
#pragma unroll
    for (int i = 0; i < f.num_elements; i += 2) {
        lockstep_::place<m, n>(i, row, column);
        unsigned at = layout == mem_row_major ? row * ldm + column : column * ldm + row;
        if (lockstep_::neighbours<m, n>(layout)) {
            lockstep_::two<T> *both = (lockstep_::two<T> *)(p + at);
            both->first = f.x[i], both->second = f.x[i + 1];
        } else {
            p[at] = f.x[i], p[at + ldm] = f.x[i + 1];
        }
    }
}

namespace lockstep_ {
/* Call part(i, x, y) for each part of a product; x and y: its elements of A and B, or of B and A if the
 * product is transposed. */
template <int m, int n, int parts, class T, class Product>
LOCKSTEP_MMA_FN_ void each(const T *a, const T *b, int a_step, int b_step, Product part)
{
#pragma unroll
    for (int i = 0; i < parts; i++)
        if constexpr (m == 8) part(i, b + i * a_step, a);
        else if constexpr (m == 32) part(i, a + i * a_step, b);
        else part(i, a, b + i * b_step);
}
}

/* D = A B + C. satf clamps sums of integers. */
template <int m, int n, int k, class T, class LayoutA, class LayoutB, class C>
LOCKSTEP_MMA_FN_ void mma_sync(fragment<accumulator, m, n, k, C> &d,
    const fragment<matrix_a, m, n, k, T, LayoutA> &a, const fragment<matrix_b, m, n, k, T, LayoutB> &b,
    const fragment<accumulator, m, n, k, C> &c, bool satf = false)
{
    using S = typename lockstep_::stored<T>::type;
    if constexpr (sizeof(S) == 8) {
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
                     : "=d"(d.x[0]), "=d"(d.x[1])
                     : "d"(a.x[0]), "d"(b.x[0]), "d"(c.x[0]), "d"(c.x[1]));
    } else if constexpr (lockstep_::is_byte<T>) {
        lockstep_::each<m, n, 2>(a.x, b.x, 8, 4, [&](int i, const S *x, const S *y) {
            if (satf) lockstep_::product_of_bytes<true>(d.x + 4 * i, x, y, c.x + 4 * i);
            else lockstep_::product_of_bytes<false>(d.x + 4 * i, x, y, c.x + 4 * i);
        });
    } else {
        constexpr int b_step = lockstep_::is_half<T> ? 4 : 2;
        lockstep_::each<m, n, 2>(a.x, b.x, 8, b_step,
            [&](int i, const S *x, const S *y) { lockstep_::product(d.x + 4 * i, x, y, c.x + 4 * i); });
    }
}
}
}

#undef LOCKSTEP_MMA_FN_
#endif
#endif
