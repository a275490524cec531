#include "lockstep.h"

#define TILE 32
LAUNCH(tile_a, BLOCK(TILE, TILE), COVERS(TILE, TILE))

__global__ void tile_a(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;

    __shared__ float ta[TILE][TILE];
    if (row < m && col < k)
        ta[threadIdx.y][threadIdx.x] = a[row * k + col];
    __syncthreads();

    float sum = 0;
    if (row < m && col < n) {
        for (int i = 0; i < k; i++)
            sum += ta[threadIdx.y][i] * b[i * n + col];
        c[row * n + col] = sum;
    }
}
