// The product of lab 02: every product loads from a again.
#include "lockstep.h"

LAUNCH(tile_a, BLOCK(32, 8), COVERS(32, 8)) // a warp is one row of the block: 32 columns of one row

__global__ void tile_a(const float *a, const float *b, float *c, int m, int k, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}
