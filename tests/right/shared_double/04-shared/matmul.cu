// Another way: two pairs of tiles, in turn.
#include "lockstep.h"
#define TILE LOCKSTEP_TILE
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))
// two buffers in turn: one barrier a step
struct pair { float a[TILE][TILE], b[TILE][TILE]; };
__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ pair buf[2];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x, which = 0;
    float sum = 0;
    for (int t = 0; t < k; t += TILE, which ^= 1) {
        pair &p = buf[which];
        p.a[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0;
        p.b[y][x] = t + y < k && col < n ? b[(t + y) * n + col] : 0;
        __syncthreads();
#pragma unroll 4
        for (int i = 0; i < TILE; i++) sum += p.a[y][i] * p.b[i][x];
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
