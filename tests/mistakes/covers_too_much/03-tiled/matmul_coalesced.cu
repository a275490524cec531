// matmul_coalesced: tiles of 8 x 8 a thread (quicker than 16 x 16 here), columns dealt out like cards
#include "lockstep.h"

#define TILE 8
#define SIDE 16 // threads in x and in y

LAUNCH(matmul, BLOCK(SIDE, SIDE), COVERS(256, 256))

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    const int first = blockIdx.x * SIDE * TILE + threadIdx.x;
    const int top = (blockIdx.y * SIDE + threadIdx.y) * TILE;

    for (int r = top; r < top + TILE && r < m; r++)
        for (int s = 0; s < TILE && first + s * SIDE < n; s++)
            c[r * n + first + s * SIDE] = 0;

    for (int t = 0; t < k; t += TILE) {
        const int end = t + TILE < k ? t + TILE : k;
        for (int r = top; r < top + TILE && r < m; r++)
            for (int s = 0; s < TILE; s++) {
                const int col = first + s * SIDE;
                if (col >= n)
                    break;
                float sum = c[r * n + col];
                for (int i = t; i < end; i++)
                    sum += a[r * k + i] * b[i * n + col];
                c[r * n + col] = sum;
            }
    }
}
