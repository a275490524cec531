/* lockstep_tensor.h - the instructions of tensor cores that the labs use, one function each, for clang and
 * for nvcc.
 *
 *     all 32 lanes of a warp hold a part of each matrix; g = lane / 4, t = lane % 4
 *
 *     register   a: 16 x 8             b: 8 x 8              d: 16 x 8
 *     0          row g,     column t       row t,     column g   row g,     column 2 t
 *     1          row g + 8, column t       row t + 4, column g   row g,     column 2 t + 1
 *     2          row g,     column t + 4                         row g + 8, column 2 t
 *     3          row g + 8, column t + 4                         row g + 8, column 2 t + 1
 *
 * Compute capability 8.0 and later. Source: PTX ISA, mma.sync, ldmatrix, cvt. */
#ifndef LOCKSTEP_TENSOR_H
#define LOCKSTEP_TENSOR_H

#include "lockstep.h"

#ifdef LOCKSTEP_FN_
#define LOCKSTEP_TENSOR_FN_ LOCKSTEP_FN_
#define LOCKSTEP_TENSOR_AT_(p) ((unsigned)(size_t)(__attribute__((address_space(3))) const void *)(p))
#else
#define LOCKSTEP_TENSOR_FN_ static __device__ __forceinline__
#define LOCKSTEP_TENSOR_AT_(p) ((unsigned)__cvta_generic_to_shared(p))
#endif

/* The bits of x, rounded to the nearest number with the 10 fraction bits of TF32. */
LOCKSTEP_TENSOR_FN_ unsigned to_tf32(float x)
{
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return bits;
}

/* d += a b. */
LOCKSTEP_TENSOR_FN_ void mma_tf32(float d[4], const unsigned a[4], const unsigned b[2])
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                 "{%8, %9}, {%10, %11, %12, %13};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(d[0]), "f"(d[1]),
                   "f"(d[2]), "f"(d[3]));
}

/* Two halves in a register, low in the lower half: each is rounded to the nearest number with 5 exponent bits
 * and 10 fraction bits. A magnitude of 65520 or more becomes infinite. */
LOCKSTEP_TENSOR_FN_ unsigned to_halves(float low, float high)
{
    unsigned bits;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
    return bits;
}

/* d += a b, where a is 16 x 16 halves and b is 16 x 8: each register holds two, next to each other along k.
 *
 *     register   a: rows and columns                    b: rows and columns
 *     0          row g,     columns 2 t, 2 t + 1        rows 2 t, 2 t + 1,     column g
 *     1          row g + 8, columns 2 t, 2 t + 1        rows 2 t + 8, 2 t + 9, column g
 *     2          row g,     columns 2 t + 8, 2 t + 9
 *     3          row g + 8, columns 2 t + 8, 2 t + 9    d: as above */
LOCKSTEP_TENSOR_FN_ void mma_half(float d[4], const unsigned a[4], const unsigned b[2])
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
                 "{%8, %9}, {%10, %11, %12, %13};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(d[0]), "f"(d[1]),
                   "f"(d[2]), "f"(d[3]));
}

/* Four matrices of 8 rows of 4 floats from shared memory. Lane l passes the address of row l % 8 of matrix
 * l / 8, a multiple of 16 bytes; x[i] becomes the float of matrix i in row g, column t. In place of a float
 * there may be two halves: __float_as_uint(x[i]) is the register. */
LOCKSTEP_TENSOR_FN_ void ldmatrix(float x[4], const float *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=f"(x[0]), "=f"(x[1]), "=f"(x[2]), "=f"(x[3])
                 : "r"(LOCKSTEP_TENSOR_AT_(row))
                 : "memory");
}

#undef LOCKSTEP_TENSOR_FN_
#undef LOCKSTEP_TENSOR_AT_
#endif
