#include "lockstep.h"
// one tile a warp, padded, not unrolled; no barrier at all, one tile a block
#define TILE 32
LAUNCH(transpose, BLOCK(TILE, 1), COVERS(TILE, TILE))
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = threadIdx.x, row = blockIdx.y * TILE, col = blockIdx.x * TILE;
#pragma unroll 4
    for (int j = 0; j < TILE; j++) if (row + j < rows && col + x < cols) tile[j][x] = in[(row + j) * cols + col + x];
    __syncwarp();
#pragma unroll 4
    for (int j = 0; j < TILE; j++) if (col + j < cols && row + x < rows) out[(col + j) * rows + row + x] = tile[x][j];
}
