// passes, fused: 16 steps on each element, by way of memory and in registers
//   Given:   passes, complete: it stores each element after each step, and loads it for the next, as 16
//            kernels one after another would. in: n floats, any n. A step is x = 0.5 x + 1 for elements of
//            even index, and x = 0.25 - 0.5 x for those of odd index.
//            fused: the same result. A block of 256 threads has 1024 elements.
//   Example: 16 steps from {0, 0}: {1.99997, 0.166664}
//   Budget:  fused, at n = 262144: at most 2048 loads and 2048 stores, counted once per warp, and 4194304
//            multiply-adds
//   Read:    README.md step 9, slides/07-registers.md
#include "lockstep.h"

#define THREADS 256
LAUNCH(passes, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(fused, BLOCK(THREADS, 1), COVERS(4 * THREADS, 1))

// TODO 1: predict, at n = 262144: the loads from global memory in all warps of passes, and of fused.
PREDICT(passes_loads, UNKNOWN)
PREDICT(fused_loads, UNKNOWN)

// Given: do not change it. volatile: every access happens.
__global__ void passes(const float *in, float *out, int n)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    volatile float *result = out;
    result[i] = i % 2 ? 0.25f - 0.5f * in[i] : 0.5f * in[i] + 1;
    ROLLED for (int pass = 1; pass < 16; pass++)
        result[i] = i % 2 ? 0.25f - 0.5f * result[i] : 0.5f * result[i] + 1;
}

__global__ void fused(const float *in, float *out, int n)
{
    // TODO 2: each thread loads four neighbours as a float4, makes all 16 steps in registers, and stores a
    //     float4. Which of the four are of even index? The last thread may have fewer than four.
}
