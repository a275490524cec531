// matmul: the CPU's tiles, one per thread. On a CPU a tile is reused from the core's own cache. Here hundreds
// of threads share a cache, each with its own tiles, and there are too few threads to hide the latency of
// cache misses.
#include "lockstep.h"

#define TILE 16

LAUNCH(matmul, BLOCK(16, 16), COVERS(16 * TILE, 16 * TILE))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int left = (blockIdx.x * blockDim.x + threadIdx.x) * TILE; // neighbouring threads: columns 16 apart
    int top = (blockIdx.y * blockDim.y + threadIdx.y) * TILE;
    for (int row = top; row < top + TILE && row < m; row++)
        for (int col = left; col < left + TILE && col < n; col++)
            c[row * n + col] = 0;
    for (int i0 = 0; i0 < k; i0 += TILE) {
        int end = min(i0 + TILE, k); // one bound, known before the loop, so the compiler unrolls the loop
        for (int row = top; row < top + TILE && row < m; row++)
            for (int col = left; col < left + TILE && col < n; col++) {
                // 256 sums do not fit into a thread's registers, so c holds them
                float sum = c[row * n + col];
                for (int i = i0; i < end; i++)
                    sum += a[row * k + i] * b[i * n + col];
                c[row * n + col] = sum;
            }
    }
}
