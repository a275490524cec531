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
    int x0 = blockIdx.x * blockDim.x + threadIdx.x * TILE;
    int y0 = blockIdx.y * blockDim.y + threadIdx.y * TILE;
    int x1 = min(x0 + TILE, n);
    int y1 = min(y0 + TILE, m);

    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            c[y * n + x] = 0;

    for (int p = 0; p < k; p += TILE) {
        int stop = min(p + TILE, k);
        for (int y = y0; y < y1; y++)
            for (int x = x0; x < x1; x++) {
                float sum = 0;
                for (int i = p; i < stop; i++)
                    sum += a[y * k + i] * b[i * n + x];
                c[y * n + x] += sum;
            }
    }
}
