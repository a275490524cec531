// matmul_split: c = a b for small c: two halves of a block share a tile, and each adds half of k
//   Given:   a (m x k) and b (k x n), row-major floats, any m, k, n from 1 on; c is m x n. x of the grid runs
//            over the columns of c, y over its rows. A block of 2 x 128 threads computes 64 x 128 outputs.
//            Thread t of each half has 8 x 8 of them; the first half adds the products of the lower k, the
//            second those of the upper k, in steps of 16, with three stages.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at m = n = 1024, k = 256, counted once per warp: at least 49152 asynchronous copies and at most
//            as many global loads, at most 542720 loads from shared memory without bank conflicts; 8 warps on
//            each multiprocessor
//   Read:    README.md steps 8 to 10, slides/08-pipelined.md
#include "lockstep.h"
#include "lockstep_async.h"

#define HIGH 64  // a block computes HIGH x WIDE outputs
#define WIDE 128
#define DEPTH 16 // of a step along k
#define OWN 8    // a thread adds OWN x OWN products for each k
#define HALF 128 // threads that share a half of k
#define STAGES 3
LAUNCH_SHARED(matmul_split, BLOCK(2 * HALF, 1), COVERS(WIDE, HIGH), 2 * STAGES * (HIGH + WIDE) * DEPTH * 4)

// TODO 1: predict, at m = n = 1024, k = 256: the asynchronous copies of all warps, if a and b go by copies of
//     16 bytes; the stores to shared memory, if only sums are stored, four at a time.
PREDICT(copies, 6 * 8 * 8 * 128)
PREDICT(meetings, 16 * 4 * 128)

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

// Every second pair of rows has its float4 exchanged in twos: rows r and r + 2 would meet in the same banks.
static __device__ float4 *of_a(tiles &s, int row, int i) { return &s.a[row][i ^ (row >> 1 & 1)]; }

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

    const int steps = k / (2 * DEPTH); // of each half
    const int from = half * steps * DEPTH; // first k of this half

    auto ask = [&](int step, tiles &s) {
        if (step < steps) {
            const int k_tile = from + step * DEPTH;
            const int ai = t % 4, ay = t / 4, by = t / 32, bx = lane * 4;
#pragma unroll
            for (int h = 0; h < HIGH; h += HALF / 4)
                copy4<WHOLE>((float *)of_a(s, ay + h, ai), a, top + ay + h, k_tile + 4 * ai, m, k);
#pragma unroll
            for (int h = 0; h < DEPTH; h += HALF / 32)
                copy4<WHOLE>(&s.b[by + h][bx], b, k_tile + by + h, left + bx, k, n);
        }
        __pipeline_commit(); // maybe an empty group
    };

    float sum[OWN][OWN] = {};
    int now = 0, next = 1, last = 2;
    ask(0, stage[now]);
    ask(1, stage[next]);
    for (int step = 0; step < steps; step++) {
        __pipeline_wait_prior(1);
        __syncthreads();
        ask(step + 2, stage[last]);
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
                *(float4 *)&y[0] = *(const float4 *)&s.b[4 * i + e][q];
                *(float4 *)&y[4] = *(const float4 *)&s.b[4 * i + e][q + 32];
#pragma unroll
                for (int j = 0; j < OWN; j++)
#pragma unroll
                    for (int l = 0; l < OWN; l++)
                        sum[j][l] += x[j][e] * y[l];
            }
        }
        const int free = now;
        now = next, next = last, last = free;
    }

    // both halves meet where the tiles were
    float4 *meet = (float4 *)stages;
    __pipeline_wait_prior(0);
    __syncthreads();
    if (half == 1) {
#pragma unroll
        for (int i = 0; i < 2 * OWN; i++) {
            const float *four = &sum[i / 2][i % 2 * 4];
            meet[i * HALF + t] = make_float4(four[0], four[1], four[2], four[3]);
        }
    }
    __syncthreads();
    if (half == 0) {
#pragma unroll
        for (int i = 0; i < 2 * OWN; i++) {
            const float *four = &sum[i / 2][i % 2 * 4];
            float4 v = meet[i * HALF + t];
            v.x += four[0], v.y += four[1], v.z += four[2], v.w += four[3];
            store4<WHOLE>(c, top + r + i / 2 * 4, left + q + i % 2 * 32, m, n, v);
        }
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
