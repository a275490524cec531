// matmul: the CPU's tiles, one to a thread. On a CPU a tile is reused from the core's own cache; here hundreds of threads
// share a cache, each with its own tiles, and the few threads that are left can't hide the latency of what misses.
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
        int end = min(i0 + TILE, k); // one bound, known before the loop: the compiler unrolls it
        for (int row = top; row < top + TILE && row < m; row++)
            for (int col = left; col < left + TILE && col < n; col++) {
                float sum = c[row * n + col]; // 256 sums don't fit into a thread's registers: they live in c
                for (int i = i0; i < end; i++)
                    sum += a[row * k + i] * b[i * n + col];
                c[row * n + col] = sum;
            }
    }
}
