#include "lockstep.h"

#define SIDE 32
LAUNCH(matmul_wgmma_tf32, BLOCK(SIDE, SIDE), COVERS(SIDE, SIDE))

PREDICT(products, UNKNOWN)
PREDICT(fragment_loads, UNKNOWN)
PREDICT(wavefronts, UNKNOWN)

__global__ void matmul_wgmma_tf32(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * SIDE + y, col = blockIdx.x * SIDE + x;
    float sum = 0;
    for (int k_tile = 0; k_tile < k; k_tile += SIDE) {
        a_tile[y][x] = row < m && k_tile + x < k ? a[row * k + k_tile + x] : 0;
        b_tile[y][x] = k_tile + y < k && col < n ? b[(k_tile + y) * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < SIDE; i++) sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
