// aat: c = a a^T with coalesced loads and without bank conflicts
//   Given:   a (m x w), row-major floats, any m and w; c is m x m.
//            x of the grid runs over the columns of c, y over its rows; a block computes 32 x 32 outputs.
//   Example: {1,2, 3,4} -> {5,11, 11,25}
//   Budget:  no bank conflict of shared loads and stores; at most 4 sectors a global load
//   Read:    README.md step 5, slides/05-padded.md
#include "lockstep.h"

#define TILE LOCKSTEP_TILE // 32; on compute capability 1.x, where a block has at most 512 threads, 16
LAUNCH(aat, BLOCK(TILE, TILE), COVERS(TILE, TILE))

__global__ void aat(const float *a, float *c, int m, int w)
{
    // TODO 1: start from your aat of lab 04. Which of its two tiles has conflicts? Do they occur in a load or
    //     in a store?
    // TODO 2: pad that tile, and only that one.
}
