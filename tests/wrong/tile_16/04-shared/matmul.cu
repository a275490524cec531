// The Programming Guide's product: tiles of 16 x 16. A float serves 16 threads, so there are twice as many
// requests as with 32 x 32, and that is all.
#include "lockstep.h"

#define TILE 16
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < k; t += TILE) {
        int x = t + threadIdx.x, y = t + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = row < m && x < k ? a[row * k + x] : 0;
        bs[threadIdx.y][threadIdx.x] = y < k && col < n ? b[y * n + col] : 0;
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
