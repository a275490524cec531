// aat: C = A A^T, one thread per output
//   Given:   A is m x w floats, row-major, any shape; C is m x m: the scalar products of all rows of A
//   Launch:  x of the grid runs over the columns of C, y over its rows
//   Example: m = 2, w = 2: {1,2, 3,4} -> {5,11, 11,25}
//   Budget:  each output stored once: at most 32768 store requests for 1024 x 1024 outputs;
//            at least 16 active threads an instruction; each product computed once
//   Read:    README.md step 5, slides/01-naive.md "C = A A^T"
#include "lockstep.h"

// LOCKSTEP_TILE is 32; on compute capability 1.x, where a block has at most 512 threads, 16
LAUNCH(aat, BLOCK(LOCKSTEP_TILE, LOCKSTEP_TILE), COVERS(LOCKSTEP_TILE, LOCKSTEP_TILE))

__global__ void aat(const float *a, float *c, int m, int w)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || col >= m)
        return;
    // TODO 1: add up the w products in a register. You need no transpose of A.
    // TODO 2: store the sum.
}
