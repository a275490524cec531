// Another way: swizzled by xor instead of padded.
#include "lockstep.h"
#define TILE LOCKSTEP_TILE
LAUNCH(aat, BLOCK(TILE, TILE), COVERS(TILE, TILE))
// the turned tile is swizzled, not padded
__global__ void aat(const float *a, float *c, int m, int w)
{
    __shared__ float s[TILE][TILE], u[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x, other = blockIdx.x * TILE + y;
    float sum = 0;
    for (int t = 0; t < w; t += TILE) {
        s[y][x] = row < m && t + x < w ? a[row * w + t + x] : 0;
        u[x][y ^ x] = other < m && t + x < w ? a[other * w + t + x] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++) sum += s[y][i] * u[i][x ^ i];
        __syncthreads();
    }
    if (row < m && col < m) c[row * m + col] = sum;
}
