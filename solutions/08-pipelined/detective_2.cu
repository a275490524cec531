// detective_2: this transpose is swizzled, and still has conflicts. Which line, and how many?
//
// Row r is moved by r / 4, a number from 0 to 7, so four rows are moved alike: down a column, the 32 lanes
// use the 8 banks j ^ 0 to j ^ 7, each for the words of four rows. Along a row all 32 places are different,
// whatever the row is moved by: the stores are free. With x ^ j in place of x ^ j / 4 each row is moved by
// a number of its own.
//
#include "lockstep.h"

#define SIDE 32
LAUNCH(transpose, BLOCK(SIDE, 8), COVERS(SIDE, SIDE))

// Stored: (x ^ j / 4) % 32, j the same for all. Loaded: (j ^ x / 4) % 32.
PREDICT(slow_line, 29)       // the load down a column
PREDICT(load_passes, 4)      // 32 lanes, 8 banks
PREDICT(load_conflicts, 384) // 4 blocks, 32 loads a block, 3 of 4 wavefronts

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * SIDE, col = blockIdx.x * SIDE;
    for (int j = y; j < SIDE; j += 8)
        if (row + j < rows && col + x < cols)
            tile[j][x ^ j / 4] = in[(row + j) * cols + col + x];
    __syncthreads();
    for (int j = y; j < SIDE; j += 8)
        if (row + x < rows && col + j < cols)
            out[(col + j) * rows + row + x] = tile[x][j ^ x / 4];
}
