#include "lockstep.h"

LAUNCH(matmul, BLOCK(16, 16), COVERS(16, 16))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    c[row * n + col] = 0;
    for (int i = 0; i < k; i++)
        atomicAdd(&c[row * n + col], a[row * k + i] * b[i * n + col]);
}
