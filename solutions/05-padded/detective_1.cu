// detective_1: this transpose is padded, and slow. Which line, and what does it cost?
//
// The tile has one row more, not one word more in each row: tile[TILE + 1][TILE]. A row is 32 words as
// before, so a column is one bank, and the load down a column takes 32 wavefronts. The result is right: a
// row that no thread uses does no harm. tile[TILE][TILE + 1] corrects it: the last dimension is the
// distance in words between tile[x][j] and tile[x + 1][j], and has to be odd.
//
#include "lockstep.h"

#define TILE 32
#define ROWS 8 // threads in y: each moves TILE / ROWS floats
LAUNCH(transpose, BLOCK(TILE, ROWS), COVERS(TILE, TILE))

// Lane x of the load wants word 32 x + j: bank j, for all lanes. Lane x of the store wants word 32 j + x: a
// bank for each.
PREDICT(slow_line, 31)        // the load down a column
PREDICT(load_passes, 32)      // rows of 32 words: a column is one bank
PREDICT(load_conflicts, 3968) // 4 blocks, 32 loads a block, 31 of 32 wavefronts

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE + 1][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    for (int j = y; j < TILE; j += ROWS)
        if (row + j < rows && col + x < cols)
            tile[j][x] = in[(row + j) * cols + col + x];
    __syncthreads();
    for (int j = y; j < TILE; j += ROWS)
        if (col + j < cols && row + x < rows)
            out[(col + j) * rows + row + x] = tile[x][j];
}
