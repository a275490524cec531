#include "lockstep.h"

#define TILE 32
#define ROWS 8 // threads in y
LAUNCH(transpose, BLOCK(TILE, ROWS), COVERS(2 * TILE, TILE))

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int tx = threadIdx.x, ty = threadIdx.y;
    int x0 = blockIdx.x * 2 * TILE;
    int y0 = blockIdx.y * TILE;

#pragma unroll
    for (int i = ty; i < TILE; i += ROWS) {
        if (y0 + i < rows) {
            const float *line = in + (y0 + i) * cols;
            if (x0 + tx < cols)
                tile[i][tx] = line[x0 + tx];
            if (x0 + TILE + tx < cols)
                tile[i][TILE + tx] = line[x0 + TILE + tx];
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = ty; i < 2 * TILE; i += ROWS) {
        if (x0 + i < cols && y0 + tx < rows)
            out[(x0 + i) * rows + y0 + tx] = tile[tx][i];
    }
}
