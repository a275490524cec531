// The read-only path for the other array.
#include "lockstep.h"

LAUNCH(polynomial, BLOCK(256, 1), COVERS(256, 1))
// the read-only path for index, which a warp reads side by side, not for table
__constant__ float coef[8];
__global__ void polynomial(const float *table, const int *index, float *out, int n, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = *(volatile const float *)&table[__ldg(&index[i])], sum = 0;
    for (int j = 7; j >= 0; j--) sum = sum * x + coef[j];
    out[i] = sum;
}
