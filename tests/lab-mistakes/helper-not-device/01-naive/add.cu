#include "lockstep.h"

LAUNCH(add, BLOCK(256, 1), COVERS(256, 1))

float sum_of(float x, float y)
{
    return x + y;
}

__global__ void add(const float *a, const float *b, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = sum_of(a[i], b[i]);
}
