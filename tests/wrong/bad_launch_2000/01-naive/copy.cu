// Wrong: a block of 2000 threads.
#include "lockstep.h"

LAUNCH(copy, BLOCK(100, 20), COVERS(100, 20))

__global__ void copy(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols)
        out[row * cols + col] = in[row * cols + col];
}
