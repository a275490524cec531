// shape: which block, which padding
#include "lockstep.h"

// a warp is one row of the tile when it stores, and two columns of Y floats when it loads
#define X 32
#define Y 16
#define PAD Y
LAUNCH(chosen, BLOCK(X, Y), COVERS(X, Y))

PREDICT(loads_32x16, 16)
PREDICT(loads_32x16_pad_1, 2)
PREDICT(loads_32x16_pad_2, 1)
PREDICT(loads_16x16_pad_2, 1)
PREDICT(stores_16x16_pad_2, 2)
PREDICT(loads_8x8_pad_4, 1)
PREDICT(stores_8x8_pad_4, 2)
PREDICT(sectors_8x8, 4)

LAUNCH(block_32x16, BLOCK(32, 16), COVERS(32, 16))
LAUNCH(block_32x16_pad_1, BLOCK(32, 16), COVERS(32, 16))
LAUNCH(block_32x16_pad_2, BLOCK(32, 16), COVERS(32, 16))
LAUNCH(block_16x16_pad_2, BLOCK(16, 16), COVERS(16, 16))
LAUNCH(block_8x8_pad_4, BLOCK(8, 8), COVERS(8, 8))

// BX x BY threads load a tile of BY rows and BX columns along its rows. Then the threads are renumbered down
// its columns: thread BX y + x stores element (row, col) of the tile, where row varies fastest.
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
    turn<X, Y, PAD>(in, out, rows, cols);
}
