// 9 of 16 blocks read the table by the read-only path.
#include "lockstep.h"

LAUNCH(polynomial, BLOCK(256, 1), COVERS(256, 1))

__constant__ float coef[8];

__global__ void polynomial(const float *table, const int *index, float *out, int n, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float *p = &table[index[i]];
    float x = blockIdx.x % 16 < 9 ? __ldg(p) : *(const volatile float *)p, sum = 0;
    for (int j = 7; j >= 0; j--) sum = sum * x + coef[j];
    out[i] = sum;
}
