// matmul_split: c = a b for small c: two halves of a block share a tile, and each adds half of k
//   Given:   a (m x k) and b (k x n), row-major floats, any m, k, n from 1 on; c is m x n. x of the grid runs
//            over the columns of c, y over its rows. A block of 2 x 128 threads computes 64 x 128 outputs.
//            Thread t of each half has 8 x 8 of them; the first half adds the products of the lower k, the
//            second those of the upper k, in steps of 16, with three stages.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at m = n = 1024, k = 256, counted once per warp: at least 49152 asynchronous copies and at most
//            as many global loads, at most 542720 loads from shared memory without bank conflicts; 8 warps on
//            each multiprocessor; 256 multiply-adds of a warp between a copy and its wait
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
PREDICT(copies, UNKNOWN)
PREDICT(meetings, UNKNOWN)

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

// TODO 2: where is float4 i of a row? The threads with rows r and r + 2 load at the same time, and a row has
//     64 bytes.
static __device__ float4 *of_a(tiles &s, int row, int i) { return &s.a[row][i]; }

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

    // TODO 3: which steps along k has this half? Each half has the same number, and needs all barriers.
    // TODO 4: ask for the tiles of a step: each thread copies two float4 of a and four of b by copy4<WHOLE>,
    //     and ends the group. A group at the end may be empty, so that the wait is always for the same
    //     number.
    // TODO 5: ask for two steps ahead. In each step wait until one group is left under way, then for the
    //     other threads; ask for the step after the next; add the products of this one.
    // TODO 6: the sums of the second half go to shared memory, where the tiles were; the first half adds them
    //     to its own, and stores them by store4<WHOLE>.
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
