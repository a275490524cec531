// An output a thread, by multiply-adds.
#include "lockstep.h"

LAUNCH(fragment, BLOCK(32, 8), COVERS(32, 8))

PREDICT(products, UNKNOWN)
PREDICT(load_sectors, UNKNOWN)
PREDICT(store_sectors, UNKNOWN)

__global__ void fragment(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}
