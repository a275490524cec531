// matmul: unrolled by hand
#include "lockstep.h"

#define TILE 32
LAUNCH(matmul_rolled, BLOCK(TILE, TILE), COVERS(TILE, TILE))
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))

PREDICT(rolled_loads, 8388608)
PREDICT(unrolled_loads, 5242880)

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

#define ONE(i) sum += mine[(i)] * theirs[(i) * TILE]
#define EIGHT(i) \
    ONE((i) + 0); ONE((i) + 1); ONE((i) + 2); ONE((i) + 3); \
    ONE((i) + 4); ONE((i) + 5); ONE((i) + 6); ONE((i) + 7)

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[TILE * TILE], b_tile[TILE * TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    const float *mine = a_tile + y * TILE, *theirs = b_tile + x;
    float sum = 0;
    for (int t = 0; t < k; t += TILE) {
        a_tile[y * TILE + x] = row < m && t + x < k ? a[row * k + t + x] : 0;
        b_tile[y * TILE + x] = t + y < k && col < n ? b[(t + y) * n + col] : 0;
        __syncthreads();
        EIGHT(0);
        EIGHT(8);
        EIGHT(16);
        EIGHT(32);
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
