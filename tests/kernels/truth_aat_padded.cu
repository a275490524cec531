// aat: c = a a^T (a is m x 32, m a multiple of 32): the second factor turned round in shared memory,
// its rows one word longer: a column lies in 32 banks
#include "lockstep.h"

#define TILE 32
LAUNCH(aat, BLOCK(TILE, TILE), COVERS(TILE, TILE))

__global__ void aat(const float *a, float *c, int m, int w)
{
    __shared__ float a_tile[TILE][TILE], turned[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    a_tile[y][x] = a[row * w + x];
    turned[x][y] = a[(blockIdx.x * TILE + y) * w + x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; i++)
        sum += a_tile[y][i] * turned[i][x];
    c[row * m + col] = sum;
}
