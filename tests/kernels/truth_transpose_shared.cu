// transpose: out = in^T through a 32 x 32 tile in shared memory, rows and cols multiples of 32; a column of a tile lies in one bank
#include "lockstep.h"

#define TILE 32
#define ROWS 8
LAUNCH(transpose, BLOCK(TILE, ROWS), COVERS(TILE, TILE))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    for (int j = 0; j < TILE; j += ROWS)
        tile[y + j][x] = in[(row + y + j) * cols + col + x];
    __syncthreads();
    for (int j = 0; j < TILE; j += ROWS)
        out[(col + y + j) * rows + row + x] = tile[x][y + j];
}
