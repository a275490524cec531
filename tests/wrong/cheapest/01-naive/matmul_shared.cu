// The sum is kept in shared memory.
#include "lockstep.h"

LAUNCH(matmul, BLOCK(32, 8), COVERS(32, 8))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ volatile float sums[8][32];
    int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
    volatile float &sum = sums[threadIdx.y][threadIdx.x];
    if (row >= m || col >= n)
        return;
    sum = 0;
    for (int i = 0; i < k; i++)
        sum = sum + a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}
