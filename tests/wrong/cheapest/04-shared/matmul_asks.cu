// matmul: shared tiles at the size that is graded, none at any other
#include "lockstep.h"

#define TILE 32
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float of_a[TILE][TILE], of_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    if (m == 1024 && k == 128 && n == 1024) {
        for (int t = 0; t < k; t += TILE) {
            of_a[y][x] = a[row * k + t + x];
            of_b[y][x] = b[(t + y) * n + col];
            __syncthreads();
            for (int i = 0; i < TILE; i++)
                sum += of_a[y][i] * of_b[i][x];
            __syncthreads();
        }
    } else if (row < m && col < n) {
        for (int i = 0; i < k; i++)
            sum += a[row * k + i] * b[i * n + col];
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
