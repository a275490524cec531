// One thread copies everything.
#include "lockstep.h"

LAUNCH(copy, BLOCK(1, 1), COVERS(1 << 20, 1 << 20))

__global__ void copy(const float *in, float *out, int rows, int cols)
{
    for (int i = 0; i < rows * cols; i++)
        out[i] = in[i];
}
