// One pass, an element a thread.
#include "lockstep.h"

#define THREADS 256
LAUNCH(pass, BLOCK(32, 8), COVERS(32, 8))
LAUNCH(fused, BLOCK(THREADS, 1), COVERS(THREADS, 1))

PREDICT(pass_loads, UNKNOWN)
PREDICT(fused_loads, UNKNOWN)

__global__ void pass(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < cols)
        out[row * cols + col] = in[row * cols + col];
}

__global__ void fused(const float *in, float *out, int n)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    float x = i < n ? in[i] : 0;
    ROLLED for (int pass = 0; pass < 16; pass++)
        x = i % 2 ? 0.25f - 0.5f * x : 0.5f * x + 1;
    if (i < n)
        out[i] = x;
}
