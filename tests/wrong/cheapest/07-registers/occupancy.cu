// The product of the full multiprocessor, emptied by shared memory that nobody uses.
#include "lockstep.h"

#define SIDE 16 // of a tile of `one`
#define SHARED (44 * 1024)
#define OUTPUTS 14 // of a thread of `large`
LAUNCH(full, BLOCK(SIDE, SIDE), COVERS(SIDE, SIDE))
LAUNCH_SHARED(reserved, BLOCK(SIDE, SIDE), COVERS(SIDE, SIDE), SHARED)
LAUNCH(one_warp, BLOCK(32, 1), COVERS(32, 1))
LAUNCH(large, BLOCK(32, 32), COVERS(32, 32 * OUTPUTS))
LAUNCH_SHARED(few, BLOCK(SIDE, SIDE), COVERS(SIDE, SIDE), SHARED)

PREDICT(full_blocks, UNKNOWN)
PREDICT(reserved_blocks, UNKNOWN)
PREDICT(one_warp_blocks, UNKNOWN)
PREDICT(large_blocks, UNKNOWN)

// One output a thread, tiles of SIDE x SIDE
static __device__ void one(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * SIDE + y, col = blockIdx.x * SIDE + x;
    float sum = 0;
    for (int t = 0; t < k; t += SIDE) {
        a_tile[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0;
        b_tile[y][x] = t + y < k && col < n ? b[(t + y) * n + col] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < SIDE; i++)
            sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

__global__ void full(const float *a, const float *b, float *c, int m, int k, int n) { one(a, b, c, m, k, n); }

__global__ void reserved(const float *a, const float *b, float *c, int m, int k, int n)
{
    one(a, b, c, m, k, n);
}

__global__ void one_warp(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    if (col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

// OUTPUTS outputs a thread, 32 rows apart: sums, addresses and factors in 48 to 64 registers
__global__ void large(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.y * 32 * OUTPUTS + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    float sum[OUTPUTS] = {};
    if (col >= n)
        return;
    ROLLED for (int i = 0; i < k; i++) {
        float factor = b[i * n + col];
#pragma unroll
        for (int j = 0; j < OUTPUTS; j++)
            sum[j] += a[min(row + 32 * j, m - 1) * k + i] * factor;
    }
#pragma unroll
    for (int j = 0; j < OUTPUTS; j++)
        if (row + 32 * j < m)
            c[(row + 32 * j) * n + col] = sum[j];
}

__global__ void few(const float *a, const float *b, float *c, int m, int k, int n) { one(a, b, c, m, k, n); }
