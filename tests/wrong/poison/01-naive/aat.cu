// Wrong: sums up in c, which holds whatever was there before.
#include "lockstep.h"

LAUNCH(aat, BLOCK(32, 8), COVERS(32, 8))

__global__ void aat(const float *a, float *c, int m, int w)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= m)
        return;
    for (int i = 0; i < w; i++)
        c[row * m + col] += a[row * w + i] * a[col * w + i];
}
