// stride: what an offset and a stride cost
#include "lockstep.h"

PREDICT(offset_1, 5)
PREDICT(offset_8, 4)
PREDICT(stride_2, 8)
PREDICT(stride_8, 32)
PREDICT(stride_32, 32)

LAUNCH(copy_offset, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(copy_stride, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(copy_four, BLOCK(256, 1), COVERS(1024, 1))

// Given: do not change it.
__global__ void copy_offset(const float *in, float *out, int n, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i + offset];
}

// Given: do not change it.
__global__ void copy_stride(const float *in, float *out, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i * stride];
}

// The block walks over its elements, one block width at a time.
__global__ void copy_four(const float *in, float *out, int n, int offset)
{
    int width = blockDim.x;
    int start = blockIdx.x * 4 * width;
    int end = (blockIdx.x + 1) * width;
    if (end > n)
        end = n;
    for (int i = start + threadIdx.x; i < end; i += width)
        out[i] = in[i + offset];
}
