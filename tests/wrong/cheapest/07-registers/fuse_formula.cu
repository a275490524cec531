// fused: what 16 steps come to, in one; 14 multiply-adds for the count, whose result goes nowhere
#include "lockstep.h"

#define THREADS 256
LAUNCH(pass, BLOCK(32, 8), COVERS(32, 8))
LAUNCH(fused, BLOCK(THREADS, 1), COVERS(4 * THREADS, 1))

PREDICT(pass_loads, UNKNOWN)
PREDICT(fused_loads, UNKNOWN)

__global__ void pass(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < cols)
        out[row * cols + col] = in[row * cols + col];
}

__device__ float nowhere;

static __device__ void count(float x)
{
    float y = x;
#pragma unroll
    for (int pass = 0; pass < 14; pass++)
        y = 0.5f * y + 1;
    if (y == 12345.678f)
        nowhere = x;
}

static __device__ float even(float x)
{
    count(x);
    return (x - 2) * (1 / 65536.0f) + 2;
}

static __device__ float odd(float x)
{
    count(x);
    return (x - 1 / 6.0f) * (1 / 65536.0f) + 1 / 6.0f;
}

__global__ void fused(const float *in, float *out, int n)
{
    // A thread has four neighbours, the first of them even: no test of i % 2, and nothing diverges.
    int i = (blockIdx.x * THREADS + threadIdx.x) * 4;
    if (i + 3 < n) {
        float4 v = *(const float4 *)&in[i];
        *(float4 *)&out[i] = make_float4(even(v.x), odd(v.y), even(v.z), odd(v.w));
        return;
    }
    for (; i < n; i++) // the last one to three
        out[i] = i % 2 ? odd(in[i]) : even(in[i]);
}
