// int where the solution has unsigned, so / and % take more instructions. Each thread has the element that it has
// in the solution.
#include "lockstep.h"

PREDICT(parity_divergent, 32768)
PREDICT(unequal_divergent, 31 * 32768)

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
    int t = blockIdx.x * blockDim.x + threadIdx.x, odd = t / 32 % 2;
    int i = t / 64 * 64 + t % 32 * 2 + odd;
    if (i < n)
        out[i] = work(in[i], !odd);
}

__global__ void unequal(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = steps(in[i], 1 + i % 32);
}

__global__ void unequal_by_warp(const float *in, float *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int i = t / 128 * 128 + t % 32 / 8 * 32 + t / 32 % 4 * 8 + t % 8;
    if (i < n)
        out[i] = steps(in[i], 1 + i % 32);
}
