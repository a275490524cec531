// matmul: c = a b, the next tiles on their way while the products of these are added
//   Given:   a (m x k) and b (k x n), row-major floats, any m, k, n from 1 on; c is m x n. x of the grid runs
//            over the columns of c, y over its rows. A block of 256 threads computes 128 x 128 outputs, 8 x 8
//            a thread, in steps of 16 along k. `boundary` is complete: it computes the blocks that are partly
//            outside, and all blocks if k is no multiple of 16 or n no multiple of 4.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at m = n = 1024, k = 256, counted once per warp: at least 16384 asynchronous copies, at most
//            32768 global loads (copies are among them), 10240 barriers and 526336 loads from shared memory;
//            at least 65% of the instructions are multiply-adds
//   Read:    README.md steps 5 to 7, slides/08-pipelined.md
#include "lockstep.h"
#include "lockstep_async.h"

#define SIDE 128 // a block computes SIDE x SIDE outputs
#define DEPTH 16 // of a step along k
#define OWN 8    // a thread computes OWN x OWN of them
LAUNCH(matmul, BLOCK(256, 1), COVERS(SIDE, SIDE))

// TODO 1: predict, at m = n = 1024, k = 256: the asynchronous copies of all warps, if b goes by copies of 16
//     bytes and a does not; the barriers of all warps, with one before the first step and one in each.
PREDICT(copies, 2 * 16 * (8 * 64))
PREDICT(barriers, (1 + 16) * (8 * 64))

// Given: the tiles of a step. Column i of the tile of a is row i here.
struct tiles {
    float a[DEPTH][SIDE + 4], b[DEPTH][SIDE];
};

// Given: the floats that a thread needs for one k, loaded from row i of the tiles.
struct factors {
    float x[OWN], y[OWN];
};

static __device__ void get(factors &f, const tiles &s, int i, int r, int q)
{
#pragma unroll
    for (int h = 0; h < 2; h++) {
        *(float4 *)&f.x[4 * h] = *(const float4 *)&s.a[i][r + 16 * h];
        *(float4 *)&f.y[4 * h] = *(const float4 *)&s.b[i][q + 32 * h];
    }
}

static __device__ void add_products(float (&sum)[OWN][OWN], const factors &f)
{
#pragma unroll
    for (int j = 0; j < OWN; j++)
#pragma unroll
        for (int l = 0; l < OWN; l++)
            sum[j][l] += f.x[j] * f.y[l];
}

// The fast path: nothing is outside, and all rows begin at a multiple of 16 bytes.
static __device__ void interior(
    tiles *stage, const float *a, const float *b, float *c, int m, int k, int n, int top, int left)
{
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    // Given: as in lab 07. This thread has rows r to r + 3 and r + 16 to r + 19, and columns q to q + 3 and
    // q + 32 to q + 35.
    int r = warp % 4 * 32 + (lane / 2 % 2 + lane / 4 % 2 * 2) * 4;
    int q = warp / 4 * 64 + (lane % 2 + lane / 8 * 2) * 4;

    const int ay = t / 4, ax = t % 4 * 4; // a: rows ay and ay + 64, four columns from ax on
    const int by = t / 32, bx = lane * 4; // b: rows by and by + 8, four columns from bx on
    const float *pa = a + (top + ay) * k + ax;
    const float *pb = b + by * n + left + bx;
    float4 low, high;
    float sum[OWN][OWN] = {};

    auto ask = [&](tiles &to) {
        low = *(const float4 *)pa;
        high = *(const float4 *)(pa + 64 * k);
        __pipeline_memcpy_async(&to.b[by][bx], pb, 16);
        __pipeline_memcpy_async(&to.b[by + 8][bx], pb + 8 * n, 16);
        __pipeline_commit();
        pa += DEPTH;
        pb += DEPTH * n;
    };
    auto land = [&](tiles &to, bool any) {
        if (any) {
            to.a[ax][ay] = low.x, to.a[ax + 1][ay] = low.y, to.a[ax + 2][ay] = low.z, to.a[ax + 3][ay] = low.w;
            to.a[ax][ay + 64] = high.x, to.a[ax + 1][ay + 64] = high.y;
            to.a[ax + 2][ay + 64] = high.z, to.a[ax + 3][ay + 64] = high.w;
        }
        __syncthreads();
        __pipeline_wait_prior(0);
    };

    factors f[2];
    ask(stage[0]);
    land(stage[0], true);
    get(f[0], stage[0], 0, r, q);
    int current = 0;
    for (int k_tile = 0; k_tile < k; k_tile += DEPTH) {
        tiles &now = stage[current], &next = stage[current ^ 1];
        const bool more = k_tile + DEPTH < k;
        if (more)
            ask(next);
#pragma unroll
        for (int i = 0; i < DEPTH - 1; i++) {
            get(f[(i + 1) % 2], now, i + 1, r, q);
            add_products(sum, f[i % 2]);
        }
        land(next, more);
        if (more)
            get(f[0], next, 0, r, q);
        add_products(sum, f[1]); // the last row, DEPTH - 1
        current ^= 1;
    }

#pragma unroll
    for (int j = 0; j < OWN; j++) {
        float *row = c + (top + r + j / 4 * 16 + j % 4) * n + left + q;
        *(float4 *)row = make_float4(sum[j][0], sum[j][1], sum[j][2], sum[j][3]);
        *(float4 *)(row + 32) = make_float4(sum[j][4], sum[j][5], sum[j][6], sum[j][7]);
    }
}

// Given: any other block, by single floats. The loops stay loops, and cost the fast path no registers.
static __device__ void boundary(
    tiles *stage, const float *a, const float *b, float *c, int m, int k, int n, int top, int left)
{
    tiles &s = stage[0];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int r = warp % 4 * 32 + (lane / 2 % 2 + lane / 4 % 2 * 2) * 4;
    int q = warp / 4 * 64 + (lane % 2 + lane / 8 * 2) * 4;
    float sum[OWN][OWN] = {};
    factors f;
    ROLLED for (int k_tile = 0; k_tile < k; k_tile += DEPTH) {
        ROLLED for (int h = 0; h < SIDE; h += DEPTH) {
            int row = top + t / 16 + h, col = left + t % 16 + h, i = k_tile + t % 16, j = k_tile + t / 16;
            s.a[t % 16][t / 16 + h] = row < m && i < k ? a[row * k + i] : 0;
            s.b[t / 16][t % 16 + h] = j < k && col < n ? b[j * n + col] : 0;
        }
        __syncthreads();
        ROLLED for (int i = 0; i < DEPTH; i++) {
            get(f, s, i, r, q);
            add_products(sum, f);
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < OWN; j++)
#pragma unroll
        for (int l = 0; l < OWN; l++) {
            int row = top + r + j / 4 * 16 + j % 4, col = left + q + l / 4 * 32 + l % 4;
            if (row < m && col < n)
                c[row * n + col] = sum[j][l];
        }
}

// Given. At most 128 registers a thread, so that two blocks fit on a multiprocessor.
__global__ void __launch_bounds__(256, 2)
matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ __align__(16) tiles stage[2];
    int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    if (k % DEPTH == 0 && n % 4 == 0 && top + SIDE <= m && left + SIDE <= n)
        interior(stage, a, b, c, m, k, n, top, left);
    else
        boundary(stage, a, b, c, m, k, n, top, left);
}
