// matmul: c = a b (m x k, k x n), all multiples of 32, tiles of both in shared memory, the inner loop unrolled
#include "lockstep.h"

#define TILE 32
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < k; t += TILE) {
        a_tile[y][x] = a[row * k + t + x];
        b_tile[y][x] = b[(t + y) * n + col];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++)
            sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    if (row < m)
        c[row * n + col] = sum;
}
