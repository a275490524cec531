// transpose: two tiles a block
#include "lockstep.h"

#define TILE 32
#define ROWS 8 // threads in y
LAUNCH(transpose, BLOCK(TILE, ROWS), COVERS(2 * TILE, TILE))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float both[TILE][2 * TILE + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    const int top = blockIdx.y * TILE;
    const int left = blockIdx.x * 2 * TILE;

#pragma unroll
    for (int half = 0; half < 2; half++) {
        int col = left + half * TILE + x;
#pragma unroll
        for (int j = 0; j < TILE; j += ROWS) {
            int row = top + y + j;
            if (row < rows && col < cols)
                both[y + j][half * TILE + x] = in[row * cols + col];
        }
    }
    __syncthreads();
#pragma unroll
    for (int half = 0; half < 2; half++) {
        int col = top + half * TILE + x; // column of out
#pragma unroll
        for (int j = 0; j < TILE; j += ROWS) {
            int row = left + y + j; // row of out
            if (row < cols && col < rows)
                out[row * rows + col] = both[x][half * TILE + y + j];
        }
    }
}
