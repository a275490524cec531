// aat: c = a a^T with coalesced loads and without bank conflicts
//   Given:   a (m x w), row-major floats, any m and w; c is m x m.
//            x of the grid runs over the columns of c, y over its rows; a block computes 32 x 32 outputs.
//   Example: {1,2, 3,4} -> {5,11, 11,25}
//   Budget:  no bank conflict of shared stores; at most 4 sectors a global load
//   Read:    README.md step 5, slides/05-padded.md
#include "lockstep.h"

#define TILE 32
LAUNCH(aat, BLOCK(TILE, TILE), COVERS(TILE, TILE))

__global__ void aat(const float *a, float *c, int m, int w)
{
    __shared__ float direct[TILE][TILE + 1], flipped[TILE][TILE];

    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = blockIdx.y * TILE + y;
    int col = blockIdx.x * TILE + x;
    int src = blockIdx.x * TILE + y;
    float acc = 0;

    for (int p = 0; p < w; p += TILE) {
        bool in_w = p + x < w;
        direct[y][x] = in_w && row < m ? a[row * w + p + x] : 0;
        flipped[x][y] = in_w && src < m ? a[src * w + p + x] : 0;
        __syncthreads();
#pragma unroll
        for (int j = 0; j < TILE; j++)
            acc += direct[y][j] * flipped[j][x];
        __syncthreads();
    }
    if (row < m && col < m)
        c[row * m + col] = acc;
}
