// matmul: x is the column. The 32 threads of a warp read 32 neighbouring floats of b in 4 sectors, one float
// of a in 1, and store 32 neighbouring floats of c in 4. Only the assignment of indices to threads has
// changed.
#include "lockstep.h"

LAUNCH(matmul, BLOCK(32, 8), COVERS(32, 8)) // a warp is one row of the block: 32 columns of one row

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= n)
        return;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}
