// Worked examples of deck 07: problems that no lab asks for.
#include "lockstep.h"

//! run   four_sums grid=1 block=64
//! arg   in f32[128] = 1
//! arg   weight f32[512] = 2
//! arg   out f32[256] poison
//! want  out = 256
__global__ void four_sums(const float *in, const float *weight, float *out)
{
    float sum[4] = {};
    for (int i = 0; i < 128; i++) {
        float x = in[i]; // one load for four multiply-adds
#pragma unroll
        for (int j = 0; j < 4; j++)
            sum[j] += x * weight[j * 128 + i];
    }
#pragma unroll
    for (int j = 0; j < 4; j++)
        out[j * 64 + threadIdx.x] = sum[j];
}

//! run   scale grid=1 block=64
//! arg   in f32[256] = i
//! arg   out f32[256] poison
//! want  out = 3 * i
//! count gld_requests 2
//! count gst_requests 2
__global__ void scale(const float *in, float *out)
{
    int i = 4 * threadIdx.x;
    float4 v = *(const float4 *)&in[i];
    *(float4 *)&out[i] = make_float4(3 * v.x, 3 * v.y, 3 * v.z, 3 * v.w);
}
