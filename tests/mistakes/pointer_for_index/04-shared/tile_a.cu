#include "lockstep.h"
#define B 32
LAUNCH(tile_a, BLOCK(B, B), COVERS(B, B))
__global__ void tile_a(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float rowbuf[B][B];
    int i = blockIdx.y * B + threadIdx.y, j = blockIdx.x * B + threadIdx.x;
    if (threadIdx.x < k && i < m)
        rowbuf[threadIdx.y][threadIdx.x] = *(a + i * k + threadIdx.x);
    __syncthreads();
    if (i < m && j < n) {
        const float *down = b + j;
        const float *across = rowbuf[threadIdx.y];
        float r = 0;
        for (int t = 0; t < k; t++, down += n)
            r += *down * *across;
        *(c + i * n + j) = r;
    }
}
