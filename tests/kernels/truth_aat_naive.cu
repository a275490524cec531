// aat: c = a a^T (a is m x w): both factors straight from global memory
#include "lockstep.h"

LAUNCH(aat, BLOCK(32, 32), COVERS(32, 32))

__global__ void aat(const float *a, float *c, int m, int w)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < w; i++)
        sum += a[row * w + i] * a[col * w + i];
    c[row * m + col] = sum;
}
