// matmul_split: the copies begin when their tiles are needed
#include "lockstep.h"
#include "lockstep_async.h"

#define HIGH 64  // a block computes HIGH x WIDE outputs
#define WIDE 128
#define DEPTH 16 // columns of a in a step along k
#define OWN 8    // a thread adds OWN x OWN products for each k
#define HALF 128 // threads that share a half of k
#define STAGES 3
#define BAND 4   // rows of blocks that run together
LAUNCH_SHARED(matmul_split, BLOCK(2 * HALF, 1), COVERS(WIDE, HIGH), 2 * STAGES * (HIGH + WIDE) * DEPTH * 4)

PREDICT(copies, UNKNOWN)
PREDICT(meetings, UNKNOWN)  // 64 sums a thread, four at a time, of half the warps

// Four neighbours of a row, from p on, go to shared memory; zeros from outside the matrix. WHOLE: all rows
// begin at a multiple of 16 bytes, so the four are one copy, and nothing is outside. The kernel decides that
// once.
template <bool WHOLE>
static __device__ void copy4(float *to, const float *p, int row, int col, int rows, int cols)
{
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

// An asynchronous copy cannot transpose, so the tile of a stays as it is: a thread loads four k of a row at
// once. Rows two apart (2 x 64 bytes) share banks, so two of every four rows have their float4 swapped.
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
    int half = threadIdx.x / HALF, t = threadIdx.x % HALF, lane = t % 32, warp = t / 32;
    // A warp computes 32 x 64 outputs by 4 x 8 lanes. A thread has rows r, r + 4, ... r + 28, and columns q
    // to q + 3 and q + 32 to q + 35.
    int r = warp % 2 * 32 + lane / 2 % 2 + lane / 4 % 2 * 2;
    int q = warp / 2 * 64 + (lane % 2 + lane / 8 * 2) * 4;
    tiles *stage = stages + half * STAGES;
    int steps = (k + 2 * DEPTH - 1) / (2 * DEPTH), from = half * steps * DEPTH;

    int row = top + t / 4, col = left + lane * 4; // first row of a and column of b that this thread copies
    const float *next_a = &a[row * k + from + t % 4 * 4], *next_b = &b[(from + t / 32) * n + col];
    // At the end empty groups are committed, so that the wait leaves the same number of groups in each step.
    auto fetch = [&](int step, tiles &s) {
        int k_tile = from + step * DEPTH;
        if (step < steps) {
#pragma unroll
            for (int h = 0; h < HIGH; h += 32)
                copy4<WHOLE>((float *)of_a(s, t / 4 + h, t % 4), next_a + (size_t)h * k, row + h,
                    k_tile + t % 4 * 4, m, k);
#pragma unroll
            for (int h = 0; h < DEPTH; h += 4)
                copy4<WHOLE>(
                    &s.b[t / 32 + h][lane * 4], next_b + (size_t)h * n, k_tile + t / 32 + h, col, k, n);
            next_a += DEPTH, next_b += (size_t)DEPTH * n;
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
    // In the last step, next equals now: loading its floats once more costs less than a branch.
    int now = 0, next = steps > 1 ? 1 : 0, last = 2;
    fetch(0, stage[now]);
    fetch(1, stage[next]);
    __pipeline_wait_prior(1);
    __syncthreads();
    get_a(stage[now], 0), get_b(stage[now], 0);
    for (int step = 0; step < steps; step++) {
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            // The floats of the next k are on their way while the products of this one are added.
            if (i + 1 < DEPTH) {
                get_b(stage[now], i + 1);
                if (i % 4 == 2 && i + 2 < DEPTH)
                    get_a(stage[now], i / 4 + 1);
            } else {
                if (step > 0)
                    fetch(step + 1, stage[next]);
                __pipeline_wait_prior(0);
                __syncthreads();
                get_b(stage[next], 0), get_a(stage[next], 0);
            }
#pragma unroll
            for (int j = 0; j < OWN; j++)
#pragma unroll
                for (int l = 0; l < OWN; l++) {
                    int up = j % 2 ? OWN - 1 - l : l; // alternately up and down
                    sum[j][up] += x[i / 4 % 2][j][i % 4] * y[i % 2][up];
                }
        }
        int done = now;
        now = next, next = step + 2 < steps ? last : now, last = done;
    }
    // The sums of both halves meet in shared memory, where the tiles were.
    float4 *meet = (float4 *)stages;
    __pipeline_wait_prior(0);
    __syncthreads();
    if (half == 1)
#pragma unroll
        for (int j = 0; j < OWN; j++)
#pragma unroll
            for (int h = 0; h < 2; h++)
                meet[(2 * j + h) * HALF + t] = *(float4 *)&sum[j][4 * h];
    __syncthreads();
    if (half == 1)
        return;
#pragma unroll
    for (int j = 0; j < OWN; j++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            float4 v = meet[(2 * j + h) * HALF + t];
            v.x += sum[j][4 * h], v.y += sum[j][4 * h + 1];
            v.z += sum[j][4 * h + 2], v.w += sum[j][4 * h + 3];
            store4<WHOLE>(c, top + r + 4 * j, left + q + 32 * h, m, n, v);
        }
}

__global__ void __launch_bounds__(2 * HALF, 1)
matmul_split(const float *a, const float *b, float *c, int m, int k, int n)
{
    int number = blockIdx.y * gridDim.x + blockIdx.x, band = number / (BAND * gridDim.x) * BAND;
    int high = min(BAND, gridDim.y - band), in = number - band * gridDim.x;
    int top = (band + in % high) * HIGH, left = in / high * WIDE;
    if (k % (2 * DEPTH) == 0 && n % 4 == 0 && top + HIGH <= m && left + WIDE <= n)
        product<true>(a, b, c, m, k, n, top, left);
    else
        product<false>(a, b, c, m, k, n, top, left);
}
