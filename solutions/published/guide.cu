// guide: the products of the CUDA C Best Practices Guide, in the shape that its tables were measured in
//
// A is m rows of TILE, B is TILE rows of n: one tile deep, so that a block of TILE x TILE threads computes
// its tile of C without a loop over tiles. TILE is 16 for compute capability 1.x (a half-warp), 32 later.
// Sizes are multiples of TILE: nothing is checked.
// The loops have a pragma since nvcc, which the guide used, unrolls short loops of a known length.
#include "lockstep.h"

// ---- c = a b ----

template <int TILE>
static __device__ void ab_naive(const float *a, const float *b, float *c, int n)
{
    int col = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < TILE; i++)
        sum += a[row * TILE + i] * b[i * n + col]; // a warp reads one word of a, and neighbours in a row of b
    c[row * n + col] = sum;
}

template <int TILE>
static __device__ void ab_tile_a(const float *a, const float *b, float *c, int n)
{
    __shared__ float a_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float sum = 0;
    a_tile[y][x] = a[row * TILE + x]; // a row is read by the warp that loads it: no barrier
    __syncwarp();
#pragma unroll
    for (int i = 0; i < TILE; i++)
        sum += a_tile[y][i] * b[i * n + col];
    c[row * n + col] = sum;
}

template <int TILE>
static __device__ void ab_tiles(const float *a, const float *b, float *c, int n)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float sum = 0;
    a_tile[y][x] = a[row * TILE + x];
    b_tile[y][x] = b[y * n + col];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; i++)
        sum += a_tile[y][i] * b_tile[i][x];
    c[row * n + col] = sum;
}

// ---- c = a a^T ----

template <int TILE>
static __device__ void aat_naive(const float *a, float *c, int m)
{
    int col = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < TILE; i++)
        sum += a[row * TILE + i] * a[col * TILE + i]; // second: neighbours read TILE floats apart
    c[row * m + col] = sum;
}

template <int TILE, int PAD>
static __device__ void aat_tiles(const float *a, float *c, int m)
{
    __shared__ float a_tile[TILE][TILE], turned[TILE][TILE + PAD];
    int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    float sum = 0;
    a_tile[y][x] = a[row * TILE + x];
    // loaded along a row, stored down a column, which is one bank without PAD
    turned[x][y] = a[(blockIdx.x * TILE + y) * TILE + x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; i++)
        sum += a_tile[y][i] * turned[i][x];
    c[row * m + col] = sum;
}

#define AB(name, TILE)                                                                                       \
    LAUNCH(name##_##TILE, BLOCK(TILE, TILE), COVERS(TILE, TILE))                                             \
    __global__ void name##_##TILE(const float *a, const float *b, float *c, int m, int k, int n)             \
    {                                                                                                        \
        name<TILE>(a, b, c, n);                                                                              \
    }
AB(ab_naive, 16)
AB(ab_naive, 32)
AB(ab_tile_a, 16)
AB(ab_tile_a, 32)
AB(ab_tiles, 16)
AB(ab_tiles, 32)

#define AAT(name, TILE, ...)                                                                                 \
    LAUNCH(name##_##TILE, BLOCK(TILE, TILE), COVERS(TILE, TILE))                                             \
    __global__ void name##_##TILE(const float *a, float *c, int m, int w)                                    \
    {                                                                                                        \
        __VA_ARGS__(a, c, m);                                                                                \
    }
AAT(aat_naive, 16, aat_naive<16>)
AAT(aat_naive, 32, aat_naive<32>)
AAT(aat_shared, 16, aat_tiles<16, 0>)
AAT(aat_shared, 32, aat_tiles<32, 0>)
AAT(aat_padded, 16, aat_tiles<16, 1>)
AAT(aat_padded, 32, aat_tiles<32, 1>)
