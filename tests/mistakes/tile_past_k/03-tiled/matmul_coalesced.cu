// matmul_coalesced: a block owns 256 x 256 outputs; its threads deal the columns out among themselves
#include "lockstep.h"

#define TILE 16

LAUNCH(matmul, BLOCK(16, 16), COVERS(16 * TILE, 16 * TILE))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    const int step = blockDim.x;
    const int left = blockIdx.x * step * TILE + threadIdx.x, right = min(n, left + step * TILE);
    const int top = (blockIdx.y * blockDim.y + threadIdx.y) * TILE, bottom = min(m, top + TILE);
    for (int i = top; i < bottom; i++)
        for (int j = left; j < right; j += step)
            c[i * n + j] = 0;
    for (int from = 0; from < k; from += TILE) {
        int to = from + TILE;
        for (int i = top; i < bottom; i++)
            for (int j = left; j < right; j += step) {
                float sum = c[i * n + j];
                for (int p = from; p < to; p++)
                    sum += a[i * k + p] * b[p * n + j];
                c[i * n + j] = sum;
            }
    }
}
