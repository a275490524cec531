// Right, but slow: each thread moves a whole row, so a warp reads and writes 32 sectors at a time, and few warps there are.
#include "lockstep.h"

LAUNCH(transpose, BLOCK(32, 1), COVERS(1048576, 32))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * 32 + threadIdx.x;
    if (row < rows)
        for (int col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}
