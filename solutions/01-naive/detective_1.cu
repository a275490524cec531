// detective_1: this transpose faults. Which line, which thread, which address?
//
// row > rows keeps row 41 out and lets row 40 in, which is not there: the last row is 39. The load comes
// before the store, and its first index is 40 * 100 + 0, one past the end. The store would do harm in
// silence: element col * 40 + 40 of out is element (col + 1, 0), which another thread writes. A >= belongs
// where the first > is.
//
#include "lockstep.h"

LAUNCH(transpose, BLOCK(32, 16), COVERS(32, 16))

// The fault is in the third row of blocks. The blocks above it, with blockIdx.y 0 and 1, have rows 0 to 31;
// they, and the rows 32 to 39 of this one, access nothing outside.
PREDICT(fault_line, 25)    // the load
PREDICT(fault_block_y, 2)  // 40 / 16
PREDICT(fault_thread_y, 8) // 40 % 16
PREDICT(fault_index, 4000) // 40 * 100 + 0

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x; // of in
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row > rows || col >= cols)
        return;
    float value = in[row * cols + col];
    out[col * rows + row] = value;
}
