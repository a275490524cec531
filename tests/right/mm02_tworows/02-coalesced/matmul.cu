// Another way: two rows a thread.
#include "lockstep.h"
LAUNCH(matmul, BLOCK(32, 8), COVERS(32, 16))
// two rows a thread: an element of b serves both
__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (col >= n || row >= m) return;
    int other = min(row + 8, m - 1);
    float s = 0, u = 0;
    for (int i = 0; i < k; i++) {
        float f = b[i * n + col];
        s += a[row * k + i] * f;
        u += a[other * k + i] * f;
    }
    c[row * n + col] = s;
    if (row + 8 < m) c[other * n + col] = u;
}
