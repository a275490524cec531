// tiles: a thread a tile of the product, as in 03-tiled, of other sizes and in blocks of other shapes. No rungs: they show how far the
// modelled times are right where warps drift apart (lockstep ladder --tiles).
#include "lockstep.h"

// Columns from left on, by across: neighbouring threads' tiles lie side by side, or their columns alternate.
static __device__ __forceinline__ void product(const float *a, const float *b, float *c, int m, int k, int n, int tile, int left,
                                               int across)
{
    int top = (blockIdx.y * blockDim.y + threadIdx.y) * tile, right = left + tile * across;
    for (int row = top; row < top + tile && row < m; row++)
        for (int col = left; col < right && col < n; col += across)
            c[row * n + col] = 0;
    for (int i0 = 0; i0 < k; i0 += tile) {
        int end = min(i0 + tile, k);
        for (int row = top; row < top + tile && row < m; row++)
            for (int col = left; col < right && col < n; col += across) {
                float sum = c[row * n + col];
                for (int i = i0; i < end; i++)
                    sum += a[row * k + i] * b[i * n + col];
                c[row * n + col] = sum;
            }
    }
}

#define TILES(name, tile, wide, high) \
    LAUNCH(name, BLOCK(wide, high), COVERS(wide * tile, high * tile)) \
    __global__ void name(const float *a, const float *b, float *c, int m, int k, int n) \
    { \
        product(a, b, c, m, k, n, tile, (blockIdx.x * blockDim.x + threadIdx.x) * tile, 1); \
    }

#define COALESCED(name, tile, wide, high) \
    LAUNCH(name, BLOCK(wide, high), COVERS(wide * tile, high * tile)) \
    __global__ void name(const float *a, const float *b, float *c, int m, int k, int n) \
    { \
        product(a, b, c, m, k, n, tile, blockIdx.x * wide * tile + threadIdx.x, wide); \
    }

TILES(tiles_4_of_16x16, 4, 16, 16)
TILES(tiles_8_of_16x16, 8, 16, 16)
TILES(tiles_16_of_16x16, 16, 16, 16)
TILES(tiles_32_of_16x16, 32, 16, 16)
TILES(tiles_16_of_8x8, 16, 8, 8)
TILES(tiles_16_of_32x8, 16, 32, 8)
TILES(tiles_8_of_32x8, 8, 32, 8)
TILES(tiles_4_of_64x8, 4, 64, 8)
TILES(tiles_8_of_64x4, 8, 64, 4)
TILES(tiles_16_of_64x4, 16, 64, 4)
TILES(tiles_32_of_8x8, 32, 8, 8)
COALESCED(coalesced_8_of_16x16, 8, 16, 16)
COALESCED(coalesced_16_of_32x8, 16, 32, 8)
COALESCED(coalesced_32_of_16x16, 32, 16, 16)
