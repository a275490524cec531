// matmul_coalesced: C = A B, TILE x TILE outputs per thread, neighbouring threads own neighbouring columns
#include "lockstep.h"

#define TILE 16

LAUNCH(matmul, BLOCK(16, 16), COVERS(16 * TILE, 16 * TILE))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int top = (blockIdx.y * blockDim.y + threadIdx.y) * TILE;
    const int bottom = min(top + TILE, m);

    for (int row = top; row < bottom; row++)
        for (int j = 0; j < TILE; j++) {
            int col = first + j * blockDim.x;
            if (col < n)
                c[row * n + col] = 0;
        }

    for (int t = 0; t < k; t += TILE) {
        int stop = min(t + TILE, k);
        for (int row = top; row < bottom; row++)
            for (int j = 0; j < TILE; j++) {
                int col = first + j * blockDim.x;
                if (col < n) {
                    float s = c[row * n + col];
                    for (int i = t; i < stop; i++)
                        s += a[row * k + i] * b[i * n + col];
                    c[row * n + col] = s;
                }
            }
    }
}
