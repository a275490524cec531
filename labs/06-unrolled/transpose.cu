// transpose: out = in^T, two tiles per block, unrolled and padded
//   Given:   in (rows x cols), row-major floats, any shape; out is cols x rows.
//            x of the grid runs over the columns of in, y over its rows. A block of 32 x 8 threads moves two
//            tiles of 32 x 32 floats that lie side by side in in: eight floats a thread.
//   Example: {1,2,3, 4,5,6} (2 x 3) -> {1,4, 2,5, 3,6} (3 x 2)
//   Budget:  at 2048 x 2048 at most 16384 barriers (counted once a warp), no bank conflict of shared loads,
//            at most 4 sectors a global store
//   Read:    README.md step 5, slides/06-unrolled.md
#include "lockstep.h"

#define TILE 32
#define ROWS 8 // threads in y
LAUNCH(transpose, BLOCK(TILE, ROWS), COVERS(2 * TILE, TILE))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    // TODO 1: declare a tile of TILE rows and 2 * TILE columns in shared memory, padded.
    // TODO 2: load both halves of it, then wait once. Either half may be outside in.
    // TODO 3: store both halves. In out, one is below the other.
}
