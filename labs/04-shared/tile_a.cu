// tile_a: c = a b for a narrow a: a tile of a in shared memory, b straight from global memory
//   Given:   a (m x k) with k from 1 to 32, b (k x n), row-major floats, any m and n; c is m x n.
//            x of the grid runs over the columns of c, y over its rows; a block computes 16 rows of 32.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at m = n = 1024, k = 32 at most 1081344 global load requests; 4 sectors a store
//   Read:    README.md step 4, slides/04-shared.md
#include "lockstep.h"

#define TILE 32
#define ROWS 16
LAUNCH(tile_a, BLOCK(TILE, ROWS), COVERS(TILE, ROWS))

__global__ void tile_a(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.y * ROWS + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;

    // TODO 1: declare a tile of ROWS x TILE floats in shared memory. Fetch the block's rows of a into it, one
    //     float per thread, coalesced. Wait until it is complete.
    // TODO 2: add up k products: a from the tile, b from global memory.
    if (row < m && col < n) {
        // TODO 3: store the sum.
    }
}
