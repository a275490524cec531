/* lockstep_clang.h - what CUDA's own headers declare, as far as the labs use it, for clang without the SDK.
 *
 * Threads and blocks come from clang's __clang_cuda_builtin_vars.h; __syncthreads and the like are builtins. Vectors
 * are declared so that a float4 is one 16-byte access, as with nvcc.
 */
#ifndef LOCKSTEP_CLANG_H
#define LOCKSTEP_CLANG_H

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
#define __forceinline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

#include <__clang_cuda_builtin_vars.h>

#endif
