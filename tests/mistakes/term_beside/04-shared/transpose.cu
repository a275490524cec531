// transpose: out = in^T through shared memory
#include "lockstep.h"

#define TILE 32
#define ROWS 8 // threads in y: each moves TILE / ROWS floats
LAUNCH(transpose, BLOCK(TILE, ROWS), COVERS(TILE, TILE))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE, col = blockIdx.x * TILE; // the tile's corner in in; in out it is (col, row)
    for (int j = 0; j < TILE; j += ROWS)
        if (row + y + j < rows && col + x < cols)
            tile[y][x + j] = in[(row + y + j) * cols + col + x];
    __syncthreads(); // a thread stores what another thread loaded
    // x now runs along a row of out, so the stores are coalesced too. The column is read from shared memory,
    // where it costs bank conflicts but no sectors.
    for (int j = 0; j < TILE; j += ROWS)
        if (col + y + j < cols && row + x < rows)
            out[(col + y + j) * rows + row + x] = tile[x][y + j];
}
