// add: the grid is rounded up to whole blocks, so the last block may have threads without an element.
#include "lockstep.h"

LAUNCH(add, BLOCK(256, 1), COVERS(256, 1))

__global__ void add(const float *a, const float *b, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n);
        out[i] = a[i] + b[i];
}
