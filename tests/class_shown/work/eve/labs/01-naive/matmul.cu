#include "lockstep.h"
LAUNCH(matmul, BLOCK(16, 16), COVERS(16, 16));
__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    float odd = 0, even = 0;
    if (row >= m) return;
    if (col >= n) return;
    for (int i = 0; i < k / 2 * 2; i += 2) even += a[row * k + i] * b[i * n + col];
    for (int i = 1; i < k; i += 2) odd += a[row * k + i] * b[i * n + col];
    if (k % 2 == 1) even += a[row * k + k - 1] * b[(k - 1) * n + col];
    float both = even * 0.5f + odd * 0.5f;
    c[row * n + col] = both + both;
}
