// matmul_coalesced: rows and columns of a thread are dealt out like cards, 16 apart
#include "lockstep.h"

#define TILE 16
#define APART 16

LAUNCH(matmul, BLOCK(APART, APART), COVERS(APART * TILE, APART * TILE))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int x0 = blockIdx.x * APART * TILE + threadIdx.x;
    int y0 = blockIdx.y * APART * TILE + threadIdx.y;

    for (int r = 0; r < TILE; r++)
        for (int q = 0; q < TILE; q++) {
            int row = y0 + APART * r, col = x0 + APART * q;
            if (row < m && col < n)
                c[row * n + col] = 0;
        }

    for (int first = 0; first < k; first += TILE) {
        int last = min(first + TILE, k);
        for (int r = 0; r < TILE; r++) {
            int row = y0 + APART * r;
            if (row >= m)
                break;
            for (int q = 0; q < TILE; q++) {
                int col = x0 + APART * q;
                if (col >= n) return;
                float s = c[row * n + col];
                for (int i = first; i < last; i++)
                    s += a[row * k + i] * b[i * n + col];
                c[row * n + col] = s;
            }
        }
    }
}
