#include "lockstep.h"
const int TILE = 32;
LAUNCH(aat, BLOCK(32, 32), COVERS(32, 32))
__global__ void aat(const float *a, float *c, int m, int w)
{
    __shared__ float p[TILE][TILE], q[TILE][TILE + 1];
    int tx = threadIdx.x, ty = threadIdx.y;
    int r = blockIdx.y * TILE + ty, s = blockIdx.x * TILE + tx, o = blockIdx.x * TILE + ty;
    float dot = 0;
    for (int base = 0; base < w; base += TILE) {
        p[ty][tx] = 0;
        q[tx][ty] = 0;
        if (base + tx < w) {
            if (r < m)
                p[ty][tx] = a[r * w + base + tx];
            if (o < m)
                q[tx][ty] = a[o * w + base + tx];
            __syncthreads();
        }
#pragma unroll
        for (int e = 0; e < TILE; e++)
            dot += p[ty][e] * q[e][tx];
        __syncthreads();
    }
    if (r < m && s < m)
        c[r * m + s] = dot;
}
