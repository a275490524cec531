


#include "lockstep.h"

LAUNCH(matmul, BLOCK(32, 8), COVERS(32, 8))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    c[row * n + col] = 0;
    for (int i = 0; i < k; i++)
        c[row * n + col] += a[row * k + i] * b[i * n + col];
}
