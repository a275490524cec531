// transpose: out = in^T, with coalesced loads and coalesced stores
//   Given:   in (rows x cols), row-major floats, any shape; out is cols x rows.
//            x of the grid runs over the columns of in, y over its rows. A block of 32 x 8 threads moves a
//            tile of 32 x 32 floats: four a thread.
#include "lockstep.h"

#define TILE 32
#define ROWS 8 // threads in y
LAUNCH(transpose, BLOCK(TILE, ROWS), COVERS(TILE, TILE))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float buf[TILE][TILE];

    // in: x runs along a row
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    for (int d = 0; d < TILE; d += ROWS) {
        if (row + d < rows && col < cols)
            buf[threadIdx.y + d][threadIdx.x] = in[(row + d) * cols + col];
    }

    __syncthreads();

    // out: the mirrored block, x runs along a row again
    int out_col = blockIdx.y * TILE + threadIdx.x;
    int out_row = blockIdx.x * TILE + threadIdx.y;
    for (int d = 0; d < TILE; d += ROWS) {
        if (row + d < rows && col < cols)
            out[(out_row + d) * rows + out_col] = buf[threadIdx.x][threadIdx.y + d];
    }
}
