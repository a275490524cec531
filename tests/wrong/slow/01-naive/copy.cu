// Right and within its budgets, but each thread does 300 multiply-adds of which nothing is left in the end.
#include "lockstep.h"

LAUNCH(copy, BLOCK(32, 16), COVERS(32, 16))

__global__ void copy(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || col >= cols)
        return;
    float x = in[row * cols + col], waste = x;
    for (int i = 0; i < 300; i++)
        waste = 0.5f * waste + 1;
    out[row * cols + col] = x + 0.0f * waste;
}
