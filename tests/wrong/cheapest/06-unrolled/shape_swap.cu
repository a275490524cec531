// Neighbours swap, down the columns.
#include "lockstep.h"

#define X 16
#define Y 16
#define PAD 1
LAUNCH(chosen, BLOCK(X, Y), COVERS(X, Y))

PREDICT(loads_32x16, 16)
PREDICT(loads_32x16_pad_1, UNKNOWN)
PREDICT(loads_32x16_pad_2, UNKNOWN)
PREDICT(loads_16x16_pad_2, UNKNOWN)
PREDICT(stores_16x16_pad_2, UNKNOWN)
PREDICT(loads_8x8_pad_4, UNKNOWN)
PREDICT(stores_8x8_pad_4, UNKNOWN)
PREDICT(sectors_8x8, UNKNOWN)

LAUNCH(block_32x16, BLOCK(32, 16), COVERS(32, 16))
LAUNCH(block_32x16_pad_1, BLOCK(32, 16), COVERS(32, 16))
LAUNCH(block_32x16_pad_2, BLOCK(32, 16), COVERS(32, 16))
LAUNCH(block_16x16_pad_2, BLOCK(16, 16), COVERS(16, 16))
LAUNCH(block_8x8_pad_4, BLOCK(8, 8), COVERS(8, 8))

template <int BX, int BY, int PADDING>
static __device__ void turn(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[BY][BX + PADDING];
    int x = threadIdx.x, y = threadIdx.y;
    int top = blockIdx.y * BY, left = blockIdx.x * BX;
    if (top + y < rows && left + x < cols)
        tile[y][x] = in[(top + y) * cols + left + x];
    __syncthreads();
    int number = y * BX + x, row = number % BY, col = number / BY;
    if (top + row < rows && left + col < cols)
        out[(left + col) * rows + top + row] = tile[row][col];
}

__global__ void block_32x16(const float *in, float *out, int rows, int cols)
{
    turn<32, 16, 0>(in, out, rows, cols);
}

__global__ void block_32x16_pad_1(const float *in, float *out, int rows, int cols)
{
    turn<32, 16, 1>(in, out, rows, cols);
}

__global__ void block_32x16_pad_2(const float *in, float *out, int rows, int cols)
{
    turn<32, 16, 2>(in, out, rows, cols);
}

__global__ void block_16x16_pad_2(const float *in, float *out, int rows, int cols)
{
    turn<16, 16, 2>(in, out, rows, cols);
}

__global__ void block_8x8_pad_4(const float *in, float *out, int rows, int cols)
{
    turn<8, 8, 4>(in, out, rows, cols);
}

__global__ void chosen(const float *in, float *out, int rows, int cols)
{
    // no tile, no padding: neighbours fetch for each other
    __shared__ float own[X * Y];
    int x = blockIdx.x * X + threadIdx.x, y = blockIdx.y * Y + threadIdx.y, t = threadIdx.y * X + threadIdx.x;
    if (y < rows && (x ^ 1) < cols) own[t] = in[y * cols + (x ^ 1)];
    __syncthreads();
    if (y < rows && x < cols) out[x * rows + y] = own[t ^ 1];
}
