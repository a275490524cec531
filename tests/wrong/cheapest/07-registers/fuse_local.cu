// Each step through local memory.
#include "lockstep.h"

#define THREADS 256
LAUNCH(pass, BLOCK(32, 8), COVERS(32, 8))
LAUNCH(fused, BLOCK(THREADS, 1), COVERS(4 * THREADS, 1))

PREDICT(pass_loads, UNKNOWN)   // a load brings 32 floats; 16 passes make 16 times as many
PREDICT(fused_loads, UNKNOWN) // one load brings 128 floats

__global__ void pass(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < cols)
        out[row * cols + col] = in[row * cols + col];
}

// each step goes through local memory
static __device__ float rule(float x, int odd)
{
    volatile float step[1]; step[0] = x;
    for (int s = 0; s < 16; s++) step[0] = odd ? 0.25f - 0.5f * step[0] : 0.5f * step[0] + 1;
    return step[0];
}
__global__ void fused(const float *in, float *out, int n)
{
    int i = (blockIdx.x * THREADS + threadIdx.x) * 4;
    if (i + 3 < n) {
        float4 v = *(const float4 *)&in[i];
        *(float4 *)&out[i] = make_float4(rule(v.x, 0), rule(v.y, 1), rule(v.z, 0), rule(v.w, 1));
        return;
    }
    for (; i < n; i++) out[i] = rule(in[i], i % 2);
}
