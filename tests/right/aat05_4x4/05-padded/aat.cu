// Another way: 4 x 4 outputs a thread, float4 from padded rows.
#include "lockstep.h"
// 8 x 8 threads, 4 x 4 outputs each, 8 apart; neither tile is turned. Rows of 36 words: four k at once come
// as 16 bytes, and eight rows below each other lie in different banks
#define TILE 32
#define Y 8
LAUNCH(aat, BLOCK(Y, Y), COVERS(TILE, TILE))
__global__ void aat(const float *a, float *c, int m, int w)
{
    __shared__ __align__(16) float s[TILE][TILE + 4], u[TILE][TILE + 4];
    int x = threadIdx.x, y = threadIdx.y, top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    int lane = (y * Y + x) % 32, half = (y * Y + x) / 32;
    float sum[4][4] = {};
    for (int t = 0; t < w; t += TILE) {
#pragma unroll 8
        for (int r = half; r < TILE; r += 2) {
            s[r][lane] = top + r < m && t + lane < w ? a[(top + r) * w + t + lane] : 0;
            u[r][lane] = left + r < m && t + lane < w ? a[(left + r) * w + t + lane] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i += 4) {
            float4 p[4], q[4];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                p[j] = *(const float4 *)&s[y + 8 * j][i];
                q[j] = *(const float4 *)&u[x + 8 * j][i];
            }
#pragma unroll
            for (int j = 0; j < 4; j++)
#pragma unroll
                for (int l = 0; l < 4; l++)
                    sum[j][l] += p[j].x * q[l].x + p[j].y * q[l].y + p[j].z * q[l].z + p[j].w * q[l].w;
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
#pragma unroll
        for (int l = 0; l < 4; l++)
            if (top + y + 8 * j < m && left + x + 8 * l < m) c[(top + y + 8 * j) * m + left + x + 8 * l] = sum[j][l];
}
