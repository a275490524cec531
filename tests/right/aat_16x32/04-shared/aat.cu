// Another way: blocks of 16 x 32.
#include "lockstep.h"
#define TILE LOCKSTEP_TILE
// 32 x 16 threads, two outputs a thread
#define HALF (TILE / 2)
LAUNCH(aat, BLOCK(TILE, HALF), COVERS(TILE, TILE))
__global__ void aat(const float *a, float *c, int m, int w)
{
    __shared__ float s[TILE][TILE], turned[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    float s0 = 0, s1 = 0;
    for (int t = 0; t < w; t += TILE) {
        bool in = t + x < w;
        for (int r = y; r < TILE; r += HALF) {
            s[r][x] = in && top + r < m ? a[(top + r) * w + t + x] : 0;
            turned[x][r] = in && left + r < m ? a[(left + r) * w + t + x] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++) {
            s0 += s[y][i] * turned[i][x];
            s1 += s[y + HALF][i] * turned[i][x];
        }
        __syncthreads();
    }
    if (left + x >= m) return;
    if (top + y < m) c[(top + y) * m + left + x] = s0;
    if (top + y + HALF < m) c[(top + y + HALF) * m + left + x] = s1;
}
