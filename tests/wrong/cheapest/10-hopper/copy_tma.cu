// copy_tma: each thread loads and stores 16 bytes
#include "lockstep.h"

LAUNCH(copy_tma, BLOCK(256, 1), COVERS(64, 256))

PREDICT(copies, UNKNOWN)
PREDICT(loads, UNKNOWN)

__global__ void copy_tma(const float *in, float *out, int rows, int cols)
{
    int n = rows * cols, whole = n / 4, threads = gridDim.x * gridDim.y * 256;
    int t = (blockIdx.y * gridDim.x + blockIdx.x) * 256 + threadIdx.x;
    for (int i = t; i < whole; i += threads)
        ((float4 *)out)[i] = ((const float4 *)in)[i];
    if (t < n - 4 * whole)
        out[4 * whole + t] = in[4 * whole + t];
}
