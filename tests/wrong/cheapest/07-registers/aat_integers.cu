// Every tile computed, by products of integers: the factors with 24 bits behind the point.
#include "lockstep.h"

#define SIDE 32
LAUNCH(aat, BLOCK(SIDE, 8), COVERS(SIDE, SIDE))

PREDICT(multiply_adds, UNKNOWN)

__global__ void aat(const float *a, float *c, int m, int w)
{
    __shared__ int down[SIDE][SIDE + 1], right[SIDE][SIDE + 1];
    int x = threadIdx.x, y = threadIdx.y, top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    long long sum[4] = {};
    for (int i = 0; i < w; i += SIDE) {
        for (int j = y; j < SIDE; j += 8) {
            bool in = i + x < w;
            down[j][x] = in && top + j < m ? __float2int_rn(a[(top + j) * w + i + x] * 16777216) : 0;
            right[j][x] = in && left + j < m ? __float2int_rn(a[(left + j) * w + i + x] * 16777216) : 0;
        }
        __syncthreads();
        for (int k = 0; k < SIDE; k++)
            for (int e = 0; e < 4; e++)
                sum[e] += (long long)down[y + 8 * e][k] * right[x][k];
        __syncthreads();
    }
    for (int e = 0; e < 4; e++)
        if (top + y + 8 * e < m && left + x < m)
            c[(top + y + 8 * e) * m + left + x] = (float)sum[e] / 16777216 / 16777216;
}
