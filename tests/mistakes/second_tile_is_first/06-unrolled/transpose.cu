
#include "lockstep.h"

#define TILE 32
#define ROWS 8
LAUNCH(transpose, BLOCK(TILE, ROWS), COVERS(2 * TILE, TILE))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][2 * TILE + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE, col = blockIdx.x * 2 * TILE;

#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        if (row + y + j < rows && col + x < cols)
            tile[y + j][x] = in[(row + y + j) * cols + col + x];
        if (row + y + j < rows && col + TILE + x < cols)
            tile[y + j][TILE + x] = in[(row + y + j) * cols + col + x];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 2 * TILE; j += ROWS)
        if (col + y + j < cols && row + x < rows)
            out[(col + y + j) * rows + row + x] = tile[x][y + j];
}
