#include "lockstep.h"
#define IN(r, c) in[(r) * cols + (c)]
#define OUT(r, c) out[(r) * cols + (c)]
LAUNCH(transpose, BLOCK(32, 16), COVERS(32, 16))
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    const int gx = blockDim.x * blockIdx.x + threadIdx.x;
    const int gy = blockDim.y * blockIdx.y + threadIdx.y;
    if (gx >= cols || gy >= rows) return;
    OUT(gx, gy) = IN(gy, gx);
}
