// matmul: C = A B, one thread a TILE x TILE tile of C
//   Given:   A is m x k, B is k x n, C is m x n, all row-major, any shape; C holds garbage at first
//   Launch:  x of the grid runs over the columns of C, y over its rows; 16 x 16 threads, 256 x 256 outputs
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  each output is cleared once and stored once a tile of k: at 512 x 512, k = 128 at most 17 * 8192
//            store requests, at least 2 * 8192 (without tiles of k: 8192); a thread has 8 x 8 outputs or more
//   Read:    README.md step 2, slides/03-tiled.md "A thread a tile"
#include "lockstep.h"

#define TILE 16

LAUNCH(matmul, BLOCK(16, 16), COVERS(16 * TILE, 16 * TILE))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    // TODO 1: compute the upper left corner of this thread's tile. Neighbouring threads have neighbouring
    //     tiles.
    // TODO 2: clear the part of the tile that is inside C.
    // TODO 3: for each tile of k and each output of the tile: add up to TILE products to the value in c, and
    //     store it.
}
