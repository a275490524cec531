// matmul_column, matmul: c = a b, several outputs a thread, their sums in registers
//   Given:   a (m x k) and b (k x n), row-major floats, any m, k, n from 1 on; c is m x n. x of the grid runs
//            over the columns of c, y over its rows.
//            matmul_column: a block of 64 x 8 threads computes 64 x 64 outputs; thread (x, y) those of rows
//            8 y .. 8 y + 7 in column x of the block. A step along k has 8 columns of a and 8 rows of b.
//            matmul: a block of 256 threads computes 128 x 128 outputs, a thread 8 x 8 of them.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at m = n = 2048, k = 64, counted once per warp: matmul_column at most 3145728 loads from shared
//            memory; matmul at most 524288, 1048576 wavefronts and 32768 global loads, and at least 60% of
//            its instructions are multiply-adds
//   Read:    README.md steps 1 to 4, slides/07-registers.md
#include "lockstep.h"

#define SIDE 64
#define WIDE 128
#define DEPTH 8
#define OWN 8
LAUNCH(matmul_column, BLOCK(SIDE, SIDE / OWN), COVERS(SIDE, SIDE))
LAUNCH(matmul, BLOCK(256, 1), COVERS(WIDE, WIDE))

// TODO 1: predict: how many loads from shared memory do all warps make, each counted once per warp?
//     Neighbouring floats that a thread needs come 16 bytes at a time.
PREDICT(column_loads, 3 * 64 * (2048 * 2048 / 8 / 32))
PREDICT(tile_loads, 4 * 64 * (2048 * 2048 / 64 / 32))

__global__ void matmul_column(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ __align__(16) float at[DEPTH][SIDE + 4];
    __shared__ float bt[DEPTH][SIDE];
    const int x = threadIdx.x, y = threadIdx.y, t = SIDE * y + x;
    const int ay = t / DEPTH, ax = t % DEPTH; // what this thread fetches of a
    const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    float acc[OWN];
#pragma unroll
    for (int j = 0; j < OWN; j++) acc[j] = 0;

    for (int s = 0; s < k; s += DEPTH) {
        at[ax][ay] = top + ay < m && s + ax < k ? a[(top + ay) * k + s + ax] : 0;
        bt[y][x] = s + y < k && left + x < n ? b[(s + y) * n + left + x] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            const float f = bt[i][x];
#pragma unroll
            for (int j = 0; j < OWN; j++) acc[j] += at[i][OWN * y + j] * f;
        }
        __syncthreads();
    }

    const int first = top + OWN * y;
#pragma unroll
    for (int j = 0; j < OWN; j++)
        if (first + j < m && left + x < n) c[(first + j) * n + left + x] = acc[j];
}

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

template <bool WHOLE>
static __device__ void product(const float *a, const float *b, float *c, int m, int k, int n)
{
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    // Given: a warp computes 32 x 64 outputs of the block, its lanes lie 4 x 8. This thread has rows
    // r to r + 3 and r + 16 to r + 19, and columns q to q + 3 and q + 32 to q + 35. Lanes i and i ^ 1 share
    // rows, lanes i and i ^ 2 columns.
    int r = warp % 4 * 32 + (lane / 2 % 2 + lane / 4 % 2 * 2) * 4;
    int q = warp / 4 * 64 + (lane % 2 + lane / 8 * 2) * 4;

    __shared__ __align__(16) float at[DEPTH][WIDE + 1]; // turned, padded
    __shared__ __align__(16) float bt[DEPTH][WIDE];
    const int top = blockIdx.y * WIDE, left = blockIdx.x * WIDE;
    const int ay = t / 2, ax = t % 2 * 4;   // four of a: row ay, columns ax to ax + 3
    const int by = t / 32, bx = t % 32 * 4; // four of b
    float sum[OWN][OWN] = {};

    float4 from_a = load4<WHOLE>(a, top + ay, ax, m, k);
    float4 from_b = load4<WHOLE>(b, by, left + bx, k, n);
    for (int s = 0; s < k; s += DEPTH) {
        at[ax][ay] = from_a.x;
        at[ax + 1][ay] = from_a.y;
        at[ax + 2][ay] = from_a.z;
        at[ax + 3][ay] = from_a.w;
        *(float4 *)&bt[by][bx] = from_b;
        __syncthreads();
        if (s + DEPTH < k) { // ask early for the next
            from_a = load4<WHOLE>(a, top + ay, s + DEPTH + ax, m, k);
            from_b = load4<WHOLE>(b, s + DEPTH + by, left + bx, k, n);
        }
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            float x[OWN], y[OWN];
            *(float4 *)&x[0] = *(const float4 *)&at[i][r];
            *(float4 *)&x[4] = *(const float4 *)&at[i][r + 16];
            *(float4 *)&y[0] = *(const float4 *)&bt[i][q];
            *(float4 *)&y[4] = *(const float4 *)&bt[i][q + 32];
#pragma unroll
            for (int j = 0; j < OWN; j++)
#pragma unroll
                for (int l = 0; l < OWN; l++)
                    sum[j][l] += x[j] * y[l];
        }
        __syncthreads();
    }

#pragma unroll
    for (int j = 0; j < OWN; j++) {
        const int row = top + r + j % 4 + j / 4 * 16;
        store4<WHOLE>(c, row, left + q, m, n, make_float4(sum[j][0], sum[j][1], sum[j][2], sum[j][3]));
        store4<WHOLE>(c, row, left + q + 32, m, n, make_float4(sum[j][4], sum[j][5], sum[j][6], sum[j][7]));
    }
}

// Given. At most 128 registers a thread, so that two blocks fit on a multiprocessor.
__global__ void __launch_bounds__(256, 2)
matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int bottom = (blockIdx.y + 1) * WIDE, right = (blockIdx.x + 1) * WIDE;
    if (k % DEPTH == 0 && n % 4 == 0 && bottom <= m && right <= n)
        product<true>(a, b, c, m, k, n);
    else
        product<false>(a, b, c, m, k, n);
}
