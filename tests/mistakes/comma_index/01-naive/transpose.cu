// transpose: either the loads or the stores run along rows, never both. Here the loads do, and the stores are
// strided.
#include "lockstep.h"

LAUNCH(transpose, BLOCK(32, 16), COVERS(32, 16))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols)
        out[col, row] = in[row * cols + col];
}
