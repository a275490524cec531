// transpose_pad_1, transpose_pad_2: out = in^T through a tile with padded rows
//   Given:   in (rows x cols), row-major floats, any shape; out is cols x rows.
//            x of the grid runs over the columns of in, y over its rows. A block of 32 x 8 threads moves a
//            tile of 32 x 32 floats: four a thread.
//   Example: {1,2,3, 4,5,6} (2 x 3) -> {1,4, 2,5, 3,6} (3 x 2)
//   Budget:  padded by 1: no bank conflict of shared loads and stores, at most 4 sectors a global store
//   Read:    README.md steps 3 and 4, slides/05-padded.md
#include "lockstep.h"

#define TILE 32
#define ROWS 8 // threads in y
LAUNCH(transpose_pad_1, BLOCK(TILE, ROWS), COVERS(TILE, TILE))
LAUNCH(transpose_pad_2, BLOCK(TILE, ROWS), COVERS(TILE, TILE))

// TODO 1: predict before you write code: how many wavefronts (passes) does a warp's load from the tile take?
//     It is counted at 2048 x 2048.
PREDICT(pad_1_passes, UNKNOWN)
PREDICT(pad_2_passes, UNKNOWN)

__global__ void transpose_pad_1(const float *in, float *out, int rows, int cols)
{
    // TODO 2: write the transpose of lab 04 with the rows of its tile padded by one word.
}

__global__ void transpose_pad_2(const float *in, float *out, int rows, int cols)
{
    // TODO 3: write the same, padded by two words. Only a number differs: do you have to write it twice?
}
