// transpose_pad_2: padded by 1, too
#include "lockstep.h"

#define TILE 32
#define ROWS 8
LAUNCH(transpose_pad_1, BLOCK(TILE, ROWS), COVERS(TILE, TILE))
LAUNCH(transpose_pad_2, BLOCK(TILE, ROWS), COVERS(TILE, TILE))

PREDICT(pad_1_passes, 1) // rows of 33 words: row x of a column is in bank x + y
PREDICT(pad_2_passes, 2) // rows of 34 words: bank 2 x + y, so rows x and x + 16 conflict

// [TILE]
template <int PAD>
static __device__ void turn(const float *in, float *out, int rows, int cols)
{
    // the words past TILE are never accessed: they only shift the rows
    __shared__ float tile[TILE][TILE + PAD];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    for (int j = 0; j < TILE; j += ROWS)
        if (row + y + j < rows && col + x < cols)
            tile[y + j][x] = in[(row + y + j) * cols + col + x];
    __syncthreads();
    for (int j = 0; j < TILE; j += ROWS)
        if (col + y + j < cols && row + x < rows)
            out[(col + y + j) * rows + row + x] = tile[x][y + j];
}
// [/TILE]

__global__ void transpose_pad_1(const float *in, float *out, int rows, int cols)
{
    turn<1>(in, out, rows, cols);
}

__global__ void transpose_pad_2(const float *in, float *out, int rows, int cols)
{
    turn<1>(in, out, rows, cols);
}
