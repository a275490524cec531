// Wrong: threads beyond the matrix return before the barrier. GPUs let the others go on, and the result is right.
#include "lockstep.h"

#define TILE 16
LAUNCH(transpose, BLOCK(TILE, TILE), COVERS(TILE, TILE))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    if (row >= rows || col >= cols)
        return;
    tile[y][x] = in[row * cols + col];
    __syncthreads();
    out[col * rows + row] = tile[y][x];
}
