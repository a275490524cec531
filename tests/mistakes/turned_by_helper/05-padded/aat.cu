// aat: c = a a^T with coalesced loads and without bank conflicts
#include "lockstep.h"

#define TILE 32
LAUNCH(aat, BLOCK(TILE, TILE), COVERS(TILE, TILE))

// a[r][s], or zero outside
static __device__ float pick(const float *a, int r, int s, int m, int w)
{
    return r < m && s < w ? a[r * w + s] : 0.0f;
}

__global__ void aat(const float *a, float *c, int m, int w)
{
    __shared__ float p[TILE][TILE];
    __shared__ float q[TILE][TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    float dot = 0;

    for (int t = 0; t < w; t += TILE) {
        p[y][x] = pick(a, blockIdx.y * TILE + y, t + x, m, w);
        q[y][x] = pick(a, blockIdx.x * TILE + x, t + y, m, w);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++)
            dot += p[y][i] * q[i][x];
        __syncthreads();
    }

    int row = blockIdx.y * TILE + y;
    int col = blockIdx.x * TILE + x;
    if (row < m && col < m)
        c[row * m + col] = dot;
}
