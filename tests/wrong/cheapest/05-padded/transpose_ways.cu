// The tile of lab 04, not padded. Both kernels read a column by one thread of the warp after the other: no load has a conflict.
#include "lockstep.h"

#define TILE 32
#define ROWS 8
LAUNCH(transpose_pad_1, BLOCK(TILE, ROWS), COVERS(TILE, TILE))
LAUNCH(transpose_pad_2, BLOCK(TILE, ROWS), COVERS(TILE, TILE))

PREDICT(pad_1_passes, UNKNOWN)
PREDICT(pad_2_passes, UNKNOWN)

static __device__ void turn(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    for (int j = 0; j < TILE; j += ROWS)
        if (row + y + j < rows && col + x < cols)
            tile[y + j][x] = in[(row + y + j) * cols + col + x];
    __syncthreads();
    for (int j = 0; j < TILE; j += ROWS) {
        float value = 0;
        if (col + y + j >= cols || row + x >= rows)
            continue;
        for (int next = 0; next < TILE; next++)
            if (next == x)
                value = *(volatile float *)&tile[x][y + j];
        out[(col + y + j) * rows + row + x] = value;
    }
}

__global__ void transpose_pad_1(const float *in, float *out, int rows, int cols)
{
    turn(in, out, rows, cols);
}

__global__ void transpose_pad_2(const float *in, float *out, int rows, int cols)
{
    turn(in, out, rows, cols);
}
