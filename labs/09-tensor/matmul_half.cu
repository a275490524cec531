// matmul_half: c = a b by tensor cores, factors rounded to half precision
//   Given:   a (m x k) and b (k x n), row-major floats, any m, k, n from 1 on; c is m x n. A block of 4 warps
//            computes 128 x 128 outputs. Each element may be off by 4 times 2^-11 of the root of the sum of
//            the squares of its terms, as in TF32, and a little more for numbers below 2^-14.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at m = n = 2048, k = 64, counted once per warp: 131072 products of matrices, half as many as
//            with TF32; at most 131072 wavefronts of loads from shared memory, and 20480 bytes of it a block
//   Read:    README.md steps 7 and 8, slides/09-tensor.md "TF32"
#include "lockstep.h"
#include "lockstep_tensor.h"

#define WIDE 128 // a block computes WIDE x WIDE outputs, each of its 4 warps 64 x 64
#define DEPTH 32 // of a step along k
#define THREADS 128
#define A_ROW (DEPTH / 2) // TODO 2: words of a row of a's tile, padded: a multiple of 4
#define B_ROW WIDE        // TODO 2: words of a row of b's tile, padded: a multiple of 4
LAUNCH(matmul_half, BLOCK(THREADS, 1), COVERS(WIDE, WIDE))

// TODO 1: predict, at m = n = 2048, k = 64: products of matrices and ldmatrix of all warps; bytes of both
//     tiles with the least padding that avoids conflicts.
PREDICT(products, UNKNOWN)
PREDICT(matrix_loads, UNKNOWN)
PREDICT(tile_bytes, UNKNOWN)

// Given: four neighbours of a row; outside of the matrix zeros. WHOLE: nothing is outside, and all rows begin
// at a multiple of 16 bytes.
template <bool WHOLE>
static __device__ float4 load4(const float *p, int row, int col, int rows, int cols)
{
    p += row * cols + col;
    if (WHOLE)
        return *(const float4 *)p;
    return make_float4(row < rows && col < cols ? p[0] : 0, row < rows && col + 1 < cols ? p[1] : 0,
        row < rows && col + 2 < cols ? p[2] : 0, row < rows && col + 3 < cols ? p[3] : 0);
}

// Given: two neighbours of a row of c, as far as they are inside.
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

// Two neighbours along k in each word
struct tiles {
    unsigned a[WIDE][A_ROW], b[DEPTH / 2][B_ROW];
};

template <bool WHOLE>
static __device__ void product(
    tiles &tile, const float *a, const float *b, float *c, int m, int k, int n)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
    int top = blockIdx.y * WIDE, left = blockIdx.x * WIDE, down = warp / 2 * 64, right = warp % 2 * 64;
    float sum[4][8][4] = {};
    for (int k_tile = 0; k_tile < k; k_tile += DEPTH) {
        // TODO 3: fetch the tile of a by load4, 8 threads a row, and store two neighbours a word: to_halves.
        // TODO 4: fetch the tile of b, 32 threads a row. A word has two rows of a column: load the same four
        //     columns of rows 2 r and 2 r + 1, and store four words.
        // TODO 5: for each 16 k, which are 8 words: 4 fragments of a by ldmatrix, 8 of b by loads of a word,
        //     and 32 times mma_half. The table is in lockstep_tensor.h.
    }
    // TODO 6: store the sums by store2: d has the places that it has with TF32.
}

// Given.
__global__ void __launch_bounds__(THREADS, 2)
matmul_half(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ __align__(16) tiles tile;
    int bottom = (blockIdx.y + 1) * WIDE, right = (blockIdx.x + 1) * WIDE;
    if (k % DEPTH == 0 && n % 4 == 0 && bottom <= m && right <= n)
        product<true>(tile, a, b, c, m, k, n);
    else
        product<false>(tile, a, b, c, m, k, n);
}
