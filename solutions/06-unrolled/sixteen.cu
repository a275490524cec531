// sixteen: a loop written out costs the same loads as one that the compiler unrolls, but other arithmetic
#include "lockstep.h"

#define TILE 16
LAUNCH(rolled_16, BLOCK(TILE, TILE), COVERS(TILE, TILE))
LAUNCH(unrolled_16, BLOCK(TILE, TILE), COVERS(TILE, TILE))
LAUNCH(written_16, BLOCK(TILE, TILE), COVERS(TILE, TILE))

PREDICT(rolled_16_loads, 2 * 128 * 32768)            // two for each of 128 k, in each of 32768 warps
PREDICT(written_16_loads, 128 * 32768 + 32 * 32768)  // one load of a_tile for each four k
PREDICT(unrolled_16_multiply_adds, 128 * 1024 * 1024)
PREDICT(written_16_multiply_adds, 120 * 1024 * 1024) // of 16 products the first is a multiplication alone

__global__ void rolled_16(const float *a, const float *b, float *c, int m, int k, int n)
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

__global__ void unrolled_16(const float *a, const float *b, float *c, int m, int k, int n)
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

// One expression of sixteen products.
__global__ void written_16(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < k; t += TILE) {
        a_tile[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0;
        b_tile[y][x] = t + y < k && col < n ? b[(t + y) * n + col] : 0;
        __syncthreads();
        sum += a_tile[y][0] * b_tile[0][x] + a_tile[y][1] * b_tile[1][x] +
               a_tile[y][2] * b_tile[2][x] + a_tile[y][3] * b_tile[3][x] +
               a_tile[y][4] * b_tile[4][x] + a_tile[y][5] * b_tile[5][x] +
               a_tile[y][6] * b_tile[6][x] + a_tile[y][7] * b_tile[7][x] +
               a_tile[y][8] * b_tile[8][x] + a_tile[y][9] * b_tile[9][x] +
               a_tile[y][10] * b_tile[10][x] + a_tile[y][11] * b_tile[11][x] +
               a_tile[y][12] * b_tile[12][x] + a_tile[y][13] * b_tile[13][x] +
               a_tile[y][14] * b_tile[14][x] + a_tile[y][15] * b_tile[15][x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
