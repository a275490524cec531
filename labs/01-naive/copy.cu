// copy: out = in, element by element
//   Given:   rows x cols floats, row-major, any shape: element (row, col) is in[row * cols + col]
//   Launch:  x of the grid runs over columns, y over rows; the grid is rounded up to whole blocks
//   Example: rows = 2, cols = 2: {1,2, 3,4} -> {1,2, 3,4}
//   Budget:  at most 4 sectors a global request, loads and stores; each thread has an element of its own
//   Read:    README.md step 2, slides/01-naive.md "Which element is mine?"
#include "lockstep.h"

LAUNCH(copy, BLOCK(32, 16), COVERS(32, 16))

__global__ void copy(const float *in, float *out, int rows, int cols)
{
    // TODO 1: compute the column and the row of this thread. Use x and y of blockIdx, blockDim and threadIdx.
    // TODO 2: copy that element if it exists: the last blocks extend past the edge.
}
