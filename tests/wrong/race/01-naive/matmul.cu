// Wrong: two threads share an element of c, and nothing orders them.
#include "lockstep.h"

LAUNCH(matmul, BLOCK(32, 16), COVERS(32, 8))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y % 8, upper = threadIdx.y / 8;
    if (row >= m || col >= n)
        return;
    float sum = 0;
    for (int i = upper ? k / 2 : 0; i < (upper ? k : k / 2); i++)
        sum += a[row * k + i] * b[i * n + col];
    if (!upper)
        c[row * n + col] = sum;
    if (upper)
        c[row * n + col] += sum;
}
