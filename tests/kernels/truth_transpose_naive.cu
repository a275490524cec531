// transpose: out = in^T: loads along rows, stores down columns
#include "lockstep.h"

LAUNCH(transpose, BLOCK(32, 16), COVERS(32, 16))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
}
