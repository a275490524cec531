// run: softmax_half 4 128 buf:f16:1024 buf:f16:1024:none i32:256
#include <cuda_fp16.h>

__inline__ __device__ half warpReduceMax(half val)
{
    for (int offset = 16; offset > 0; offset /= 2)
        val = __hmax(val, __shfl_down_sync(0xffffffff, val, offset));
    return val;
}

__inline__ __device__ float warpReduceSum(float val)
{
    for (int offset = 16; offset > 0; offset /= 2) val += __shfl_down_sync(0xffffffff, val, offset);
    return val;
}

// A block a row of at most 1024 numbers; the row stays in half, its sum is a float.
__global__ void softmax_half(const __half *__restrict__ input, __half *__restrict__ output, int cols)
{
    __shared__ __half maxima[32];
    __shared__ float sums[32];
    const __half *x = input + blockIdx.x * cols;
    __half *y = output + blockIdx.x * cols;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;

    __half local_max = __ushort_as_half(0xFC00); // -infinity
    for (int i = threadIdx.x; i < cols; i += blockDim.x) local_max = __hmax(local_max, x[i]);
    local_max = warpReduceMax(local_max);
    if (lane == 0) maxima[warp] = local_max;
    __syncthreads();
    __half row_max = maxima[0];
    for (int w = 1; w < warps; w++) row_max = __hgt(maxima[w], row_max) ? maxima[w] : row_max;

    float local_sum = 0.f;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) {
        __half e = hexp(__hsub(x[i], row_max));
        y[i] = e;
        local_sum += __half2float(e);
    }
    local_sum = warpReduceSum(local_sum);
    if (lane == 0) sums[warp] = local_sum;
    __syncthreads();
    float total = 0.f;
    for (int w = 0; w < warps; w++) total += sums[w];
    for (int i = threadIdx.x; i < cols; i += blockDim.x) y[i] = __float2half(__half2float(y[i]) / total);
}
