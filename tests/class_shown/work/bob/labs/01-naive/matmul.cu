#include "lockstep.h"
LAUNCH(matmul, BLOCK(16, 16), COVERS(16, 16));
__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    float first = 0, second = 0;
    if (y >= m) return;
    if (col >= n) return;
    for (int i = 0; i < k / 2 * 2; i += 2) second += a[y * k + i] * b[i * n + col];
    for (int i = 1; i < k; i += 2) first += a[y * k + i] * b[i * n + col];
    if (k % 2 == 1) second += a[y * k + k - 1] * b[(k - 1) * n + col];
    float all = second * 0.5f + first * 0.5f;
    c[y * n + col] = all + all;
}
