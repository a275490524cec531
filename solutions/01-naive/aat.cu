// aat: a column of A^T is a row of A, so each thread reads both factors along rows. No transpose is stored.
#include "lockstep.h"

// LOCKSTEP_TILE is 32; on compute capability 1.x, where a block has at most 512 threads, 16
LAUNCH(aat, BLOCK(LOCKSTEP_TILE, LOCKSTEP_TILE), COVERS(LOCKSTEP_TILE, LOCKSTEP_TILE))

__global__ void aat(const float *a, float *c, int m, int w)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= m)
        return;
    float sum = 0;
    for (int i = 0; i < w; i++)
        sum += a[row * w + i] * a[col * w + i]; // second factor: neighbouring threads read w floats apart
    c[row * m + col] = sum;
}
