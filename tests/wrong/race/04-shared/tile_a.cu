// tile_a: c = a b for a narrow a (m x k, k <= 32): only a tile of a goes through shared memory
#include "lockstep.h"

#define TILE 32
#define ROWS 16
LAUNCH(tile_a, BLOCK(TILE, ROWS), COVERS(TILE, ROWS))

__global__ void tile_a(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[ROWS][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * ROWS + y, col = blockIdx.x * TILE + x;
    // One coalesced load per warp replaces k loads that each fetch one float for all 32 threads.
    if (row < m && x < k)
        a_tile[y][x] = a[row * k + x];
    if (row >= m || col >= n)
        return; // after the last barrier a thread may return
    float sum = 0;
    // b is coalesced already, but every warp of the block reads it again
    for (int i = 0; i < k; i++)
        sum += a_tile[y][i] * b[i * n + col];
    c[row * n + col] = sum;
}
