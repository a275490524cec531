// matmul: c = a b through shared tiles, the inner product unrolled
#include "lockstep.h"

#define TILE 32
LAUNCH(matmul_rolled, BLOCK(TILE, TILE), COVERS(TILE, TILE))
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))

PREDICT(rolled_loads, 32768 * 128 * 2)
PREDICT(unrolled_loads, 32768 * (128 + 128 / 4))

__global__ void matmul_rolled(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < k; t += TILE) {
        a_tile[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0;
        b_tile[y][x] = t + y < k && col < n ? b[(t + y) * n + col] : 0;
        __syncthreads();
        ROLLED for (int i = 0; i < TILE; i++)
            sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float result = 0;
    for (int base = 0; base < k; base += TILE) {
        as[ty][tx] = row < m && base + tx < k ? a[row * k + base + tx] : 0;
        bs[ty][tx] = base + ty < k && col < n ? b[(base + ty) * n + col] : 0;
        __syncthreads();
#pragma unroll 4
        for (int j = 0; j < TILE; j++)
            result += as[ty][j] * bs[j][tx];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = result;
}
