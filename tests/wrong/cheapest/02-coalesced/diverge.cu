// No branch: each thread does both kinds of work and keeps one result; and each does 32 steps, of which only
// some change its value. Both predictions are wrong: the first says that no warp diverges, the second that
// each of the 32768 warps diverges once.
#include "lockstep.h"

PREDICT(parity_divergent, 0)
PREDICT(unequal_divergent, 32768)

LAUNCH(parity, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(parity_by_warp, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(unequal, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(unequal_by_warp, BLOCK(256, 1), COVERS(256, 1))

static __device__ float both(float x, int even)
{
    float y = x;
    ROLLED for (int s = 0; s < 16; s++) {
        x = 0.5f * x + 1.0f;
        y = 0.25f - 0.5f * y;
    }
    return even ? x : y;
}

static __device__ float masked(float x, int count)
{
    ROLLED for (int s = 0; s < 32; s++) {
        float next = 0.5f * x + 1.0f;
        x = s < count ? next : x;
    }
    return x;
}

__global__ void parity(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = both(in[i], i % 2 == 0);
}

__global__ void parity_by_warp(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = both(in[i], i % 2 == 0);
}

__global__ void unequal(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = masked(in[i], 1 + i % 32);
}

__global__ void unequal_by_warp(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = masked(in[i], 1 + i % 32);
}
