// aat: c = a a^T with coalesced loads, both factors through shared memory
//   Given:   a (m x w), row-major floats, any m and w; c is m x m.
//            x of the grid runs over the columns of c, y over its rows; a block computes 32 x 32 outputs.
//   Example: {1,2, 3,4} -> {5,11, 11,25}
//   Budget:  at m = 1024, w = 32 at most 65536 global load requests, 4 sectors each
//   Read:    README.md step 6, slides/04-shared.md
#include "lockstep.h"

#define TILE LOCKSTEP_TILE // 32; on compute capability 1.x, where a block has at most 512 threads, 16
LAUNCH(aat, BLOCK(TILE, TILE), COVERS(TILE, TILE))

__global__ void aat(const float *a, float *c, int m, int w)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;

    // TODO 1: declare two tiles of TILE x TILE floats in shared memory: rows of a, and rows of a stored as
    //     columns.
    // TODO 2: step along w by TILE. In each step load both tiles along the rows of a, with zeros outside a.
    //     Store the first as it is, and the second transposed.
    // TODO 3: wait; add up TILE products (write #pragma unroll before that loop, as the reference does);
    //     wait.
    if (row < m && col < m) {
        // TODO 4: store the sum.
    }
}
