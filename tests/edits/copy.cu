#include "lockstep.h"
#define TILE 32
LAUNCH(k, BLOCK(TILE, 8), COVERS(TILE, TILE));
__global__ void k(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j <= TILE; j += 8)
        if (x < cols && y + j < rows) out[(y + j) * cols + x] = in[(y + j) * cols + x];
}
