// matmul_half: all fragments by ldmatrix, those of b transposed on the way
#include "lockstep.h"
#include "lockstep_tensor.h"

#define WIDE 128 // a block computes WIDE x WIDE outputs, each of its 4 warps 64 x 64
#define DEPTH 32 // of a step along k
#define THREADS 128
#define A_ROW (DEPTH / 2 + 4) // words of a row of a's tile, padded: a multiple of 4
#define B_ROW (WIDE / 2 + 4)        // words of a row of b's tile, padded: a multiple of 4
LAUNCH(matmul_half, BLOCK(THREADS, 1), COVERS(WIDE, WIDE))

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

// Both tiles as they lie in memory, two neighbours of a row in a word; ldmatrix turns b's.
struct tiles {
    unsigned a[WIDE][A_ROW], b[DEPTH][B_ROW];
};

static __device__ void ldmatrix_turned(unsigned x[4], const unsigned *row)
{
    unsigned long long at;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(at) : "l"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"((unsigned)at)
                 : "memory");
}

template <bool WHOLE>
static __device__ void product(
    tiles &tile, const float *a, const float *b, float *c, int m, int k, int n)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
    int top = blockIdx.y * WIDE, left = blockIdx.x * WIDE, down = warp / 2 * 64, right = warp % 2 * 64;
    float sum[4][8][4] = {};
    for (int from = 0; from < k; from += DEPTH) {
#pragma unroll 4
        for (int e = threadIdx.x; e < WIDE * DEPTH / 4; e += THREADS) {
            float4 u = load4<WHOLE>(a, top + e / 8, from + e % 8 * 4, m, k);
            float4 v = load4<WHOLE>(b, from + e / 32, left + e % 32 * 4, k, n);
            *(uint2 *)&tile.a[e / 8][e % 8 * 2] = make_uint2(to_halves(u.x, u.y), to_halves(u.z, u.w));
            *(uint2 *)&tile.b[e / 32][e % 32 * 2] = make_uint2(to_halves(v.x, v.y), to_halves(v.z, v.w));
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEPTH / 16; i++) {
            unsigned x[4][4];
#pragma unroll
            for (int p = 0; p < 4; p++)
                ldmatrix((float *)x[p], (const float *)&tile.a[down + 16 * p + lane % 16][8 * i + lane / 16 * 4]);
#pragma unroll
            for (int q = 0; q < 8; q += 2) {
                unsigned y[4]; // rows 0 and 8 of columns 8 q, then of the next 8
                ldmatrix_turned(y, &tile.b[16 * i + lane % 16][(right + 8 * q) / 2 + lane / 16 * 4]);
#pragma unroll
                for (int p = 0; p < 4; p++) {
                    mma_half(sum[p][q], x[p], y);
                    mma_half(sum[p][q + 1], x[p], y + 2);
                }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int p = 0; p < 4; p++)
#pragma unroll
        for (int q = 0; q < 8; q++)
#pragma unroll
            for (int h = 0; h < 2; h++)
                store2<WHOLE>(c, top + down + 16 * p + 8 * h + g, left + right + 8 * q + 2 * t, m, n,
                    sum[p][q][2 * h], sum[p][q][2 * h + 1]);
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
