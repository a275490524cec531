// Another way: a by shuffles, b through shared memory.
#include "lockstep.h"
#define TILE LOCKSTEP_TILE
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))
// b's tile in shared memory; a row of a's tile lies in the lanes of its warp and is passed on by shuffles
__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float s[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < k; t += TILE) {
        float mine = row < m && t + x < k ? a[row * k + t + x] : 0;
        s[y][x] = t + y < k && col < n ? b[(t + y) * n + col] : 0;
        __syncthreads();
#pragma unroll 4
        for (int i = 0; i < TILE; i++) sum += __shfl_sync(0xffffffff, mine, i) * s[i][x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
