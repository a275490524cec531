// The coefficients come from global memory; what is read from constant memory changes nothing.
#include "lockstep.h"

LAUNCH(polynomial, BLOCK(256, 1), COVERS(1024, 1))

__device__ float coef[8];
__constant__ volatile float zeros[8] = {0};

__global__ void polynomial(const float *table, const int *index, float *out, int n, int length)
{
    float factors[8], unused = 0;
#pragma unroll
    for (int j = 0; j < 8; j++)
        factors[j] = *(volatile float *)&coef[j];
#pragma unroll
    for (int e = 0; e < 4; e++) {
        int i = blockIdx.x * 1024 + e * 256 + threadIdx.x;
        float sum = 0;
        if (i >= n)
            return;
        float x = __ldg(&table[__ldg(&index[i])]);
#pragma unroll
        for (int j = 7; j >= 0; j--) {
            sum = sum * x + factors[j];
            unused += zeros[j];
        }
        out[i] = unused == 1 ? 0 : sum;
    }
}
