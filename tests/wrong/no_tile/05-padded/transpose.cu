// Right, and without any conflict, since there is no tile.
#include "lockstep.h"

LAUNCH(transpose_pad_1, BLOCK(32, 8), COVERS(32, 8))
LAUNCH(transpose_pad_2, BLOCK(32, 8), COVERS(32, 8))

PREDICT(pad_1_passes, 1)
PREDICT(pad_2_passes, 2)

static __device__ void turn(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
}

__global__ void transpose_pad_1(const float *in, float *out, int rows, int cols)
{
    turn(in, out, rows, cols);
}

__global__ void transpose_pad_2(const float *in, float *out, int rows, int cols)
{
    turn(in, out, rows, cols);
}
