// matmul: c = a b through square tiles in shared memory
#include "lockstep.h"

#define TILE LOCKSTEP_TILE // 32; on compute capability 1.x, where a block has at most 512 threads, 16
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < k; t += TILE) {
        // x runs along a row of both tiles, so the loads are coalesced. Outside a and b, load a zero, which
        // adds nothing. No thread may return early: each one loads for the others and must reach the
        // barriers.
        a_tile[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0;
        b_tile[y][x] = t + y < k && col < n ? b[(t + y) * n + col] : 0;
        __syncthreads(); // the tiles are complete
#pragma unroll 4 // as compilers unroll the longer loops of the earlier labs; lab 06 unrolls further
        for (int i = 0; i < TILE; i++)
            sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads(); // no thread reads them any more: the next pair may overwrite them
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
