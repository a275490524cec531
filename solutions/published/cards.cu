// cards: kernels that published tables of many cards time beside products of floats: a sum of two arrays,
// products of unsigned integers, a copy by few threads
//
// Sizes are multiples of the blocks': nothing is checked.
#include "lockstep.h"

// ---- out = a + b, both 8192 floats wide, in blocks of 16 x 16 ----

enum { SIDE = 16, WIDTH = 8192 };

// threadIdx.x runs along a row or, with ACROSS, down a column
template <int ACROSS> static __device__ void sum(const float *a, const float *b, float *out)
{
    int x = blockIdx.x % (WIDTH / SIDE) * SIDE, y = blockIdx.x / (WIDTH / SIDE) * SIDE;
    int row = y + (ACROSS ? threadIdx.x : threadIdx.y),
        col = x + (ACROSS ? threadIdx.y : threadIdx.x);
    out[row * WIDTH + col] = a[row * WIDTH + col] + b[row * WIDTH + col];
}

LAUNCH(add_along, BLOCK(SIDE, SIDE), COVERS(SIDE * SIDE, 1))
__global__ void add_along(const float *a, const float *b, float *out, int n) { sum<0>(a, b, out); }

LAUNCH(add_across, BLOCK(SIDE, SIDE), COVERS(SIDE * SIDE, 1))
__global__ void add_across(const float *a, const float *b, float *out, int n) { sum<1>(a, b, out); }

// ---- c = a b of unsigned integers: the bits of the floats are read as such ----

LAUNCH(integers, BLOCK(16, 16), COVERS(16, 16))
__global__ void integers(const unsigned *a, const unsigned *b, unsigned *c, int m, int k, int n)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    unsigned sum = 0;
    for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

// the width of a tile is known only at the launch, so the compiler does not unroll the loop over it
static __device__ void tiles(const unsigned *a, const unsigned *b, unsigned *c, int k, int n)
{
    extern __shared__ unsigned both[];
    int tile = blockDim.x, x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * tile + y,
        col = blockIdx.x * tile + x;
    unsigned *a_tile = both, *b_tile = both + tile * tile, sum = 0;
    for (int i0 = 0; i0 < k; i0 += tile) {
        a_tile[y * tile + x] = a[row * k + i0 + x];
        b_tile[y * tile + x] = b[(i0 + y) * n + col];
        __syncthreads();
        for (int i = 0; i < tile; i++) sum += a_tile[y * tile + i] * b_tile[i * tile + x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

#define TILES(TILE) \
    LAUNCH_SHARED(integers_##TILE, BLOCK(TILE, TILE), COVERS(TILE, TILE), 2 * 4 * TILE * TILE) \
    __global__ void integers_##TILE( \
        const unsigned *a, const unsigned *b, unsigned *c, int m, int k, int n) \
    { \
        tiles(a, b, c, k, n); \
    }
TILES(4)
TILES(8)
TILES(16)
TILES(32)

// ---- a copy of doubles by two blocks of each multiprocessor: two floats are read as a double ----

#define FEW(THREADS) \
    LAUNCH(copy_##THREADS, BLOCK(THREADS, 1), COVERS(8192, 32)) \
    __global__ void copy_##THREADS(const float *in, float *out, int rows, int cols) \
    { \
        const double *from = (const double *)in; \
        double *to = (double *)out; \
        int n = rows * cols / 2, all = THREADS * gridDim.y; \
        _Pragma("unroll 1") for (int i = blockIdx.y * THREADS + threadIdx.x; i < n; i += all) \
            to[i] = from[i]; \
    }
FEW(32)
FEW(128)
FEW(1024)
