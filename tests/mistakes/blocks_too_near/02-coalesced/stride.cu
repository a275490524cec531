
#include "lockstep.h"

PREDICT(offset_1, 5)
PREDICT(offset_8, 4)
PREDICT(stride_2, 8)
PREDICT(stride_8, 32)
PREDICT(stride_32, 32)

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



__global__ void copy_four(const float *in, float *out, int n, int offset)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < 4; j++) {
        int i = first + j * blockDim.x;
        if (i < n)
            out[i] = in[i + offset];
    }
}
