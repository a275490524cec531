// passes, fused: out[i] is 16 steps from in[i], by way of memory and in registers
#include "lockstep.h"

#define THREADS 256
LAUNCH(passes, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(fused, BLOCK(THREADS, 1), COVERS(4 * THREADS, 1))

PREDICT(passes_loads, 16 * 262144 / 32) // 16 passes, a load a warp in each
PREDICT(fused_loads, 262144 / 128)      // one load brings 128 floats

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
        *(float4 *)&out[i] = make_float4(even(v.x), odd(v.y), even(v.z), odd(v.w));
        return;
    }
    for (; i < n; i++) // the last one to three
        out[i] = i % 2 ? odd(in[i]) : even(in[i]);
}
