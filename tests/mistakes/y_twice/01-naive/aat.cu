
#include "lockstep.h"

LAUNCH(aat, BLOCK(32, 32), COVERS(32, 32))

__global__ void aat(const float *a, float *c, int m, int w)
{
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= m)
        return;
    float sum = 0;
    for (int i = 0; i < w; i++)
        sum += a[row * w + i] * a[col * w + i];
    c[row * m + col] = sum;
}
