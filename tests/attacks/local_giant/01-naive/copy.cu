// A gigabyte for each thread.
#include "lockstep.h"
LAUNCH(copy, BLOCK(32, 8), COVERS(32, 8))
__global__ void copy(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    char mine[1 << 28];
    for (int i = 0; i < 1 << 28; i += 4096)
        mine[i + (col & 3)] = (char)row;
    out[row * cols + col] = mine[(int)in[0] & 1023];
}
