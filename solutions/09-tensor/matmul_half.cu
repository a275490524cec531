// matmul_half: c = a b by tensor cores, factors rounded to half precision
#include "lockstep.h"
#include "lockstep_tensor.h"

#define WIDE 128 // a block computes WIDE x WIDE outputs, each of its 4 warps 64 x 64
#define DEPTH 32 // columns of a in a step along k
#define THREADS 128
#define A_ROW (DEPTH / 2 + 4) // words of a row of a's tile: 8 rows of 4 words lie in different banks
#define B_ROW (WIDE + 8)      // words of two rows of b: 4 rows of 8 words lie in different banks
LAUNCH(matmul_half, BLOCK(THREADS, 1), COVERS(WIDE, WIDE))

PREDICT(products, 2048 / 16 * (2048 / 8) * (64 / 16)) // half as many as of TF32: a product has 16 k
PREDICT(matrix_loads, 256 * 4 * (64 / 16) * 4)        // 4 times 16 rows of a warp
PREDICT(tile_bytes, 4 * (128 * 20 + 16 * 136))        // a word is two halves

// Load four neighbours of a row, zeros outside of the matrix. WHOLE: nothing is outside, and all rows begin
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
        // Rounded on their way, the factors take half as many words in shared memory, and half as many loads.
#pragma unroll 4
        for (int i = 0; i < WIDE * DEPTH / 4 / THREADS; i++) {
            int at = i * THREADS + threadIdx.x, row = at / (DEPTH / 4), col = at % (DEPTH / 4) * 4;
            float4 v = load4<WHOLE>(a, top + row, k_tile + col, m, k);
            *(uint2 *)&tile.a[row][col / 2] = make_uint2(to_halves(v.x, v.y), to_halves(v.z, v.w));
        }
        // A register of b holds two rows of a column, so they are put together here.
#pragma unroll 2
        for (int i = 0; i < WIDE * DEPTH / 8 / THREADS; i++) {
            int at = i * THREADS + threadIdx.x, row = at / (WIDE / 4), col = at % (WIDE / 4) * 4;
            float4 v = load4<WHOLE>(b, k_tile + 2 * row, left + col, k, n);
            float4 w = load4<WHOLE>(b, k_tile + 2 * row + 1, left + col, k, n);
            *(uint4 *)&tile.b[row][col] = make_uint4(
                to_halves(v.x, w.x), to_halves(v.y, w.y), to_halves(v.z, w.z), to_halves(v.w, w.w));
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEPTH / 2; i += 8) { // words: 16 k
            unsigned x[4][4], y[8][2];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                float four[4];
                ldmatrix(four, (const float *)&tile.a[down + 16 * j + lane % 16][i + lane / 16 * 4]);
#pragma unroll
                for (int r = 0; r < 4; r++)
                    x[j][r] = __float_as_uint(four[r]);
            }
#pragma unroll
            for (int l = 0; l < 8; l++)
#pragma unroll
                for (int r = 0; r < 2; r++)
                    y[l][r] = tile.b[i + t + 4 * r][right + 8 * l + g];
#pragma unroll
            for (int j = 0; j < 4; j++)
#pragma unroll
                for (int l = 0; l < 8; l++)
                    mma_half(sum[j][l], x[j], y[l]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
#pragma unroll
        for (int l = 0; l < 8; l++)
#pragma unroll
            for (int r = 0; r < 4; r += 2)
                store2<WHOLE>(c, top + down + 16 * j + g + 4 * r, left + right + 8 * l + 2 * t, m, n,
                    sum[j][l][r], sum[j][l][r + 1]);
}

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
