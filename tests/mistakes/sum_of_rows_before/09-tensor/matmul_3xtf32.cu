// matmul_3xtf32: c = a b by tensor cores, as accurate as floats: three products in TF32 for one
//   Given:   as in matmul_tf32, but for the tolerance, which is that of floats.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at m = n = 2048, k = 64, counted once per warp: 786432 products of matrices, no multiply-add
//            elsewhere, at most 262144 wavefronts of loads from shared memory; and, counted once per thread,
//            at least 16777216 additions
//   Read:    README.md steps 7 and 8, slides/09-tensor.md
#include "lockstep.h"
#include "lockstep_async.h"
#include "lockstep_tensor.h"

#define WIDE 128          // a block computes WIDE x WIDE outputs, each of its 4 warps 64 x 64
#define DEPTH 32          // of a step along k
#define THREADS 128
#define B_TILE (WIDE * DEPTH)
#define B_ROW (WIDE + 8)        // floats of a row of b's tile
#define STAGE (B_TILE + DEPTH * B_ROW)
LAUNCH_SHARED(matmul_3xtf32, BLOCK(THREADS, 1), COVERS(WIDE, WIDE), 2 * STAGE * 4)

// TODO 2: predict: the products of matrices of all warps at m = n = 2048, k = 64.
PREDICT(products, 3 * 128 * 256 * 8)

static __device__ int place_in_a(int row, int col) { return row * DEPTH + 4 * ((col / 4) ^ (row % 8)); }

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

// TODO 3: x = big + small, both in TF32. small is what rounding x took away, rounded itself.
static __device__ void split(float x, unsigned *big, unsigned *small)
{
    *big = to_tf32(x);
    float rest = x - __uint_as_float(*big);
    *small = to_tf32(rest);
}

template <bool WHOLE>
static __device__ void product(const float *a, const float *b, float *c, int m, int k, int n)
{
    extern __shared__ __align__(16) float tiles[];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
    int down = warp / 2 * 64, right = warp % 2 * 64; // of the warp's outputs in the block's

    float sum[4][8][4] = {};
    fetch<WHOLE>(tiles, a, b, 0, m, k, n);
    for (int k_tile = 0, turn = 0; k_tile < k; k_tile += DEPTH, turn ^= 1) {
        const float *ta = tiles + turn * STAGE, *tb = ta + B_TILE;
        if (k_tile + DEPTH < k) {
            fetch<WHOLE>(tiles + (turn ^ 1) * STAGE, a, b, k_tile + DEPTH, m, k, n);
            __pipeline_wait_prior(1);
        } else
            __pipeline_wait_prior(0);
        __syncthreads();
        ROLLED for (int i = 0; i < DEPTH; i += 8) {
            unsigned aBig[4][4], aSmall[4][4];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                float v[4];
                ldmatrix(v, &ta[place_in_a(down + 16 * j + lane % 16, i + lane / 16 * 4)]);
#pragma unroll
                for (int e = 0; e < 4; e++)
                    split(v[e], &aBig[j][e], &aSmall[j][e]);
            }
#pragma unroll
            for (int l = 0; l < 8; l++) {
                unsigned bBig[2], bSmall[2];
                const float *p = &tb[(i + t) * B_ROW + right + 8 * l + g];
                split(p[0], &bBig[0], &bSmall[0]);
                split(p[4 * B_ROW], &bBig[1], &bSmall[1]);
                float d[4] = {0, 0, 0, 0};
#pragma unroll
                for (int j = 0; j < 4; j++) {
                    mma_tf32(d, aSmall[j], bBig);
                    mma_tf32(d, aBig[j], bSmall);
                    mma_tf32(d, aBig[j], bBig);
#pragma unroll
                    for (int e = 0; e < 4; e++)
                        sum[j][l][e] += d[e];
                }
            }
        }
        __syncthreads();
    }
    int row = blockIdx.y * WIDE + down + g, col = blockIdx.x * WIDE + right + 2 * t;
#pragma unroll
    for (int j = 0; j < 4; j++)
#pragma unroll
        for (int l = 0; l < 8; l++) {
            store2<WHOLE>(c, row + 16 * j, col + 8 * l, m, n, sum[j][l][0], sum[j][l][1]);
            store2<WHOLE>(c, row + 16 * j + 8, col + 8 * l, m, n, sum[j][l][2], sum[j][l][3]);
        }
}

// Given.
__global__ void __launch_bounds__(THREADS, 2)
matmul_3xtf32(const float *a, const float *b, float *c, int m, int k, int n)
{
    int bottom = (blockIdx.y + 1) * WIDE, right = (blockIdx.x + 1) * WIDE;
    if (k % DEPTH == 0 && n % 4 == 0 && bottom <= m && right <= n)
        product<true>(a, b, c, m, k, n);
    else
        product<false>(a, b, c, m, k, n);
}
