// Another way: by warps, all loads first.
#include "lockstep.h"
PREDICT(offset_1, UNKNOWN)
PREDICT(offset_8, UNKNOWN)
PREDICT(stride_2, UNKNOWN)
PREDICT(stride_8, UNKNOWN)
PREDICT(stride_32, UNKNOWN)
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
// each warp owns 128 neighbours; all four loads come before the stores
__global__ void copy_four(const float *in, float *out, int n, int offset)
{
    int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    int base = blockIdx.x * 1024 + (warp << 7) + lane;
    float keep[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (base + 32 * j < n) keep[j] = in[base + 32 * j + offset];
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (base + 32 * j < n) out[base + 32 * j] = keep[j];
}
