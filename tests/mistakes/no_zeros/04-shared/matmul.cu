#include "lockstep.h"

#define TILE 32
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float Cvalue = 0.0f;

    for (int ph = 0; ph < (k + TILE - 1) / TILE; ++ph) {
        // collaborative loading, only inside the matrices
        if (row < m && ph * TILE + tx < k)
            As[ty][tx] = a[row * k + ph * TILE + tx];
        if (ph * TILE + ty < k && col < n)
            Bs[ty][tx] = b[(ph * TILE + ty) * n + col];
        __syncthreads();

#pragma unroll 4
        for (int i = 0; i < TILE; ++i)
            Cvalue += As[ty][i] * Bs[i][tx];
        __syncthreads();
    }

    if (row < m && col < n)
        c[row * n + col] = Cvalue;
}
