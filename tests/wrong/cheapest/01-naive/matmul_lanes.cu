// One lane of four computes for its neighbours.
#include "lockstep.h"

// every fourth lane computes four outputs, one after the other; shuffles hand them out
LAUNCH(matmul, BLOCK(32, 8), COVERS(8, 32))
__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int x = threadIdx.x, row = blockIdx.x * 8 + threadIdx.y, col = blockIdx.y * 32;
    if (row >= m) return;
    float s[4] = {}, mine = 0;
    int q = col + x / 4 * 4;
    if (x % 4 == 0)
        for (int i = 0; i < k; i++)
            for (int e = 0; e < 4; e++) if (q + e < n) s[e] += a[row * k + i] * b[i * n + q + e];
    for (int e = 0; e < 4; e++) {
        float t = __shfl_sync(0xffffffff, s[e], x / 4 * 4);
        if (x % 4 == e) mine = t;
    }
    if (col + x < n) c[row * n + col + x] = mine;
}
