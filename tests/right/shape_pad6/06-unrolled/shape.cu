// Another way: another block, another padding.
// shape: out = in^T through one rectangular tile per block: which block shape, and how much padding?
//   Given:   kernels for five choices, all complete and correct, and `chosen`, whose shape you choose.
//            in (rows x cols), row-major floats, any shape; x of the grid runs over the columns of in, y over
//            its rows.
//   Example: {1,2,3, 4,5,6} (2 x 3) -> {1,4, 2,5, 3,6} (3 x 2)
//   Budget:  chosen: no bank conflicts, neither of loads nor of stores
//   Read:    README.md steps 6 and 7, slides/06-unrolled.md
#include "lockstep.h"

// TODO 2: choose a block of 32 x 16, 16 x 16 or 8 x 8 threads and a padding so that `chosen` has no conflict
//     at all.
#define X 32
#define Y 16
#define PAD 6
LAUNCH(chosen, BLOCK(X, Y), COVERS(X, Y))

// TODO 1: predict, at 512 x 1024. loads, stores: the wavefronts of one load from the tile or one store to it
//     (32 banks of 4 bytes). sectors: the 32-byte sectors that one store to global memory touches.
PREDICT(loads_32x16, UNKNOWN)
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
