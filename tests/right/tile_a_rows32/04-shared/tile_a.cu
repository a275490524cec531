// Another way: 32 rows a block.
#include "lockstep.h"
#define TILE 32
#define ROWS 32
LAUNCH(tile_a, BLOCK(TILE, ROWS), COVERS(TILE, ROWS))
// the rows of a that a block needs lie in a row: fetched as one piece of rows * k floats
__global__ void tile_a(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float s[ROWS * TILE];
    int row = blockIdx.y * ROWS + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    int t = threadIdx.y * TILE + threadIdx.x, count = min(ROWS, m - (int)blockIdx.y * ROWS) * k;
    if (t < count) s[t] = a[blockIdx.y * ROWS * k + t];
    __syncthreads();
    if (row >= m || col >= n) return;
    float sum = 0;
    const float *mine = s + threadIdx.y * k;
    for (int i = 0; i < k; i++) sum += mine[i] * b[i * n + col];
    c[row * n + col] = sum;
}
