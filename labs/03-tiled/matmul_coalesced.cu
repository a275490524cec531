// matmul_coalesced: C = A B, TILE x TILE outputs per thread, neighbouring threads own neighbouring columns
//   Given:   A is m x k, B is k x n, C is m x n, all row-major, any shape; C holds garbage at first
//   Launch:  x of the grid runs over the columns of C, y over its rows; 16 x 16 threads, 256 x 256 outputs
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at most 3 sectors a load request, 4 a store request; 2 * 8192 to 17 * 8192 store requests at 512
//            (without tiles of k: 8192); a thread has at least 8 x 8 outputs
//   Read:    README.md step 3, slides/03-tiled.md "Better indices"
#include "lockstep.h"

#define TILE 16

LAUNCH(matmul, BLOCK(16, 16), COVERS(16 * TILE, 16 * TILE))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    // TODO: write your tiled kernel with this thread's TILE columns blockDim.x apart instead of side by side.
    //     Where is the first one, and where does the block's part of C end? Do the rows have to change too?
}
