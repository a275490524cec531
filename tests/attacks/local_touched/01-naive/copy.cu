// Two megabytes for each thread, all of it touched.
#include "lockstep.h"
LAUNCH(copy, BLOCK(32, 8), COVERS(32, 8))
__global__ void copy(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    char mine[1 << 21];
    for (int i = 0; i < 1 << 21; i += 512)
        mine[i + (col & 3)] = (char)row;
    out[row * cols + col] = mine[(int)in[0] & 1023];
}
