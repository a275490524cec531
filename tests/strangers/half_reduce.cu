// run: reduce_half2 2 128 buf:f16:1024:fill=0.25 buf:f16:1:zero i32:1024
// run: l2norm_half 1 64 buf:f16:64 buf:f32:1:zero i32:64
#include <stdio.h>
#include "cuda_fp16.h"

// The sum of n halves, two at a time, into one.
__global__ void reduce_half2(const half *in, half *out, const int n)
{
    const half2 *in2 = reinterpret_cast<const half2 *>(in);
    half2 sum = __float2half2_rn(0.f);
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 2; i += stride) sum = __hadd2(sum, in2[i]);
    for (int mask = 16; mask > 0; mask >>= 1) sum = __hadd2(sum, __shfl_xor_sync(0xffffffffu, sum, mask));
    if ((threadIdx.x & 31) == 0) atomicAdd(out, __hadd(__low2half(sum), __high2half(sum)));
}

// The square root of the sum of squares, in float.
__global__ void l2norm_half(const __half *x, float *result, int n)
{
    __shared__ float partial[64];
    int t = threadIdx.x;
    float v = t < n ? (float)x[t] : 0.0f;
    partial[t] = v * v;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) partial[t] += partial[t + s];
        __syncthreads();
    }
    if (t == 0) *result = sqrtf(partial[0]);
}
