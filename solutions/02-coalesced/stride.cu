// stride: a sector is 8 floats. What counts is how many of them a warp's 32 addresses touch.
#include "lockstep.h"

PREDICT(offset_1, 5)   // 128 bytes that start 4 bytes into a sector end 4 bytes into a fifth
PREDICT(offset_8, 4)   // shifted by a whole sector: aligned again
PREDICT(stride_2, 8)   // 256 bytes
PREDICT(stride_8, 32)  // a sector a thread
PREDICT(stride_32, 32) // still a sector a thread: it gets no worse here, only in the caches

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

// Four elements a thread, a block's width apart: in each round the block's threads are neighbours.
__global__ void copy_four(const float *in, float *out, int n, int offset)
{
    int first = blockIdx.x * 4 * blockDim.x + threadIdx.x;
    for (int j = 0; j < 4; j++) {
        int i = first + j * blockDim.x;
        if (i < n)
            out[i] = in[i + offset];
    }
}
