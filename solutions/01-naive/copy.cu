// copy: a transpose moves the same bytes, so the time of the copy is the lower bound for every transpose.
#include "lockstep.h"

LAUNCH(copy, BLOCK(32, 16), COVERS(32, 16))

__global__ void copy(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x; // x runs along a row, as memory does
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) // the grid is rounded up to whole blocks
        out[row * cols + col] = in[row * cols + col];
}
