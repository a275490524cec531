
#include "lockstep.h"

#define TILE 32
LAUNCH(tile_a, BLOCK(TILE, TILE), COVERS(TILE, TILE))

__global__ void tile_a(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;

    if (row < m)
        a_tile[y][x] = a[row * k + x];
    __syncthreads();
    if (row >= m || col >= n)
        return;
    float sum = 0;

    for (int i = 0; i < k; i++)
        sum += a_tile[y][i] * b[i * n + col];
    c[row * n + col] = sum;
}
