// One output a thread, in both kernels.
#include "lockstep.h"

#define TILE 32
LAUNCH(matmul_column, BLOCK(TILE, TILE), COVERS(TILE, TILE))
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))

static __device__ void one_a_thread(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < k; t += TILE) {
        a_tile[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0;
        b_tile[y][x] = t + y < k && col < n ? b[(t + y) * n + col] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++)
            sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

__global__ void matmul_column(const float *a, const float *b, float *c, int m, int k, int n)
{
    one_a_thread(a, b, c, m, k, n);
}

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    one_a_thread(a, b, c, m, k, n);
}
