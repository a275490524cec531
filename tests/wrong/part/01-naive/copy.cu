// Half of each warp is idle, and each thread of the other half copies two floats.
#include "lockstep.h"

LAUNCH(copy, BLOCK(32, 16), COVERS(32, 16))

__global__ void copy(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= rows || threadIdx.x >= 16) return;
    for (int j = 0; j < 2; j++, col += 16)
        if (col < cols) out[row * cols + col] = in[row * cols + col];
}
