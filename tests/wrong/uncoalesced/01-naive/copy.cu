// Right, but x runs down the columns.
#include "lockstep.h"

LAUNCH(copy, BLOCK(16, 16), COVERS(16, 16))

__global__ void copy(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * 16 + threadIdx.y;
    int row = blockIdx.y * 16 + threadIdx.x;
    if (row < rows && col < cols)
        out[row * cols + col] = in[row * cols + col];
}
