// pass, fused: 16 steps on each element, with one load and one store
//   Given:   pass, complete: it copies rows x cols floats. A program of 16 kernels, one for each step,
//            would load and store each element as often as 16 of these.
//            fused: 16 steps on n floats, any n. A step is x = 0.5 x + 1 for elements of even index, and
//            x = 0.25 - 0.5 x for those of odd index. A block of 256 threads has 1024 elements.
//   Example: 16 steps from {0, 0}: {1.99997, 0.166664}
//   Budget:  fused, at n = 262144: at most 2048 loads and 2048 stores, counted once per warp, and 4194304
//            multiply-adds
//   Read:    README.md step 9, slides/07-registers.md
#include "lockstep.h"

#define THREADS 256
LAUNCH(pass, BLOCK(32, 8), COVERS(32, 8))
LAUNCH(fused, BLOCK(THREADS, 1), COVERS(4 * THREADS, 1))

// TODO 1: predict: the loads from global memory in all warps of pass, for 512 x 512 floats, and of fused,
//     for as many.
PREDICT(pass_loads, 512 * 512 / 32)
PREDICT(fused_loads, 512 * 512 / 128)

// Given: do not change it.
__global__ void pass(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < cols)
        out[row * cols + col] = in[row * cols + col];
}

static __device__ float4 sixteen(float4 v)
{
#pragma unroll
    for (int s = 0; s < 16; s++) {
        v.x = 0.5f * v.x + 1.0f; // even
        v.y = 0.25f - 0.5f * v.y;
        v.z = 0.5f * v.z + 1.0f; // even
        v.w = 0.25f - 0.5f * v.w;
    }
    return v;
}

__global__ void fused(const float *in, float *out, int n)
{
    const int first = 4 * (blockIdx.x * THREADS + threadIdx.x);
    if (first + 4 <= n) {
        const float4 *src = (const float4 *)in + first;
        float4 *dst = (float4 *)(out + first);
        *dst = sixteen(*src);
    } else {
        for (int e = first; e < n; e++) { // one to three at the very end
            float v = in[e];
            for (int s = 0; s < 16; s++)
                v = e & 1 ? 0.25f - 0.5f * v : 0.5f * v + 1.0f;
            out[e] = v;
        }
    }
}
