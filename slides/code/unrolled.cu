// Worked examples of deck 06: problems that no lab asks for.
#include "lockstep.h"

//! run   windows grid=1 block=64
//! arg   in f32[80] = 1
//! arg   out f32[64] poison
//! want  out = 16
__global__ void windows(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int j = 0; j < 16; j++)
        sum += in[i + j];
    out[i] = sum;
}

//! run   twice_two grid=1 block=64
//! arg   in f32[128] = i
//! arg   out f32[128] poison
//! want  out = 2 * i
__global__ void twice_two(const float *in, float *out)
{
    int i = blockIdx.x * 2 * blockDim.x + threadIdx.x;
    float first = in[i], second = in[i + blockDim.x]; // both loads are in flight
    out[i] = 2 * first;
    out[i + blockDim.x] = 2 * second;
}
