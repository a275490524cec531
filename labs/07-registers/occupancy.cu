// occupancy: how many blocks a multiprocessor holds, and a product that is faster with fewer of its warps
//   Given:   c = a b: a (m x k), b (k x n), row-major floats, any sizes. x of the grid runs over the columns
//            of c, y over its rows. full, reserved, one_warp and large are complete and right.
//            A multiprocessor of an H200 holds at most 2048 threads, 32 blocks, 65536 registers and 228 KB of
//            shared memory, of which the system takes 1 KB for each block.
//   Example: a block of 512 threads, 40 registers each, 20 KB: 4, 32, 3 and 10 blocks would fit, so 3 do
//   Budget:  few, at m = n = 1024, k = 64: at most 1048576 loads from shared memory, counted once per warp;
//            an occupancy of at most 50%; and the time
//   Read:    README.md steps 10 and 11, slides/07-registers.md "Few warps"
#include "lockstep.h"

#define SIDE 16 // of a tile of `one`
#define SHARED (44 * 1024)
#define OUTPUTS 14 // of a thread of `large`
LAUNCH(full, BLOCK(SIDE, SIDE), COVERS(SIDE, SIDE))
LAUNCH_SHARED(reserved, BLOCK(SIDE, SIDE), COVERS(SIDE, SIDE), SHARED)
LAUNCH(one_warp, BLOCK(32, 1), COVERS(32, 1))
LAUNCH(large, BLOCK(32, 32), COVERS(32, 32 * OUTPUTS))
LAUNCH(few, BLOCK(16, 16), COVERS(64, 64))

// TODO 1: predict how many blocks fit on a multiprocessor of an H200. What is full first? The kernels run at
//     m = n = 1024, k = 64; the blocks that fit depend on no size.
PREDICT(full_blocks, UNKNOWN)     // at most 32 registers a thread
PREDICT(reserved_blocks, UNKNOWN) // the same kernel, with SHARED bytes more that nobody uses
PREDICT(one_warp_blocks, UNKNOWN) // at most 32 registers a thread
PREDICT(large_blocks, UNKNOWN)    // 48 to 64 registers a thread, whatever compiles it

// Given: these four stay as they are.
// One output a thread, tiles of SIDE x SIDE
static __device__ void one(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * SIDE + y, col = blockIdx.x * SIDE + x;
    float sum = 0;
    for (int t = 0; t < k; t += SIDE) {
        a_tile[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0;
        b_tile[y][x] = t + y < k && col < n ? b[(t + y) * n + col] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < SIDE; i++)
            sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

__global__ void full(const float *a, const float *b, float *c, int m, int k, int n) { one(a, b, c, m, k, n); }

__global__ void reserved(const float *a, const float *b, float *c, int m, int k, int n)
{
    one(a, b, c, m, k, n);
}

__global__ void one_warp(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    if (col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

// OUTPUTS outputs a thread, 32 rows apart: sums, addresses and factors in 48 to 64 registers
__global__ void large(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.y * 32 * OUTPUTS + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    float sum[OUTPUTS] = {};
    if (col >= n)
        return;
    ROLLED for (int i = 0; i < k; i++) {
        float factor = b[i * n + col];
#pragma unroll
        for (int j = 0; j < OUTPUTS; j++)
            sum[j] += a[min(row + 32 * j, m - 1) * k + i] * factor;
    }
#pragma unroll
    for (int j = 0; j < OUTPUTS; j++)
        if (row + 32 * j < m)
            c[(row + 32 * j) * n + col] = sum[j];
}

__global__ void few(const float *a, const float *b, float *c, int m, int k, int n)
{
    // TODO 2: a block of 256 threads computes 64 x 64 outputs, so 16 a thread. Let them be 16 apart: rows y,
    //     y + 16, ..., and columns x, x + 16, ... Then neighbouring threads have neighbouring columns.
    // TODO 3: fetch tiles of 64 x 64 floats of a and of b: 16 of each a thread, all before the barrier.
    // TODO 4: add up the products: for each k 4 floats of a and 4 of b serve 16. Two rows of a are read by a
    //     warp: how long must a row of its tile be?
}
