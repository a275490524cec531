// One pass, an element a thread.
#include "lockstep.h"

#define THREADS 256
LAUNCH(passes, BLOCK(THREADS, 1), COVERS(THREADS, 1))
LAUNCH(fused, BLOCK(THREADS, 1), COVERS(THREADS, 1))

PREDICT(passes_loads, UNKNOWN)
PREDICT(fused_loads, UNKNOWN)

// Given: do not change it. volatile: every access happens.
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

__global__ void fused(const float *in, float *out, int n)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    float x = i < n ? in[i] : 0;
    ROLLED for (int pass = 0; pass < 16; pass++)
        x = i % 2 ? 0.25f - 0.5f * x : 0.5f * x + 1;
    if (i < n)
        out[i] = x;
}
