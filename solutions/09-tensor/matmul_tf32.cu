// matmul_tf32: c = a b by tensor cores, factors rounded to TF32
#include "lockstep.h"
#include "lockstep_async.h"
#include "lockstep_tensor.h"

#define WIDE 128           // a block computes WIDE x WIDE outputs, each of its 4 warps 64 x 64
#define DEPTH 32           // columns of a in a step along k
#define THREADS 128
#define B_ROW (WIDE + 8)   // floats of a row of b's tile: 4 rows of 8 floats lie in different banks
#define B_TILE (WIDE * DEPTH)
#define STAGE (B_TILE + DEPTH * B_ROW)
LAUNCH_SHARED(matmul_tf32, BLOCK(THREADS, 1), COVERS(WIDE, WIDE), 2 * STAGE * 4)

PREDICT(products, 2048 / 16 * (2048 / 8) * (64 / 8)) // 16 x 8 outputs, 8 products of each
PREDICT(matrix_loads, 256 * 4 * (64 / 8) * 4)       // 4 times 16 rows of a warp
PREDICT(wavefronts, 256 * 4 * (64 / 8) * (16 + 16)) // 128 bytes each: 64 x 8 floats of a, 8 x 64 of b

// Where a row's four floats from col on are in a's tile: pieces of 16 bytes change places within the row, so
// that the same piece of 8 rows lies in different banks. Padding would tear the sectors of the copies apart.
static __device__ int place_in_a(int row, int col) { return row * DEPTH + (col / 4 ^ row % 8) * 4; }

// [COPY]
// Copies four neighbours of a row to shared memory, asynchronously; outside of the matrix zeros. WHOLE: all
// rows begin at a multiple of 16 bytes, so that the four are one copy, and nothing is outside.
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
// [/COPY]

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
    int down = warp / 2 * 64, right = warp % 2 * 64;
    float sum[4][8][4] = {};
    fetch<WHOLE>(tiles, a, b, 0, m, k, n);
    for (int k_tile = 0; k_tile < k; k_tile += DEPTH) {
        const float *a_tile = tiles + k_tile / DEPTH % 2 * STAGE, *b_tile = a_tile + B_TILE;
        if (k_tile + DEPTH < k) {
            fetch<WHOLE>(tiles + (k_tile / DEPTH + 1) % 2 * STAGE, a, b, k_tile + DEPTH, m, k, n);
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEPTH; i += 8) {
            unsigned x[4][4], y[8][2];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                float four[4];
                ldmatrix(four, &a_tile[place_in_a(down + 16 * j + lane % 16, i + lane / 16 * 4)]);
#pragma unroll
                for (int r = 0; r < 4; r++)
                    x[j][r] = to_tf32(four[r]);
            }
#pragma unroll
            for (int l = 0; l < 8; l++)
#pragma unroll
                for (int r = 0; r < 2; r++)
                    y[l][r] = to_tf32(b_tile[(i + t + 4 * r) * B_ROW + right + 8 * l + g]);
#pragma unroll
            for (int j = 0; j < 4; j++)
#pragma unroll
                for (int l = 0; l < 8; l++)
                    mma_tf32(sum[j][l], x[j], y[l]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
#pragma unroll
        for (int l = 0; l < 8; l++)
#pragma unroll
            for (int r = 0; r < 4; r += 2)
                store2<WHOLE>(c, blockIdx.y * WIDE + down + 16 * j + g + 4 * r,
                    blockIdx.x * WIDE + right + 8 * l + 2 * t, m, n, sum[j][l][r], sum[j][l][r + 1]);
}

__global__ void __launch_bounds__(THREADS, 2)
matmul_tf32(const float *a, const float *b, float *c, int m, int k, int n)
{
    int bottom = (blockIdx.y + 1) * WIDE, right = (blockIdx.x + 1) * WIDE;
    if (k % DEPTH == 0 && n % 4 == 0 && bottom <= m && right <= n)
        product<true>(a, b, c, m, k, n);
    else
        product<false>(a, b, c, m, k, n);
}
