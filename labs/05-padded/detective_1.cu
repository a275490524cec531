// detective_1: this transpose is padded, and slow. Which line, and what does it cost?
//   Given:   the kernel, complete and at fault. Leave it as it is: the kit runs its own copy, at rows = cols
//            = 64, and says what it found once all three numbers are right.
//   Launch:  x of the grid runs over the columns of in, y over its rows; a block moves 32 x 32 floats
//   Example: a load of 32 words of one bank takes 32 wavefronts; 31 of them are conflicts
//   Budget:  none; each number is a point
//   Read:    README.md step 6, slides/05-padded.md "One word more"
#include "lockstep.h"

#define TILE 32
#define ROWS 8 // threads in y: each moves TILE / ROWS floats
LAUNCH(transpose, BLOCK(TILE, ROWS), COVERS(TILE, TILE))

// TODO: at rows = cols = 64: word w of the tile is in bank w % 32. Which words do the lanes of a warp want?
//     (On a GPU of compute capability 5.0 or later.)
PREDICT(slow_line, UNKNOWN)      // the line with the bank conflicts
PREDICT(load_passes, UNKNOWN)    // wavefronts of a load from shared memory
PREDICT(load_conflicts, UNKNOWN) // bank conflicts of all loads of the launch

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
