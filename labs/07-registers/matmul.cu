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

// TODO 1: predict, at m = n = 2048, k = 64: how many loads from shared memory do all warps make, each counted
//     once per warp? Neighbouring floats that a thread needs come 16 bytes at a time.
PREDICT(column_loads, UNKNOWN)
PREDICT(tile_loads, UNKNOWN)

__global__ void matmul_column(const float *a, const float *b, float *c, int m, int k, int n)
{
    // TODO 2: declare both tiles in shared memory. Store the tile of a turned, so that the 8 floats that a
    //     thread needs for one k are neighbours. Loads of 16 bytes want __align__(16), and rows of a multiple
    //     of 4 floats. Each of the 512 threads fetches one float of each tile.
    // TODO 3: for each k of the tiles load one float of b, and use it for 8 multiply-adds.
    // TODO 4: store the sums that are inside c.
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

    // TODO 5: declare both tiles, and 8 x 8 sums. In a step each thread fetches four neighbours of a row of
    //     a by load4<WHOLE>, which it stores down a column of its tile, and four neighbours of a row of b.
    // TODO 6: for each k of the tiles load 8 floats of a and 8 of b, 16 bytes at a time, and add the 64
    //     products. All loops over sums must be unrolled: a register has no index.
    // TODO 7: store the sums by store4<WHOLE>.
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
