// Both sides share their products; every step for everybody, written out.
#include "lockstep.h"

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

// both rules for all lanes, and a choice; multiplication and addition instead of multiply-adds
__global__ void parity_by_warp(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i];
    for (int s = 0; s < 16; s++) {
        float e = __fadd_rn(__fmul_rn(0.5f, x), 1.0f), o = __fadd_rn(0.25f, -__fmul_rn(0.5f, x));
        x = i & 1 ? o : e;
    }
    out[i] = x;
}
// 32 steps for everybody
__global__ void unequal_by_warp(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i];
    int last = i % 32;
#pragma unroll
    for (int s = 0; s < 32; s++) {
        float y = 0.5f * x + 1.0f;
        x = s <= last ? y : x;
    }
    out[i] = x;
}
