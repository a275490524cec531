#include "lockstep.h"

#define TILE 32
#define ROWS 8
LAUNCH(transpose, BLOCK(TILE, ROWS), COVERS(TILE, TILE))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    if (row + y < rows && col + x < cols)
        tile[y][x] = in[(row + y) * cols + col + x];
    __syncthreads();
    for (int j = 0; j < TILE; j += ROWS)
        if (col + y + j < cols && row + x < rows)
            out[(col + y + j) * rows + row + x] = tile[x][y + j];
}
