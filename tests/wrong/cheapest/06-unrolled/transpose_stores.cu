// Two tiles, not padded: the tile is stored by columns, so that the conflicts are those of the stores.
#include "lockstep.h"

#define TILE 32
#define ROWS 8
LAUNCH(transpose, BLOCK(TILE, ROWS), COVERS(2 * TILE, TILE))
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[2 * TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE, col = blockIdx.x * 2 * TILE;
#pragma unroll
    for (int j = 0; j < TILE; j += ROWS) {
        if (row + y + j < rows && col + x < cols)
            tile[x][y + j] = in[(row + y + j) * cols + col + x];
        if (row + y + j < rows && col + TILE + x < cols)
            tile[TILE + x][y + j] = in[(row + y + j) * cols + col + TILE + x];
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 2 * TILE; j += ROWS)
        if (col + y + j < cols && row + x < rows)
            out[(col + y + j) * rows + row + x] = tile[y + j][x];
}
