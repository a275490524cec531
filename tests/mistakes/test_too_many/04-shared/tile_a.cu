// tile_a: c = a b for a narrow a: a tile of a in shared memory, b straight from global memory
//   Given:   a (m x k) with k from 1 to 32, b (k x n), row-major floats, any m and n; c is m x n.
//            x of the grid runs over the columns of c, y over its rows; a block computes 16 rows of 32.
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

    __shared__ float strip[ROWS][TILE];
    if (row < m && col < n && threadIdx.x < k)
        strip[threadIdx.y][threadIdx.x] = a[row * k + threadIdx.x];
    __syncthreads();

    if (row < m && col < n) {
        float *mine = strip[threadIdx.y];
        float t = 0;
        for (int i = 0; i < k; i++)
            t += mine[i] * b[i * n + col];
        c[row * n + col] = t;
    }
}
