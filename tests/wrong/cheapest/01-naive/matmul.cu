// The sum goes to c after every 32 products.
#include "lockstep.h"

LAUNCH(matmul, BLOCK(16, 16), COVERS(16, 16))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    c[row * n + col] = 0;
    for (int t = 0; t < k; t += 32) {
        float sum = 0;
        for (int i = t; i < t + 32 && i < k; i++)
            sum += a[row * k + i] * b[i * n + col];
        c[row * n + col] += sum;
    }
}
