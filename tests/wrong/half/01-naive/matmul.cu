// Wrong: the factors are rounded to 11 bits, as half precision keeps them.
#include "lockstep.h"

LAUNCH(matmul, BLOCK(16, 16), COVERS(16, 16))

static __device__ float half(float x)
{
    int bits = (*(int *)&x + 0x1000) & ~0x1fff;
    return *(float *)&bits;
}

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += half(a[row * k + i]) * half(b[i * n + col]);
    c[row * n + col] = sum;
}
