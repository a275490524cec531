// The loop stays rolled; useless multiply-adds beside it raise their share of all instructions.
#include "lockstep.h"

#define TILE 32
LAUNCH(matmul_rolled, BLOCK(TILE, TILE), COVERS(TILE, TILE))
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))

PREDICT(rolled_loads, 1)
PREDICT(unrolled_loads, 1)

template <int WASTE>
static __device__ void product(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0, waste = 1;
    for (int t = 0; t < k; t += TILE) {
        a_tile[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0;
        b_tile[y][x] = t + y < k && col < n ? b[(t + y) * n + col] : 0;
        __syncthreads();
        ROLLED for (int i = 0; i < TILE; i++) {
            sum += a_tile[y][i] * b_tile[i][x];
            for (int j = 0; j < WASTE; j++)
                waste = 0.5f * waste + 1.0f;
        }
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum + 0.0f * waste;
}

__global__ void matmul_rolled(const float *a, const float *b, float *c, int m, int k, int n)
{
    product<0>(a, b, c, m, k, n);
}

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    product<3>(a, b, c, m, k, n);
}
