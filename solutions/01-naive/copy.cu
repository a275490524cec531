// copy: the least any transpose has to do, so its time is the bound that the transposes are held against.
#include "lockstep.h"

LAUNCH(copy, BLOCK(32, 16), COVERS(32, 16))

__global__ void copy(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x; // x runs along a row, as memory does
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) // the grid is rounded up to whole blocks
        out[row * cols + col] = in[row * cols + col];
}
