// No tiles: the sum is stored after every 32 products, and nobody reads it.
#include "lockstep.h"

LAUNCH(matmul, BLOCK(32, 8), COVERS(32, 8))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    volatile float *to = c + row * n + col;
    float sum = 0;
    if (row >= m || col >= n)
        return;
    for (int i = 0; i < k; i++) {
        sum += a[row * k + i] * b[i * n + col];
        if (i % 32 == 31)
            *to = sum;
    }
    *to = sum;
}
