


#include "lockstep.h"

#define TILE 16

LAUNCH(matmul, BLOCK(16, 16), COVERS(16 * TILE, 16 * TILE))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int left = (blockIdx.x * blockDim.x + threadIdx.x) * TILE;
    int top = (blockIdx.y * blockDim.y + threadIdx.y) * TILE;
    for (int row = top; row < top + TILE && row < m; row++)
        for (int col = left; col < left + TILE && col < n; col++)
            c[row * n + col] = 0;
    for (int i0 = 0; i0 < k; i0 += TILE) {
        int end = i0 + TILE;
        for (int row = top; row < top + TILE && row < m; row++)
            for (int col = left; col < left + TILE && col < n; col++) {

                float sum = c[row * n + col];
                for (int i = i0; i < end; i++)
                    sum += a[row * k + i] * b[i * n + col];
                c[row * n + col] = sum;
            }
    }
}
