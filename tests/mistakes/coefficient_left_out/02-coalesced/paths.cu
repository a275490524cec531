


#include "lockstep.h"

LAUNCH(polynomial, BLOCK(256, 1), COVERS(256, 1))

__constant__ float coef[8];



__global__ void polynomial(const float *__restrict__ table, const int *__restrict__ index,
                           float *__restrict__ out, int n, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = table[index[i]], sum = 0;
    for (int j = 7; j > 0; j--)
        sum = sum * x + coef[j];
    out[i] = sum;
}
