// Three stages and a swizzle, but the block is not split: 4 warps on each multiprocessor.
#include "lockstep.h"
#include "lockstep_async.h"

#define HIGH 64
#define WIDE 128
#define DEPTH 16
#define OWN 8
#define HALF 128
#define STAGES 3
#define BAND 4
LAUNCH_SHARED(matmul_split, BLOCK(HALF, 1), COVERS(WIDE, HIGH), STAGES * (HIGH + WIDE) * DEPTH * 4)

PREDICT(copies, UNKNOWN)
PREDICT(meetings, UNKNOWN)

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

struct tiles {
    float4 a[HIGH][DEPTH / 4];
    float b[DEPTH][WIDE];
};

static __device__ float4 *of_a(tiles &s, int row, int i) { return &s.a[row][i ^ row / 2 % 2]; }

template <bool WHOLE>
static __device__ void product(
    const float *a, const float *b, float *c, int m, int k, int n, int top, int left)
{
    extern __shared__ tiles stages[];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int r = warp % 2 * 32 + lane / 2 % 2 + lane / 4 % 2 * 2;
    int q = warp / 2 * 64 + (lane % 2 + lane / 8 * 2) * 4;
    tiles *stage = stages;
    int steps = (k + DEPTH - 1) / DEPTH;

    auto fetch = [&](int step, tiles &s) {
        int k_tile = step * DEPTH;
        if (step < steps) {
#pragma unroll
            for (int h = 0; h < HIGH; h += 32)
                copy4<WHOLE>((float *)of_a(s, t / 4 + h, t % 4), a, top + t / 4 + h, k_tile + t % 4 * 4, m, k);
#pragma unroll
            for (int h = 0; h < DEPTH; h += 4)
                copy4<WHOLE>(&s.b[t / 32 + h][lane * 4], b, k_tile + t / 32 + h, left + lane * 4, k, n);
        }
        __pipeline_commit();
    };
    float x[2][OWN][4], y[2][OWN], sum[OWN][OWN] = {};
    auto get_a = [&](tiles &s, int i) {
#pragma unroll
        for (int j = 0; j < OWN; j++)
            *(float4 *)x[i % 2][j] = *of_a(s, r + 4 * j, i);
    };
    auto get_b = [&](tiles &s, int i) {
#pragma unroll
        for (int h = 0; h < 2; h++)
            *(float4 *)&y[i % 2][4 * h] = *(float4 *)&s.b[i][q + 32 * h];
    };
    int now = 0, next = 1, last = 2;
    fetch(0, stage[now]);
    fetch(1, stage[next]);
    __pipeline_wait_prior(1);
    __syncthreads();
    get_a(stage[now], 0), get_b(stage[now], 0);
    for (int step = 0; step < steps; step++) {
        fetch(step + 2, stage[last]);
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            if (i + 1 < DEPTH) {
                get_b(stage[now], i + 1);
                if (i % 4 == 2 && i + 2 < DEPTH)
                    get_a(stage[now], i / 4 + 1);
            } else if (step + 1 < steps) {
                __pipeline_wait_prior(1);
                __syncthreads();
                get_b(stage[next], 0), get_a(stage[next], 0);
            }
#pragma unroll
            for (int j = 0; j < OWN; j++)
#pragma unroll
                for (int l = 0; l < OWN; l++) {
                    int up = j % 2 ? OWN - 1 - l : l;
                    sum[j][up] += x[i / 4 % 2][j][i % 4] * y[i % 2][up];
                }
        }
        int done = now;
        now = next, next = last, last = done;
    }
#pragma unroll
    for (int j = 0; j < OWN; j++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            float4 v = *(float4 *)&sum[j][4 * h];
            store4<WHOLE>(c, top + r + 4 * j, left + q + 32 * h, m, n, v);
        }
}

__global__ void __launch_bounds__(HALF, 1)
matmul_split(const float *a, const float *b, float *c, int m, int k, int n)
{
    int number = blockIdx.y * gridDim.x + blockIdx.x, band = number / (BAND * gridDim.x) * BAND;
    int high = min(BAND, gridDim.y - band), in = number - band * gridDim.x;
    int top = (band + in % high) * HIGH, left = in / high * WIDE;
    if (k % DEPTH == 0 && n % 4 == 0 && top + HIGH <= m && left + WIDE <= n)
        product<true>(a, b, c, m, k, n, top, left);
    else
        product<false>(a, b, c, m, k, n, top, left);
}
