// Another way: four outputs a thread.
#include "lockstep.h"
LAUNCH(polynomial, BLOCK(256, 1), COVERS(1024, 1))
__constant__ float coef[8];
// four outputs a thread, a block apart
__global__ void polynomial(const float *table, const int *index, float *out, int n, int length)
{
    int first = blockIdx.x * 1024 + threadIdx.x;
    float x[4];
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int i = first + 256 * j;
        x[j] = i < n ? __ldg(&table[__ldg(&index[i])]) : 0;
    }
    float s[4] = {};
#pragma unroll
    for (int p = 7; p >= 0; p--)
#pragma unroll
        for (int j = 0; j < 4; j++) s[j] = s[j] * x[j] + coef[p];
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (first + 256 * j < n) out[first + 256 * j] = s[j];
}
