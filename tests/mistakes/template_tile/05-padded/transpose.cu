
#include "lockstep.h"

#define TILE 32
#define ROWS 8
LAUNCH(transpose_pad_1, BLOCK(TILE, ROWS), COVERS(TILE, TILE))
LAUNCH(transpose_pad_2, BLOCK(TILE, ROWS), COVERS(TILE, TILE))

PREDICT(pad_1_passes, 1)
PREDICT(pad_2_passes, 2)


template <int PAD>
static __device__ void turn(const float *in, float *out, int rows, int cols)
{

    __shared__ float tile[TILE][TILE + PAD];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    if (row + y < rows && col + x < cols)
        tile[y][x] = in[(row + y) * cols + col + x];
    __syncthreads();
    for (int j = 0; j < TILE; j += ROWS)
        if (col + y + j < cols && row + x < rows)
            out[(col + y + j) * rows + row + x] = tile[x][y + j];
}


__global__ void transpose_pad_1(const float *in, float *out, int rows, int cols)
{
    turn<1>(in, out, rows, cols);
}

__global__ void transpose_pad_2(const float *in, float *out, int rows, int cols)
{
    turn<2>(in, out, rows, cols);
}
