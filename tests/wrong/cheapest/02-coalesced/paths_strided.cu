// The table is ordinary memory. Only the indices are read-only, and each of a warp's is in another sector.
#include "lockstep.h"

LAUNCH(polynomial, BLOCK(256, 1), COVERS(256, 1))

__constant__ float coef[8];

__global__ void polynomial(const float *table, const int *__restrict__ index, float *__restrict__ out,
                           int n, int length)
{
    const volatile float *written = table;
    int i = blockIdx.x * 256 + threadIdx.x % 32 * 8 + threadIdx.x / 32;
    if (i >= n)
        return;
    float x = written[__ldg(&index[i])], sum = 0;
    for (int j = 7; j >= 0; j--)
        sum = sum * x + coef[j];
    out[i] = sum;
}
