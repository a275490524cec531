// The sum is kept in local memory.
#include "lockstep.h"

LAUNCH(aat, BLOCK(32, 8), COVERS(32, 8))

__global__ void aat(const float *a, float *c, int m, int w)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    volatile float sum = 0;
    if (row >= m || col >= m)
        return;
    for (int i = 0; i < w; i++)
        sum = sum + a[row * w + i] * a[col * w + i];
    c[row * m + col] = sum;
}
