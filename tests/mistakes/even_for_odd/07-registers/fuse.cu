// pass: one copy of the floats; fused: 16 steps on each element, with one load and one store
#include "lockstep.h"

#define THREADS 256
LAUNCH(pass, BLOCK(32, 8), COVERS(32, 8))
LAUNCH(fused, BLOCK(THREADS, 1), COVERS(4 * THREADS, 1))

PREDICT(pass_loads, 262144 / 32)   // a load brings 32 floats; 16 passes make 16 times as many
PREDICT(fused_loads, 262144 / 128) // one load brings 128 floats

__global__ void pass(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < cols)
        out[row * cols + col] = in[row * cols + col];
}

static __device__ float even(float x)
{
#pragma unroll
    for (int pass = 0; pass < 16; pass++)
        x = 0.5f * x + 1;
    return x;
}

static __device__ float odd(float x)
{
#pragma unroll
    for (int pass = 0; pass < 16; pass++)
        x = 0.25f - 0.5f * x;
    return x;
}

__global__ void fused(const float *in, float *out, int n)
{
    // A thread has four neighbours, the first of them even: no test of i % 2, and nothing diverges.
    int i = (blockIdx.x * THREADS + threadIdx.x) * 4;
    if (i + 3 < n) {
        float4 v = *(const float4 *)&in[i];
        *(float4 *)&out[i] = make_float4(even(v.x), odd(v.y), even(v.z), even(v.w));
        return;
    }
    for (; i < n; i++) // the last one to three
        out[i] = i % 2 ? odd(in[i]) : even(in[i]);
}
