// detective_2: this transpose pads by hand, and faults. Which line, which thread, which word?
//   Given:   the kernel, complete and at fault. Leave it as it is: the kit runs its own copy, at rows = cols
//            = 64, and says what it found once all four numbers are right.
//   Launch:  x of the grid runs over the columns of in, y over its rows; a block moves 32 x 32 floats
//   Example: with rows of 33 words, float 0 of row 2 is word 66
//   Budget:  none; each number is a point
//   Read:    README.md step 6, slides/05-padded.md "Padding, drawn"
#include "lockstep.h"

#define TILE 32
#define ROWS 8   // threads in y: each moves TILE / ROWS floats
#define PITCH 33 // words of a row
LAUNCH(transpose, BLOCK(TILE, ROWS), COVERS(TILE, TILE))

// TODO: at rows = cols = 64: how many words has the array, and which one does each thread access? Threads
//     run in the order of their numbers, x before y, from barrier to barrier.
PREDICT(fault_line, UNKNOWN)     // the line of this file that accesses memory out of bounds first
PREDICT(fault_thread_x, UNKNOWN) // threadIdx.x of the thread that does
PREDICT(fault_thread_y, UNKNOWN) // threadIdx.y of the thread that does
PREDICT(fault_index, UNKNOWN)    // the index of the word that is not there

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE * TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    for (int j = y; j < TILE; j += ROWS)
        if (row + j < rows && col + x < cols)
            tile[j * PITCH + x] = in[(row + j) * cols + col + x];
    __syncthreads();
    for (int j = y; j < TILE; j += ROWS)
        if (col + j < cols && row + x < rows)
            out[(col + j) * rows + row + x] = tile[x * PITCH + j];
}
