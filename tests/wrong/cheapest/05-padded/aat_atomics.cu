// The tiles of lab 04, not padded. The tile that is turned is filled by atomics of shared memory.
#include "lockstep.h"

#define TILE 32
LAUNCH(aat, BLOCK(TILE, TILE), COVERS(TILE, TILE))

__global__ void aat(const float *a, float *c, int m, int w)
{
    __shared__ float straight[TILE][TILE];
    __shared__ int turned[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, other = blockIdx.x * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < w; t += TILE) {
        straight[y][x] = row < m && t + x < w ? a[row * w + t + x] : 0;
        turned[y][x] = 0;
        __syncthreads();
        atomicOr(&turned[x][y], __float_as_int(other < m && t + x < w ? a[other * w + t + x] : 0));
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += straight[y][i] * __int_as_float(turned[i][x]);
        __syncthreads();
    }
    if (row < m && col < m)
        c[row * m + col] = sum;
}
