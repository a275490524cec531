// matmul_tf32: c = a b by tensor cores, factors rounded to TF32
//   Given:   a (m x k) and b (k x n), row-major floats, any m, k, n from 1 on; c is m x n. x of the grid runs
//            over the columns of c, y over its rows. A block of 4 warps computes 128 x 128 outputs, a warp
//            64 x 64. The tiles of a step of 32 along k come by asynchronous copies, two stages in turn: 16
//            bytes at once where all rows are aligned and the block is inside of c, else a float at a time.
//            c may be as far off as its factors' rounding to TF32 makes it.
//            Rows 7, 15, 23, ... of a hold numbers up to 2^20, the others up to 1.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at m = n = 2048, k = 64, counted once per warp: at least 262144 products of matrices and no
//            multiply-add elsewhere; at most 131072 loads from shared memory beside ldmatrix, 262144
//            wavefronts of both, and 32768 copies
//   Read:    README.md steps 4 to 6, slides/09-tensor.md
#include "lockstep.h"
#include "lockstep_async.h"
#include "lockstep_tensor.h"

#define WIDE 128          // a block computes WIDE x WIDE outputs, each of its 4 warps 64 x 64
#define DEPTH 32          // of a step along k
#define THREADS 128
#define B_TILE (WIDE * DEPTH)
// TODO 2: pad the rows of b's tile, so that a load of its fragments has no conflict. They have to begin at a
//     multiple of 4 floats.
#define B_ROW WIDE        // floats of a row of b's tile
#define STAGE (B_TILE + DEPTH * B_ROW)
LAUNCH_SHARED(matmul_tf32, BLOCK(THREADS, 1), COVERS(WIDE, WIDE), 2 * STAGE * 4)

// TODO 1: predict, at m = n = 2048, k = 64: products of matrices, ldmatrix, and wavefronts of all loads from
//     shared memory, in all warps.
PREDICT(products, UNKNOWN)
PREDICT(matrix_loads, UNKNOWN)
PREDICT(wavefronts, UNKNOWN)

// TODO 3: where a row's four floats from col on are in a's tile. Let pieces of 16 bytes change places within
//     their row, so that ldmatrix has no conflict: the swizzle of lab 08. Padding would tear the sectors of
//     the copies apart.
static __device__ int place_in_a(int row, int col) { return row * DEPTH + col; }

// Given: copies four neighbours of a row to shared memory, asynchronously; outside of the matrix zeros.
// WHOLE: all rows begin at a multiple of 16 bytes, so that the four are one copy, and nothing is outside.
template <bool WHOLE>
static __device__ void copy4(float *to, const float *p, int row, int col, int rows, int cols)
{
    if (WHOLE) {
        __pipeline_memcpy_async(to, p + row * cols + col, 16);
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        bool inside = row < rows && col + i < cols;
        __pipeline_memcpy_async(to + i, inside ? p + row * cols + col + i : p, 4, inside ? 0 : 4);
    }
}

// Given: copies both tiles of the step from k_tile on: a's to stage, b's to stage + B_TILE.
template <bool WHOLE>
static __device__ void fetch(float *stage, const float *a, const float *b, int k_tile, int m, int k, int n)
{
    int top = blockIdx.y * WIDE, left = blockIdx.x * WIDE;
    ROLLED for (int i = 0; i < WIDE * DEPTH / 4 / THREADS; i++) {
        int at = i * THREADS + threadIdx.x, row = at / (DEPTH / 4), col = at % (DEPTH / 4) * 4;
        copy4<WHOLE>(&stage[place_in_a(row, col)], a, top + row, k_tile + col, m, k);
    }
    ROLLED for (int i = 0; i < WIDE * DEPTH / 4 / THREADS; i++) {
        int at = i * THREADS + threadIdx.x, row = at / (WIDE / 4), col = at % (WIDE / 4) * 4;
        copy4<WHOLE>(&stage[B_TILE + row * B_ROW + col], b, k_tile + row, left + col, k, n);
    }
    __pipeline_commit();
}

// Given.
template <bool WHOLE>
static __device__ void store2(float *p, int row, int col, int rows, int cols, float x, float y)
{
    p += row * cols + col;
    if (WHOLE) {
        *(float2 *)p = make_float2(x, y);
    } else if (row < rows) {
        if (col < cols) p[0] = x;
        if (col + 1 < cols) p[1] = y;
    }
}

template <bool WHOLE>
static __device__ void product(const float *a, const float *b, float *c, int m, int k, int n)
{
    extern __shared__ __align__(16) float tiles[];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
    int down = warp / 2 * 64, right = warp % 2 * 64; // of the warp's outputs in the block's

    // TODO 4: declare 4 x 8 fragments of 4 sums each. Fetch the first step's tiles. In each step fetch the
    //     next tiles to the other stage, then wait: __pipeline_wait_prior(1), or (0) in the last step.
    //     __syncthreads() before the tiles are read, and again before they are overwritten.
    // TODO 5: for every 8 of k load 4 fragments of a by ldmatrix, 16 rows each. Which row, and which 4 of the
    //     8 columns, does a lane pass, so that x[i] is register i of the fragment? Round them by to_tf32.
    // TODO 6: load 8 fragments of b, two floats a lane, rounded as well, and make 4 x 8 products by mma_tf32.
    // TODO 7: store the sums by store2<WHOLE>, two neighbours at a time.
}

// Given.
__global__ void __launch_bounds__(THREADS, 2)
matmul_tf32(const float *a, const float *b, float *c, int m, int k, int n)
{
    int bottom = (blockIdx.y + 1) * WIDE, right = (blockIdx.x + 1) * WIDE;
    if (k % DEPTH == 0 && n % 4 == 0 && bottom <= m && right <= n)
        product<true>(a, b, c, m, k, n);
    else
        product<false>(a, b, c, m, k, n);
}
