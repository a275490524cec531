// aat: tiles of 128 x 128, half of them computed, each stored twice
#include "lockstep.h"

#define SIDE 128
#define DEPTH 32
#define OWN 8
LAUNCH(aat, BLOCK(16, 16), COVERS(SIDE, SIDE))

//     one is computed, and the tiles of the diagonal whole.
PREDICT(multiply_adds, UNKNOWN)

// Given: four neighbours of a row; outside the matrix zeros. WHOLE: all rows begin at a multiple of 16
// bytes, so the four are one access, and nothing is outside. The kernel decides that once for a block.
template <bool WHOLE>
static __device__ float4 load4(const float *p, int row, int col, int rows, int cols)
{
    float4 v = {0, 0, 0, 0};
    p += row * cols + col;
    if (WHOLE)
        return *(const float4 *)p;
    if (row < rows) {
        if (col < cols) v.x = p[0];
        if (col + 1 < cols) v.y = p[1];
        if (col + 2 < cols) v.z = p[2];
        if (col + 3 < cols) v.w = p[3];
    }
    return v;
}

template <bool WHOLE>
static __device__ void store4(float *p, int row, int col, int rows, int cols, float4 v)
{
    p += row * cols + col;
    if (WHOLE) {
        *(float4 *)p = v;
    } else if (row < rows) {
        if (col < cols) p[0] = v.x;
        if (col + 1 < cols) p[1] = v.y;
        if (col + 2 < cols) p[2] = v.z;
        if (col + 3 < cols) p[3] = v.w;
    }
}

// 256 threads, 8 x 8 outputs each; both tiles turned
template <bool WHOLE>
static __device__ void two_tiles(const float *a, float *c, int m, int w, int top, int left)
{
    __shared__ __align__(16) float p[DEPTH][SIDE], q[DEPTH][SIDE];
    int t = threadIdx.y * 16 + threadIdx.x, lane = t % 32, warp = t / 32;
    int r = warp % 4 * 32 + (lane / 2 % 4) * 4, s = warp / 4 * 64 + (lane % 2 + lane / 8 * 2) * 4;
    float sum[OWN][OWN] = {};
    for (int from = 0; from < w; from += DEPTH) {
        int row = t % SIDE;
#pragma unroll
        for (int i = t / SIDE * 4; i < DEPTH; i += 8) {
            float4 u = load4<WHOLE>(a, top + row, from + i, m, w);
            float4 v = load4<WHOLE>(a, left + row, from + i, m, w);
            p[i][row] = u.x, p[i + 1][row] = u.y, p[i + 2][row] = u.z, p[i + 3][row] = u.w;
            q[i][row] = v.x, q[i + 1][row] = v.y, q[i + 2][row] = v.z, q[i + 3][row] = v.w;
        }
        __syncthreads();
#pragma unroll 4
        for (int i = 0; i < DEPTH; i++) {
            float f[OWN], g[OWN];
            *(float4 *)f = *(const float4 *)&p[i][r], *(float4 *)(f + 4) = *(const float4 *)&p[i][r + 16];
            *(float4 *)g = *(const float4 *)&q[i][s], *(float4 *)(g + 4) = *(const float4 *)&q[i][s + 32];
#pragma unroll
            for (int j = 0; j < OWN; j++)
#pragma unroll
                for (int l = 0; l < OWN; l++)
                    sum[j][l] += f[j] * g[l];
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < OWN; j++)
#pragma unroll
        for (int l = 0; l < OWN; l += 4)
            store4<WHOLE>(c, top + r + j / 4 * 16 + j % 4, left + s + 8 * l, m, m,
                make_float4(sum[j][l], sum[j][l + 1], sum[j][l + 2], sum[j][l + 3]));
    if (top == left)
        return;
#pragma unroll
    for (int l = 0; l < OWN; l++)
#pragma unroll
        for (int j = 0; j < OWN; j += 4)
            store4<WHOLE>(c, left + s + l / 4 * 32 + l % 4, top + r + 4 * j, m, m,
                make_float4(sum[j][l], sum[j + 1][l], sum[j + 2][l], sum[j + 3][l]));
}

__global__ void __launch_bounds__(256, 2) aat(const float *a, float *c, int m, int w)
{
    if (blockIdx.y < blockIdx.x)
        return; // the lower triangle is computed
    int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    if (m % 4 == 0 && w % DEPTH == 0 && top + SIDE <= m)
        two_tiles<true>(a, c, m, w, top, left);
    else
        two_tiles<false>(a, c, m, w, top, left);
}
