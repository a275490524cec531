// detective_1: this transpose faults. Which line, which thread, which address?
//   Given:   the kernel, complete and at fault. Leave it as it is: the kit runs its own copy, at rows = 40
//            and cols = 100, and says what it found once all four numbers are right.
//   Launch:  x of the grid runs over the columns of in, y over its rows
//   Example: an array of 4000 floats has elements 0 to 3999
//   Budget:  none; each number is a point
//   Read:    README.md step 7, slides/01-naive.md "A copy that turns round"
#include "lockstep.h"

LAUNCH(transpose, BLOCK(32, 16), COVERS(32, 16))

// TODO: play the machine, with paper, at rows = 40, cols = 100. Blocks run in the order of their numbers, x
//     before y, and so do the threads of a block.
PREDICT(fault_line, UNKNOWN)     // the line of this file that accesses memory out of bounds first
PREDICT(fault_block_y, UNKNOWN)  // blockIdx.y of the block that does
PREDICT(fault_thread_y, UNKNOWN) // threadIdx.y of the thread that does
PREDICT(fault_index, UNKNOWN)    // the index of the element that is not there

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x; // of in
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row > rows || col >= cols)
        return;
    float value = in[row * cols + col];
    out[col * rows + row] = value;
}
