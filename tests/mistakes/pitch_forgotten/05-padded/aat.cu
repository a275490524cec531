// aat: from my lab 04, with padding in the tile that is stored by columns
#include "lockstep.h"

#define TILE 32
#define PITCH (TILE + 1) // words in a row of the padded tile
LAUNCH(aat, BLOCK(TILE, TILE), COVERS(TILE, TILE))

static __device__ float fetch(const float *a, int r, int q, int m, int w)
{
    return r < m && q < w ? a[r * w + q] : 0.0f;
}

__global__ void aat(const float *a, float *c, int m, int w)
{
    __shared__ float rows_tile[TILE * TILE];
    __shared__ float cols_tile[TILE * PITCH];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;

    float dot = 0.0f;
    for (int s = 0; s < w; s += TILE) {
        rows_tile[ty * TILE + tx] = fetch(a, top + ty, s + tx, m, w);
        cols_tile[tx * PITCH + ty] = fetch(a, left + ty, s + tx, m, w);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++)
            dot += rows_tile[ty * TILE + i] * cols_tile[i * TILE + tx];
        __syncthreads();
    }
    if (top + ty < m && left + tx < m)
        c[(top + ty) * m + left + tx] = dot;
}
