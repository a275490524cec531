// detective_2: this transpose is swizzled, and still has conflicts. Which line, and how many?
//   Given:   the kernel, complete and at fault. Leave it as it is: the kit runs its own copy, at rows = cols
//            = 64, and says what it found once all three numbers are right.
//   Launch:  x of the grid runs over the columns of in, y over its rows; a block moves 32 x 32 floats
//   Example: if 32 lanes use 8 banks, 4 words of each, a load takes 4 wavefronts
//   Budget:  none; each number is a point
//   Read:    README.md step 11, slides/08-pipelined.md "Swizzle, drawn"
#include "lockstep.h"

#define SIDE 32
LAUNCH(transpose, BLOCK(SIDE, 8), COVERS(SIDE, SIDE))

// TODO: at rows = cols = 64: in which bank is the word that lane x stores, and the one that it loads?
PREDICT(slow_line, UNKNOWN)      // the line with the bank conflicts
PREDICT(load_passes, UNKNOWN)    // wavefronts of a load from shared memory
PREDICT(load_conflicts, UNKNOWN) // bank conflicts of all loads of the launch

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
