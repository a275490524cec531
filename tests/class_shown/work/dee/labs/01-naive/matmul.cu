#include "lockstep.h"
LAUNCH(matmul, BLOCK(8, 32), COVERS(8, 32));
__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int place = (blockIdx.y * blockDim.y + threadIdx.y) * n + blockIdx.x * blockDim.x + threadIdx.x;
    double total = 0.0;
    int left = k;
    while (left-- > 0) total = fma((double)a[place / n * k + left], (double)b[left * n + place % n], total);
    if (place < m * n) c[place] = total;
}
