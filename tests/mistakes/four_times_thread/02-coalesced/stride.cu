// stride: a sector is 8 floats. The cost is the number of sectors that a warp's 32 addresses touch.
#include "lockstep.h"

PREDICT(offset_1, 5)   // 128 bytes that start 4 bytes into a sector end 4 bytes into a fifth
PREDICT(offset_8, 4)   // shifted by a whole sector, so aligned again
PREDICT(stride_2, 8)   // 256 bytes
PREDICT(stride_8, 32)  // one sector per thread
PREDICT(stride_32, 32) // still one sector per thread; only the caches work worse

LAUNCH(copy_offset, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(copy_stride, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(copy_four, BLOCK(256, 1), COVERS(1024, 1))

__global__ void copy_offset(const float *in, float *out, int n, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i + offset];
}

__global__ void copy_stride(const float *in, float *out, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i * stride];
}

// Four elements per thread, one block width apart: in each iteration neighbouring threads access neighbouring
// elements.
__global__ void copy_four(const float *in, float *out, int n, int offset)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    for (int j = 0; j < 4; j++) {
        int i = first + j * blockDim.x;
        if (i < n)
            out[i] = in[i + offset];
    }
}
