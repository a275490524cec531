// matmul: C = A B, one thread a TILE x TILE tile of C
//   Given:   A is m x k, B is k x n, C is m x n, all row-major, any shape; C holds garbage at first
//   Launch:  x of the grid runs over the columns of C, y over its rows; 16 x 16 threads, 256 x 256 outputs
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  each output is cleared once and stored once a tile of k: at 512 x 512, k = 128 at most 9 * 8192
//            store requests, and at least 4 * 8192, since a kernel without tiles of k stores each output once
//   Read:    README.md step 2, slides/03-tiled.md "A thread a tile"
#include "lockstep.h"

#define TILE 16

LAUNCH(matmul, BLOCK(16, 16), COVERS(16 * TILE, 16 * TILE))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    // my tile: rows r0 .. r1 - 1, columns c0 .. c1 - 1
    int c0 = (blockIdx.x * 16 + threadIdx.x) * TILE, c1 = min(c0 + TILE, n);
    int r0 = (blockIdx.y * 16 + threadIdx.y) * TILE, r1 = min(r0 + TILE, m);

    for (int r = r0; r < r1; r++)
        for (int q = c0; q < c1; q++)
            c[r * n + q] = 0;

    for (int t = 0; t + TILE <= k; t += TILE) {
        int stop = min(t + TILE, k);
        for (int r = r0; r < r1; r++) {
            for (int q = c0; q < c1; q++) {
                float value = c[r * n + q];
                for (int i = t; i < stop; i++)
                    value += a[r * k + i] * b[i * n + q];
                c[r * n + q] = value;
            }
        }
    }
}
