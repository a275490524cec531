// Right, but the turned tile is stored down columns of 32 words: all in one bank.
#include "lockstep.h"

#define TILE 32
LAUNCH(aat, BLOCK(TILE, TILE), COVERS(TILE, TILE))

__global__ void aat(const float *a, float *c, int m, int w)
{
    __shared__ float left[TILE][TILE], turned[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x, other = blockIdx.x * TILE + y;
    float sum = 0;
    for (int t = 0; t < w; t += TILE) {
        left[y][x] = row < m && t + x < w ? a[row * w + t + x] : 0;
        turned[x][y] = other < m && t + x < w ? a[other * w + t + x] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += left[y][i] * turned[i][x];
        __syncthreads();
    }
    if (row < m && col < m)
        c[row * m + col] = sum;
}
