// The kernel of lab 05, every tile computed, by multiplications and additions: no multiply-add.
#include "lockstep.h"

#define TILE 32
LAUNCH(aat, BLOCK(TILE, TILE), COVERS(TILE, TILE))

PREDICT(multiply_adds, UNKNOWN)

__global__ void aat(const float *a, float *c, int m, int w)
{
    __shared__ float straight[TILE][TILE], turned[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, other = blockIdx.x * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < w; t += TILE) {
        straight[y][x] = row < m && t + x < w ? a[row * w + t + x] : 0;
        turned[x][y] = other < m && t + x < w ? a[other * w + t + x] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum = __fadd_rn(sum, __fmul_rn(straight[y][i], turned[i][x]));
        __syncthreads();
    }
    if (row < m && col < m)
        c[row * m + col] = sum;
}
