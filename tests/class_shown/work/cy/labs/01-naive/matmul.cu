#include "lockstep.h"
LAUNCH(matmul, BLOCK(16, 16), COVERS(16, 16));
__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < n && y < m) {
        float s = 0;
        for (int i = 0; i < k; i++) s += a[y * k + i] * b[i * n + x];
        c[y * n + x] = s;
    }
}
