// transpose through a tile, coalesced on both sides
#include "lockstep.h"

#define TILE 32
#define ROWS 8
LAUNCH(transpose, BLOCK(TILE, ROWS), COVERS(TILE, TILE))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];

    // where I read
    int ix = blockIdx.x * TILE + threadIdx.x, iy = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        if (ix < cols && iy + j < rows)
            tile[threadIdx.y + j][threadIdx.x] = in[(iy + j) * cols + ix];
    }

    __syncthreads();

    // where I write: out has cols rows of length rows
    int ox = blockIdx.x * TILE + threadIdx.x, oy = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS) {
        if (ox < rows && oy + j < cols)
            out[(oy + j) * rows + ox] = tile[threadIdx.x][threadIdx.y + j];
    }
}
