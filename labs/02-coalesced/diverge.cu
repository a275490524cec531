// diverge: threads of a warp that take different branches, or make different numbers of steps
//   Given:   parity: 16 steps of one kind for even i, 16 of another for odd i. unequal: 1 + i % 32 steps for
//            element i. n floats, any n; parity and unequal below are correct and slow
//   Example: unequal, in[0] = 4: one step, 0.5 * 4 + 1 -> out[0] = 3
//   Budget:  parity_by_warp: at least 28 active threads an instruction, no divergent branch, and 16
//            multiply-adds an element at most.
//            unequal_by_warp: at most 8 divergent branches a warp, at least 21 active threads an instruction,
//            at most 17 multiply-adds an element and 4 sectors a load request. Threads are active that do
//            work which the solution does too
//   Read:    README.md step 7, slides/02-coalesced.md "Divergence" and "Unequal work"
#include "lockstep.h"

// TODO 1: predict, at n = 1048576, how many executed branches are divergent, that is, the threads of a warp
//     disagree. The launch has 32768 full warps, so write a multiple of 32768. Each execution of a branch in
//     a loop counts.
PREDICT(parity_divergent, UNKNOWN)
PREDICT(unequal_divergent, UNKNOWN)

LAUNCH(parity, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(parity_by_warp, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(unequal, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(unequal_by_warp, BLOCK(256, 1), COVERS(256, 1))

// Given: do not change these four. ROLLED keeps the compiler from unrolling, so that the counts are easy
// to predict.
static __device__ float work(float x, int even)
{
    if (even) {
        ROLLED for (int s = 0; s < 16; s++)
            x = 0.5f * x + 1.0f;
    } else {
        ROLLED for (int s = 0; s < 16; s++)
            x = 0.25f - 0.5f * x;
    }
    return x;
}

static __device__ float steps(float x, int count)
{
    ROLLED for (int s = 0; s < count; s++)
        x = 0.5f * x + 1.0f;
    return x;
}

__global__ void parity(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = work(in[i], i % 2 == 0);
}

__global__ void unequal(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = steps(in[i], 1 + i % 32);
}

__global__ void parity_by_warp(const float *in, float *out, int n)
{
    // TODO 2: compute the same result, but let each warp handle only even or only odd elements. Two warps
    //     share 64 elements. Which element belongs to thread t?
}

__global__ void unequal_by_warp(const float *in, float *out, int n)
{
    // TODO 3: compute the same result, but let the threads of a warp have about the same number of steps.
    //     First find any such order. Then find one in which a warp still uses every byte of the sectors that
    //     it loads.
}
