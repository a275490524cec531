// matmul: c = a b through shared tiles, the inner product unrolled
//   Given:   matmul_rolled, complete. a (m x k) and b (k x n), row-major floats, any m, k, n from 1 on; c is
//            m x n. x of the grid runs over the columns of c, y over its rows; a block computes 32 x 32
//            outputs.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at m = n = 1024, k = 128 multiply-adds are at least 24% of all instructions
//   Read:    README.md steps 1 to 3, slides/06-unrolled.md
#include "lockstep.h"

#define TILE 32
LAUNCH(matmul_rolled, BLOCK(TILE, TILE), COVERS(TILE, TILE))
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))

PREDICT(rolled_loads, 8388608)   // 2 * 128 * 32768
PREDICT(unrolled_loads, 5242880) // (1 + 1/4) * 128 * 32768

__global__ void matmul_rolled(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < k; t += TILE) {
        a_tile[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0;
        b_tile[y][x] = t + y < k && col < n ? b[(t + y) * n + col] : 0;
        __syncthreads();
        ROLLED for (int i = 0; i < TILE; i++)
            sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float s = 0;
    for (int t = 0; t < k; t += TILE) {
        As[ty][tx] = row < m && t + tx < k ? a[row * k + t + tx] : 0;
        Bs[ty][tx] = t + ty < k && col < n ? b[(t + ty) * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i += 16) {
            s += As[ty][i + 0] * Bs[i + 0][tx];
            s += As[ty][i + 1] * Bs[i + 1][tx];
            s += As[ty][i + 2] * Bs[i + 2][tx];
            s += As[ty][i + 3] * Bs[i + 3][tx];
            s += As[ty][i + 4] * Bs[i + 4][tx];
            s += As[ty][i + 5] * Bs[i + 5][tx];
            s += As[ty][i + 6] * Bs[i + 6][tx];
            s += As[ty][i + 7] * Bs[i + 7][tx];
            s += As[ty][i + 8] * Bs[i + 8][tx];
            s += As[ty][i + 9] * Bs[i + 9][tx];
            s += As[ty][i + 10] * Bs[i + 10][tx];
            s += As[ty][i + 11] * Bs[i + 11][tx];
            s += As[ty][i + 12] * Bs[i + 12][tx];
            s += As[ty][i + 13] * Bs[i + 12][tx];
            s += As[ty][i + 14] * Bs[i + 14][tx];
            s += As[ty][i + 15] * Bs[i + 15][tx];
        }
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = s;
}
