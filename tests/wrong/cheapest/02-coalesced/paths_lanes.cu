// Each lane reads a coefficient of its own, so no read of constant memory serves the whole warp.
#include "lockstep.h"

LAUNCH(polynomial, BLOCK(256, 1), COVERS(256, 1))

__constant__ float coef[8];

__global__ void polynomial(const float *__restrict__ table, const int *__restrict__ index,
                           float *__restrict__ out, int n, int length)
{
    const volatile float *own = coef;
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 8;
    float one = own[lane], other = own[7 - lane], x = i < n ? table[index[i]] : 0, sum = 0;
    for (int j = 7; j >= 0; j--)
        sum = sum * x + __shfl_sync(~0u, j % 2 ? one : other, j % 2 ? j : 7 - j);
    if (i < n)
        out[i] = sum;
}
