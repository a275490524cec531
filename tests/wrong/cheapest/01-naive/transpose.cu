// The stores run along rows and the loads do not: the other way round.
#include "lockstep.h"

LAUNCH(transpose, BLOCK(16, 32), COVERS(16, 32))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + t % 32, col = blockIdx.x * blockDim.x + t / 32;
    if (row < rows && col < cols)
        out[col * rows + row] = in[row * cols + col];
}
