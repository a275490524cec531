// Wrong: rows and cols are missing.
#include "lockstep.h"

LAUNCH(copy, BLOCK(32, 16), COVERS(32, 16))

__global__ void copy(const float *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}
