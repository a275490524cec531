// Another way: a choice between results, no branch, and so no warp to regroup.
// (unequal: a warp has 8 columns of 4 rows.)
#include "lockstep.h"

PREDICT(parity_divergent, UNKNOWN)       // each of the 32768 warps diverges once
PREDICT(unequal_divergent, UNKNOWN) // in each iteration but the last, one thread leaves: 31 per warp

LAUNCH(parity, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(parity_by_warp, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(unequal, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(unequal_by_warp, BLOCK(256, 1), COVERS(256, 1))

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

__global__ void parity_by_warp(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float m = i % 2 ? -0.5f : 0.5f, p = i % 2 ? 0.25f : 1;
    if (i >= n) return;
    float x = in[i];
#pragma unroll
    for (int s = 0; s < 16; s++) x = m * x + p;
    out[i] = x;
}
__global__ void unequal(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = steps(in[i], 1 + i % 32);
}

__global__ void unequal_by_warp(const float *in, float *out, int n)
{
    // a block has 256 elements, 8 rows of 32; a warp takes 8 columns of 4 rows
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int i = blockIdx.x * 256 + (warp / 4 * 4 + lane / 8) * 32 + warp % 4 * 8 + lane % 8;
    if (i < n) out[i] = steps(in[i], 1 + i % 32);
}
