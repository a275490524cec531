// detective_2: this transpose pads by hand, and faults. Which line, which thread, which word?
//
// The index pads and the array does not: 32 rows of 33 words are 1056 words, and the array has 1024. Row 31
// begins at word 31 * 33 = 1023, the last one; its second float is the first that has no place. Row 31 is
// stored in the last round, by the threads with y = 7: rows 7, 15, 23, 31. `__shared__ float tile[TILE *
// PITCH]` corrects it.
//
#include "lockstep.h"

#define TILE 32
#define ROWS 8   // threads in y: each moves TILE / ROWS floats
#define PITCH 33 // words of a row
LAUNCH(transpose, BLOCK(TILE, ROWS), COVERS(TILE, TILE))

// The last row that has a place is 30, words 990 to 1021. Word 1022 is unused, and 1023 is all that is left
// for row 31.
PREDICT(fault_line, 29)    // the store
PREDICT(fault_thread_x, 1) // 1024 - 1023
PREDICT(fault_thread_y, 7) // row 31 is its last one
PREDICT(fault_index, 1024) // 31 * 33 + 1

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
