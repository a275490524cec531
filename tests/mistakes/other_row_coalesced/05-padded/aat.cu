#include "lockstep.h"
constexpr int TILE = 32;
LAUNCH(aat, BLOCK(TILE, TILE), COVERS(TILE, TILE))
static __device__ float fetch(const float *a, int r, int q, int m, int w)
{
    if (r < m && q < w)
        return a[r * w + q];
    return 0;
}
__global__ void aat(const float *a, float *c, int m, int w)
{
    __shared__ float left[TILE][TILE];
    __shared__ float right[TILE][TILE + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    const int i = blockIdx.y * TILE + y;
    const int j = blockIdx.x * TILE + x;
    float s = 0;
    for (int t = 0; t < w; t += TILE) {
        left[y][x] = fetch(a, i, t + x, m, w);
        right[y][x] = fetch(a, j, t + x, m, w);
        __syncthreads();
#pragma unroll
        for (int e = 0; e < TILE; e++)
            s += left[y][e] * right[x][e];
        __syncthreads();
    }
    if (i < m && j < m)
        c[i * m + j] = s;
}
