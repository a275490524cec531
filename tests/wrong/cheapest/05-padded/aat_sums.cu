// aat: factors from global memory; only sums go by shared memory, three times, so that there are loads
#include "lockstep.h"

#define HIGH 16
#define WIDE 8
LAUNCH(aat, BLOCK(32, 1), COVERS(8 * WIDE, 4 * HIGH))

__global__ void aat(const float *a, float *c, int m, int w)
{
    __shared__ float handed[32];
    int x = threadIdx.x, down = x / 8, right = x % 8, top = blockIdx.y * 4 * HIGH, left = blockIdx.x * 8 * WIDE;
    float sum[HIGH][WIDE] = {};
    for (int k = 0; k < w; k += 4) {
        int some = min(4, w - k);
        float other[WIDE][4];
#pragma unroll
        for (int l = 0; l < WIDE; l++) {
            const float *p = &a[min(left + right + 8 * l, m - 1) * w + k];
            if (w % 4 == 0)
                *(float4 *)other[l] = *(const float4 *)p;
            else
                for (int e = 0; e < 4; e++)
                    other[l][e] = e < some ? p[e] : 0;
        }
#pragma unroll
        for (int j = 0; j < HIGH; j++) {
            const float *p = &a[min(top + down + 4 * j, m - 1) * w + k];
            float own[4];
            if (w % 4 == 0)
                *(float4 *)own = *(const float4 *)p;
            else
                for (int e = 0; e < 4; e++)
                    own[e] = e < some ? p[e] : 0;
#pragma unroll
            for (int l = 0; l < WIDE; l++)
#pragma unroll
                for (int e = 0; e < 4; e++)
                    sum[j][l] += own[e] * other[l][e];
        }
    }
#pragma unroll
    for (int j = 0; j < HIGH; j++)
#pragma unroll
        for (int l = 0; l < WIDE; l++) {
            float value = sum[j][l];
            for (int hop = 0; hop < 3; hop++) {
                handed[x] = value;
                __syncwarp();
                value = handed[x ^ 1];
                __syncwarp();
            }
            int row = top + down + 4 * j, col = left + (right ^ 1) + 8 * l;
            if (row < m && col < m)
                c[row * m + col] = value;
        }
}
