// matmul: c = a b (m x k, k x n), thread x owns column x: the lanes of a warp read b along its rows
#include "lockstep.h"

LAUNCH(matmul, BLOCK(32, 8), COVERS(32, 8))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n)
        return;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}
