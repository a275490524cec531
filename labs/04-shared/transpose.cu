// transpose: out = in^T, with coalesced loads and coalesced stores
//   Given:   in (rows x cols), row-major floats, any shape; out is cols x rows.
//            x of the grid runs over the columns of in, y over its rows. A block of 32 x 8 threads moves a
//            tile of 32 x 32 floats: four a thread.
//   Example: {1,2,3, 4,5,6} (2 x 3) -> {1,4, 2,5, 3,6} (3 x 2)
//   Budget:  at most 4 sectors a global request, loads and stores
//   Read:    README.md step 5, slides/04-shared.md
#include "lockstep.h"

#define TILE 32
#define ROWS 8 // threads in y
LAUNCH(transpose, BLOCK(TILE, ROWS), COVERS(TILE, TILE))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    // TODO 1: declare a tile of TILE x TILE floats in shared memory.
    // TODO 2: load a row of in into a row of the tile, four times, each time ROWS rows further down. Check
    //     the edges of in.
    // TODO 3: wait until the tile is complete.
    // TODO 4: store a column of the tile into a row of out, four times. Which block of out is this? Check its
    //     edges.
}
