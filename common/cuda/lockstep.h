/* lockstep.h - the one header that a kernel file includes. It makes the same file compile
 *
 *     with clang:  no CUDA SDK on the machine; the few things of CUDA C that the labs need are declared here
 *     with nvcc:   everything is NVIDIA's own
 *
 * A kernel file holds __global__ functions and, as data, how they are launched. It has no host code: the kit
 * owns main, the inputs, the launch, the timing and the verdict.
 *
 *     LAUNCH(matmul, BLOCK(32, 8), COVERS(32, 8))
 *         kernel matmul runs with 32 x 8 threads a block, and a block computes 32 x 8 outputs, x by y. The
 *         kit starts as many blocks as cover all outputs; whether x counts rows or columns, the exercise's
 *         contract says.
 *     LAUNCH_SHARED(matmul, BLOCK(16, 16), COVERS(16, 16), 2048)
 *         the same with 2048 bytes of dynamic shared memory a block
 *     ROLLED for (int i = 0; i < 16; i++)
 *         stays a loop, also in the GPU's own code: #pragma unroll 1, which clang 14 does not pass on to
 *         the driver's assembler
 *     LOCKSTEP_TILE
 *         the width of a square tile whose rows one access moves, and which has a thread for each element:
 *         32. On compute capability 1.x half a warp accesses memory and a block has at most 512 threads: 16
 *     PREDICT(offset_1_sectors, 5)
 *         your prediction: a number that the kit compares with what it counts. UNKNOWN until you have one.
 */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#if defined(__clang__) && defined(__CUDA__) && !defined(__CUDACC_VER_MAJOR__)
#include "lockstep_clang.h"
#include "lockstep_special.h"
#endif

#ifdef __clang__
#define ROLLED _Pragma("nounroll")
#else
#define ROLLED _Pragma("unroll 1")
#endif

#define BLOCK(x, y) (x), (y)
#define COVERS(x, y) (x), (y)
#define UNKNOWN (-1)
#ifndef LOCKSTEP_TILE
#define LOCKSTEP_TILE 32
#endif

#if defined(__NVCC__) && !defined(__clang__) && !defined(__CUDA_ARCH__)
/* In a whole program, nvcc's host pass declares the variable without its value, so it cannot be const. */
#define LOCKSTEP_DATA_(name, ...) extern "C" { __constant__ int name[] = {__VA_ARGS__}; }
#else
#define LOCKSTEP_DATA_(name, ...)                                    \
    extern "C" {                                                     \
    extern __constant__ const int name[];                            \
    __constant__ const int name[] = {__VA_ARGS__};                   \
    }
#endif
#define LAUNCH(kernel, ...) LOCKSTEP_DATA_(lockstep_launch_##kernel, __VA_ARGS__, 0)
#define LAUNCH_SHARED(kernel, ...) LOCKSTEP_DATA_(lockstep_launch_##kernel, __VA_ARGS__)
#define PREDICT(name, value) LOCKSTEP_DATA_(lockstep_predict_##name, value)

#endif
