// Another way: swizzled by xor.
#include "lockstep.h"
#define TILE 32
LAUNCH(transpose, BLOCK(TILE, 4), COVERS(TILE, TILE))
// exclusive or, so that neither side has a conflict; eight floats a thread
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[TILE * TILE];
    int x = threadIdx.x, bx = blockIdx.x * TILE, by = blockIdx.y * TILE;
    for (int y = threadIdx.y; y < TILE && by + y < rows; y += 4)
        if (bx + x < cols) s[y * TILE + (x ^ y)] = in[(by + y) * cols + bx + x];
    __syncthreads();
    if (by + x >= rows) return;
    for (int y = threadIdx.y; y < TILE && bx + y < cols; y += 4)
        out[(bx + y) * rows + by + x] = s[x * TILE + (y ^ x)];
}
