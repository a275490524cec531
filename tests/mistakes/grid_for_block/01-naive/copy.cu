
#include "lockstep.h"

LAUNCH(copy, BLOCK(32, 16), COVERS(32, 16))

__global__ void copy(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * gridDim.x + threadIdx.x;
    int row = blockIdx.y * gridDim.y + threadIdx.y;
    if (row < rows && col < cols)
        out[row * cols + col] = in[row * cols + col];
}
