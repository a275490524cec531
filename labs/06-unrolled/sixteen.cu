// sixteen: c = a b through tiles of 16 x 16, the sum of sixteen products in three wordings
//   Given:   rolled_16, unrolled_16 and written_16, all complete and correct. a (m x k) and b (k x n),
//            row-major floats, any m, k, n from 1 on; c is m x n. x of the grid runs over the columns of c.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Read:    README.md step 4, slides/06-unrolled.md
#include "lockstep.h"

#define TILE 16
LAUNCH(rolled_16, BLOCK(TILE, TILE), COVERS(TILE, TILE))
LAUNCH(unrolled_16, BLOCK(TILE, TILE), COVERS(TILE, TILE))
LAUNCH(written_16, BLOCK(TILE, TILE), COVERS(TILE, TILE))

// TODO: predict, at m = n = 1024, k = 128, for all 32768 warps. loads: loads from shared memory, each counted
//     once per warp. multiply_adds: fused multiply-adds, each counted once per thread. In the expression of
//     written_16, to what is the first product added?
PREDICT(rolled_16_loads, UNKNOWN)
PREDICT(written_16_loads, UNKNOWN)
PREDICT(unrolled_16_multiply_adds, UNKNOWN)
PREDICT(written_16_multiply_adds, UNKNOWN)

// Given: do not change it.
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

// Given: do not change it.
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

// Given: do not change it. One expression of sixteen products.
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
