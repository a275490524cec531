// matmul: c = a b through square tiles in shared memory
//   Given:   a (m x k) and b (k x n), row-major floats, any m, k, n from 1 on; c is m x n.
//            x of the grid runs over the columns of c, y over its rows; a block computes 32 x 32 outputs.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at m = n = 1024, k = 128 at most 262144 global load requests; 4 sectors a request
//   Read:    README.md steps 1 to 3, slides/04-shared.md
#include "lockstep.h"

#define TILE LOCKSTEP_TILE // 32; on compute capability 1.x, where a block has at most 512 threads, 16
LAUNCH(matmul, BLOCK(TILE, TILE), COVERS(TILE, TILE))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;

    // TODO 1: declare two tiles of TILE x TILE floats in shared memory, and the sum of this thread.
    // TODO 2: step along k by TILE. In each step every thread fetches one float of a and one of b into the
    //     tiles. An element outside a or b becomes 0.
    // TODO 3: wait until the tiles are complete; add up TILE products (write #pragma unroll 4 before that
    //     loop, README.md step 2 says why); wait until no thread reads the tiles any more.
    if (row < m && col < n) {
        // TODO 4: store the sum.
    }
}
