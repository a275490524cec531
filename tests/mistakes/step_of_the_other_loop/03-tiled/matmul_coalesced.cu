// matmul_coalesced: still TILE x TILE outputs per thread, but interleaved: the threads of a block's row own
// neighbouring columns, and each thread owns every sixteenth column.
#include "lockstep.h"

#define TILE 16
#define WIDTH 16 // threads per block along x

LAUNCH(matmul, BLOCK(WIDTH, 16), COVERS(WIDTH * TILE, 16 * TILE))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int left = blockIdx.x * WIDTH * TILE + threadIdx.x, right = left + WIDTH * TILE;
    // rows stay in tiles: a warp reads 2 rows, broadcast
    int top = (blockIdx.y * blockDim.y + threadIdx.y) * TILE;
    for (int row = top; row < top + TILE && row < m; row++)
        for (int col = left; col < right && col < n; col += WIDTH)
            c[row * n + col] = 0;
    for (int i0 = 0; i0 < k; i0 += TILE) {
        int end = min(i0 + TILE, k); // one bound, known before the loop, so the compiler unrolls the loop
        for (int row = top; row < top + TILE && row < m; row++)
            for (int col = left; col < right && col < n; col++) {
                float sum = c[row * n + col];
                for (int i = i0; i < end; i++)
                    sum += a[row * k + i] * b[i * n + col];
                c[row * n + col] = sum;
            }
    }
}
