// No element is given to another lane: two steps become one multiply-add, whose factors the parity chooses, and count
// steps become one, 8 times.
#include "lockstep.h"

PREDICT(parity_divergent, UNKNOWN)
PREDICT(unequal_divergent, UNKNOWN)
LAUNCH(parity, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(parity_by_warp, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(unequal, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(unequal_by_warp, BLOCK(256, 1), COVERS(256, 1))

static __device__ float steps(float x, int count, float factor, float add)
{
    ROLLED for (int s = 0; s < count; s++) x = factor * x + add;
    return x;
}

__global__ void parity(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (i % 2 == 0)
        out[i] = steps(in[i], 16, 0.5f, 1);
    else
        out[i] = steps(in[i], 16, -0.5f, 0.25f);
}

__global__ void parity_by_warp(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = steps(in[i], 8, 0.25f, i % 2 ? 0.125f : 1.5f);
}

__global__ void unequal(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = steps(in[i], 1 + i % 32, 0.5f, 1);
}

__global__ void unequal_by_warp(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int count = 1 + i % 32;
    float many = __int_as_float((127 - count / 8) << 23), rest = __int_as_float((127 - count % 8) << 23);
    float x = steps(in[i], 8, many, 2 - 2 * many);
    out[i] = rest * x + (2 - 2 * rest);
}
