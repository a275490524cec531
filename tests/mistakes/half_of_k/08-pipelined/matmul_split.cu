// matmul_split: c = a b, two halves of a block add two halves of k
#include "lockstep.h"
#include "lockstep_async.h"

#define HIGH 64  // a block computes HIGH x WIDE outputs
#define WIDE 128
#define DEPTH 16 // of a step along k
#define OWN 8    // a thread adds OWN x OWN products for each k
#define HALF 128 // threads that share a half of k
#define STAGES 3
LAUNCH_SHARED(matmul_split, BLOCK(2 * HALF, 1), COVERS(WIDE, HIGH), 2 * STAGES * (HIGH + WIDE) * DEPTH * 4)

// 128 blocks of 8 warps, 8 steps, 2 + 4 copies a thread
PREDICT(copies, 128 * 8 * 8 * (2 + 4))
// 64 sums of each thread of 4 warps
PREDICT(meetings, 128 * 4 * 64 / 4)

// Given: four neighbours of a row go to shared memory; zeros from outside the matrix. WHOLE: all rows begin
// at a multiple of 16 bytes, so the four are one copy, and nothing is outside.
template <bool WHOLE>
static __device__ void copy4(float *to, const float *p, int row, int col, int rows, int cols)
{
    p += row * cols + col;
    if (WHOLE) {
        __pipeline_memcpy_async(to, p, 16);
    } else {
#pragma unroll
        for (int e = 0; e < 4; e++)
            if (row < rows && col + e < cols) __pipeline_memcpy_async(to + e, p + e, 4);
            else to[e] = 0;
    }
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

// Given: the tiles of a step. A copy cannot turn the tile of a. So it stays as it is, and a thread loads four
// k of a row at once.
struct tiles {
    float4 a[HIGH][DEPTH / 4];
    float b[DEPTH][WIDE];
};

// Rows r and r + 2 are 32 words apart: every other pair of rows has its float4 exchanged, 0 with 1, 2 with 3.
static __device__ float4 *of_a(tiles &s, int row, int i) { return &s.a[row][(row & 2) ? i ^ 1 : i]; }

// The tiles from column k_tile of a and row k_tile of b on; t is a thread's number in its half.
template <bool WHOLE>
static __device__ void ask(
    tiles &s, int t, const float *a, const float *b, int m, int k, int n, int top, int left, int k_tile)
{
#pragma unroll
    for (int row = t / 4; row < HIGH; row += HALF / 4)
        copy4<WHOLE>((float *)of_a(s, row, t % 4), a, top + row, k_tile + t % 4 * 4, m, k);
#pragma unroll
    for (int row = t / 32; row < DEPTH; row += HALF / 32)
        copy4<WHOLE>(&s.b[row][t % 32 * 4], b, k_tile + row, left + t % 32 * 4, k, n);
}

template <bool WHOLE>
static __device__ void product(
    const float *a, const float *b, float *c, int m, int k, int n, int top, int left)
{
    extern __shared__ tiles stages[];
    int half = threadIdx.x / HALF, t = threadIdx.x % HALF, lane = t % 32, warp = t / 32;
    // Given: a warp computes 32 x 64 outputs, its lanes lie 4 x 8. This thread has rows r, r + 4, ... r + 28
    // and columns q to q + 3 and q + 32 to q + 35.
    int r = warp % 2 * 32 + lane / 2 % 2 + lane / 4 % 2 * 2;
    int q = warp / 2 * 64 + (lane % 2 + lane / 8 * 2) * 4;
    tiles *stage = stages + half * STAGES; // of this half

    int steps = (k + 2 * DEPTH - 1) / (2 * DEPTH); // of each half
    int begin = half == 0 ? 0 : k / 2;

    float sum[OWN][OWN] = {};
#pragma unroll
    for (int step = 0; step < STAGES - 1; step++) {
        if (step < steps)
            ask<WHOLE>(stage[step], t, a, b, m, k, n, top, left, begin + step * DEPTH);
        __pipeline_commit();
    }
    int now = 0, free = STAGES - 1;
    for (int step = 0; step < steps; step++) {
        __pipeline_wait_prior(1);
        __syncthreads(); // and everybody has left the stage that is filled now
        if (step + STAGES - 1 < steps)
            ask<WHOLE>(stage[free], t, a, b, m, k, n, top, left, begin + (step + STAGES - 1) * DEPTH);
        __pipeline_commit();
        tiles &s = stage[now];
#pragma unroll
        for (int i = 0; i < DEPTH / 4; i++) {
            float x[OWN][4];
#pragma unroll
            for (int j = 0; j < OWN; j++)
                *(float4 *)x[j] = *of_a(s, r + 4 * j, i);
#pragma unroll
            for (int e = 0; e < 4; e++) {
                float y[OWN];
                *(float4 *)&y[0] = *(float4 *)&s.b[4 * i + e][q];
                *(float4 *)&y[4] = *(float4 *)&s.b[4 * i + e][q + 32];
#pragma unroll
                for (int j = 0; j < OWN; j++)
#pragma unroll
                    for (int l = 0; l < OWN; l++)
                        sum[j][l] += x[j][e] * y[l];
            }
        }
        free = now;
        if (++now == STAGES)
            now = 0;
    }

    __pipeline_wait_prior(0);
    __syncthreads();
    float4 *meet = (float4 *)stages + t;
    if (half == 1) {
#pragma unroll
        for (int j = 0; j < OWN; j++) {
            meet[2 * j * HALF] = *(float4 *)&sum[j][0];
            meet[(2 * j + 1) * HALF] = *(float4 *)&sum[j][4];
        }
    }
    __syncthreads();
    if (half == 1)
        return;
#pragma unroll
    for (int j = 0; j < OWN; j++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            float4 v = meet[(2 * j + h) * HALF];
            v.x += sum[j][4 * h];
            v.y += sum[j][4 * h + 1];
            v.z += sum[j][4 * h + 2];
            v.w += sum[j][4 * h + 3];
            store4<WHOLE>(c, top + r + 4 * j, left + q + 32 * h, m, n, v);
        }
}

// Given, but for the order of the blocks, which may be that of your matmul.
__global__ void __launch_bounds__(2 * HALF, 1)
matmul_split(const float *a, const float *b, float *c, int m, int k, int n)
{
    int top = blockIdx.y * HIGH, left = blockIdx.x * WIDE;
    if (k % (2 * DEPTH) == 0 && n % 4 == 0 && top + HIGH <= m && left + WIDE <= n)
        product<true>(a, b, c, m, k, n, top, left);
    else
        product<false>(a, b, c, m, k, n, top, left);
}
