#include "lockstep.h"
LAUNCH(add, BLOCK(256, 1), COVERS(256, 1))
// half of the warps of a block do nothing; the others add two pairs each
__global__ void add(const float *a, const float *b, float *out, int n)
{
    int t = threadIdx.x;
    if (t >= 128)
        return;
    for (int i = blockIdx.x * 256 + t; i < n && i < (blockIdx.x + 1) * 256; i += 128)
        out[i] = a[i] + b[i];
}
