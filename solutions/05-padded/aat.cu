// aat: c = a a^T through shared memory, padded
#include "lockstep.h"

#define TILE LOCKSTEP_TILE // 32; on compute capability 1.x, where a block has at most 512 threads, 16
LAUNCH(aat, BLOCK(TILE, TILE), COVERS(TILE, TILE))

__global__ void aat(const float *a, float *c, int m, int w)
{
    __shared__ float a_tile[TILE][TILE], turned[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    // the block's columns of c are rows of a; this thread loads a float of row `other`
    int other = blockIdx.x * TILE + y;
    float sum = 0;
    for (int t = 0; t < w; t += TILE) {
        a_tile[y][x] = row < m && t + x < w ? a[row * w + t + x] : 0;
        // Loaded along a row, stored down a column: coalesced. With rows of 33 words, a column is in 32
        // different banks.
        turned[x][y] = other < m && t + x < w ? a[other * w + t + x] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++)
            sum += a_tile[y][i] * turned[i][x];
        __syncthreads();
    }
    if (row < m && col < m)
        c[row * m + col] = sum;
}
