// transpose: the transposes of two published ladders, in their block shapes; sizes are multiples of the tiles
#include "lockstep.h"

// ---- a thread an element, blocks of BX x BY ----

LAUNCH(copy_row, BLOCK(32, 16), COVERS(32, 16))
__global__ void copy_row(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows)
        out[y * cols + x] = in[y * cols + x];
}

LAUNCH(naive_row, BLOCK(32, 16), COVERS(32, 16))
__global__ void naive_row(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows)
        out[x * rows + y] = in[y * cols + x]; // a warp stores down a column
}

// The block's threads, numbered row by row, read the tile column by column: thread i stores the element in
// row i % BY and column i / BY, so that half a warp (BY = 16) stores along a row of out.
template <int BX, int BY, int PAD, int TILES>
static __device__ void turn(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[BY][BX * TILES + PAD];
    int top = blockIdx.y * BY, left = blockIdx.x * BX * TILES, x = threadIdx.x, y = threadIdx.y;
    for (int t = 0; t < TILES; t++)
        tile[y][x + t * BX] = in[(top + y) * cols + left + x + t * BX];
    __syncthreads();
    int i = y * BX + x, row = i % BY, col = i / BY;
    for (int t = 0; t < TILES; t++)
        out[(left + col + t * BX) * rows + top + row] = tile[row][col + t * BX];
}

#define TURN(name, BX, BY, PAD, TILES)                                                                       \
    LAUNCH(name, BLOCK(BX, BY), COVERS(BX * TILES, BY))                                                      \
    __global__ void name(const float *in, float *out, int rows, int cols)                                    \
    {                                                                                                        \
        turn<BX, BY, PAD, TILES>(in, out, rows, cols);                                                       \
    }
TURN(turn_32x16, 32, 16, 0, 1)
TURN(turn_32x16_pad_1, 32, 16, 1, 1)
TURN(turn_32x16_pad_2, 32, 16, 2, 1)
TURN(turn_two_pad_2, 32, 16, 2, 2)
TURN(turn_16x16_two_pad_2, 16, 16, 2, 2)
TURN(turn_8x8_two_pad_2, 8, 8, 2, 2)

// ---- square tiles, ROWS rows of threads: 32 x 8 threads for 32 x 32, 16 x 16 for 16 x 16 ----

template <int TILE, int ROWS>
static __device__ void copy_tile(const float *in, float *out, int cols)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        out[(y + j) * cols + x] = in[(y + j) * cols + x];
}

template <int TILE, int ROWS>
static __device__ void naive_tile(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        out[x * rows + y + j] = in[(y + j) * cols + x];
}

template <int TILE, int ROWS, int PAD>
static __device__ void turn_tile(const float *in, float *out, int rows, int cols, int block_x, int block_y)
{
    __shared__ float tile[TILE][TILE + PAD];
    int x = threadIdx.x, y = threadIdx.y, left = block_x * TILE, top = block_y * TILE;
    for (int j = 0; j < TILE; j += ROWS)
        tile[y + j][x] = in[(top + y + j) * cols + left + x];
    __syncthreads();
    for (int j = 0; j < TILE; j += ROWS)
        out[(left + y + j) * rows + top + x] = tile[x][y + j];
}

// In diagonal_*, successive blocks lie on a diagonal, so that blocks that run together read and write in
// different columns of tiles, and so in different partitions of memory. Square matrices.
#define TILES(TILE, ROWS)                                                                                    \
    LAUNCH(copy_##TILE, BLOCK(TILE, ROWS), COVERS(TILE, TILE))                                               \
    __global__ void copy_##TILE(const float *in, float *out, int rows, int cols)                             \
    {                                                                                                        \
        copy_tile<TILE, ROWS>(in, out, cols);                                                                \
    }                                                                                                        \
    LAUNCH(naive_##TILE, BLOCK(TILE, ROWS), COVERS(TILE, TILE))                                              \
    __global__ void naive_##TILE(const float *in, float *out, int rows, int cols)                            \
    {                                                                                                        \
        naive_tile<TILE, ROWS>(in, out, rows, cols);                                                         \
    }                                                                                                        \
    LAUNCH(shared_##TILE, BLOCK(TILE, ROWS), COVERS(TILE, TILE))                                             \
    __global__ void shared_##TILE(const float *in, float *out, int rows, int cols)                           \
    {                                                                                                        \
        turn_tile<TILE, ROWS, 0>(in, out, rows, cols, blockIdx.x, blockIdx.y);                               \
    }                                                                                                        \
    LAUNCH(padded_##TILE, BLOCK(TILE, ROWS), COVERS(TILE, TILE))                                             \
    __global__ void padded_##TILE(const float *in, float *out, int rows, int cols)                           \
    {                                                                                                        \
        turn_tile<TILE, ROWS, 1>(in, out, rows, cols, blockIdx.x, blockIdx.y);                               \
    }                                                                                                        \
    LAUNCH(diagonal_##TILE, BLOCK(TILE, ROWS), COVERS(TILE, TILE))                                           \
    __global__ void diagonal_##TILE(const float *in, float *out, int rows, int cols)                         \
    {                                                                                                        \
        turn_tile<TILE, ROWS, 1>(in, out, rows, cols, (blockIdx.x + blockIdx.y) % gridDim.x, blockIdx.x);    \
    }
TILES(32, 8)
TILES(16, 16)
