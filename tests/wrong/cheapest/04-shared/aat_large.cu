// aat: loads of a down its columns, which blocks of 128 x 256 outputs pay for by fetching less
#include "lockstep.h"

#define HIGH 128
#define WIDE 256
#define DEPTH 32
#define OWN (WIDE / 32)
LAUNCH(aat, BLOCK(32, 32), COVERS(WIDE, HIGH))

__global__ void aat(const float *a, float *c, int m, int w)
{
    __shared__ float left[DEPTH][HIGH], right[DEPTH][WIDE];
    int x = threadIdx.x, y = threadIdx.y, top = blockIdx.y * HIGH, first = blockIdx.x * WIDE;
    float sum[HIGH / 32][OWN] = {};
    for (int t = 0; t < w; t += DEPTH) {
        for (int h = 0; h < HIGH; h += 32) // neighbouring threads load from neighbouring rows
            left[y][h + x] = top + h + x < m && t + y < w ? a[(top + h + x) * w + t + y] : 0;
        for (int h = 0; h < WIDE; h += 32)
            right[x][h + y] = first + h + y < m && t + x < w ? a[(first + h + y) * w + t + x] : 0;
        __syncthreads();
        for (int i = 0; i < DEPTH; i++)
#pragma unroll
            for (int r = 0; r < HIGH / 32; r++)
#pragma unroll
                for (int s = 0; s < OWN; s++)
                    sum[r][s] += left[i][r * 32 + y] * right[i][s * 32 + x];
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < HIGH / 32; r++)
#pragma unroll
        for (int s = 0; s < OWN; s++)
            if (top + r * 32 + y < m && first + s * 32 + x < m)
                c[(top + r * 32 + y) * m + first + s * 32 + x] = sum[r][s];
}
