// matmul: c = a b through shared tiles, the inner product unrolled
#include "lockstep.h"

#define TILE LOCKSTEP_TILE // 32; on compute capability 1.x, where a block has at most 512 threads, 16
LAUNCH(matmul_rolled, BLOCK(TILE, TILE), COVERS(TILE, TILE))


PREDICT(rolled_loads, UNKNOWN)            // two for each of 128 k, in each of 32768 warps
PREDICT(unrolled_loads, UNKNOWN) // one load of a_tile for each four k

__global__ void matmul_rolled(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < k; t += TILE) {
        a_tile[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0;
        b_tile[y][x] = t + y < k && col < n ? b[(t + y) * n + col] : 0;
        __syncthreads();
        ROLLED for (int i = 0; i < TILE; i++)
            sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

// 8 x 8 outputs a thread straight from global memory, no shared memory, no barrier
template <bool WHOLE> static __device__ float at(const float *p, int row, int col, int rows, int cols)
{ return WHOLE || (row < rows && col < cols) ? p[row * cols + col] : 0; }
template <bool WHOLE> static __device__ float4 at4(const float *p, int row, int col, int rows, int cols)
{
    if (WHOLE) return *(const float4 *)&p[row * cols + col];
    return make_float4(at<false>(p, row, col, rows, cols), at<false>(p, row, col + 1, rows, cols),
        at<false>(p, row, col + 2, rows, cols), at<false>(p, row, col + 3, rows, cols));
}
template <bool WHOLE> static __device__ void product(const float *a, const float *b, float *c, int m, int k, int n, int top, int left)
{
    int lane = threadIdx.x % 32, r = top + lane / 8 * 8, q = left + lane % 8 * 4;
    float sum[8][8] = {};
#pragma unroll 1
    for (int i = 0; i < k; i += 4) {
        float4 x[8];
#pragma unroll
        for (int j = 0; j < 8; j++) x[j] = at4<WHOLE>(a, r + j, i, m, k);
#pragma unroll
        for (int e = 0; e < 4; e++) {
            float4 u = at4<WHOLE>(b, i + e, q, k, n), v = at4<WHOLE>(b, i + e, q + 32, k, n);
            float y[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
#pragma unroll
            for (int j = 0; j < 8; j++)
#pragma unroll
                for (int l = 0; l < 8; l++) sum[j][l] += (&x[j].x)[e] * y[l];
        }
    }
#pragma unroll
    for (int j = 0; j < 8; j++)
#pragma unroll
        for (int l = 0; l < 8; l += 4) {
            int row = r + j, col = q + l / 4 * 32;
            if (WHOLE) *(float4 *)&c[row * n + col] = make_float4(sum[j][l], sum[j][l + 1], sum[j][l + 2], sum[j][l + 3]);
            else for (int e = 0; e < 4; e++) if (row < m && col + e < n) c[row * n + col + e] = sum[j][l + e];
        }
}
LAUNCH(matmul, BLOCK(32, 1), COVERS(64, 32))
__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int top = blockIdx.y * 32, left = blockIdx.x * 64;
    if (k % 4 == 0 && n % 4 == 0 && top + 32 <= m && left + 64 <= n) product<true>(a, b, c, m, k, n, top, left);
    else product<false>(a, b, c, m, k, n, top, left);
}
