// run: softmax 8 128 buf:f32:2048:rand buf:f32:2048:none i32:256
// run: softmax_online 8 32 buf:f32:2048:rand buf:f32:2048:none i32:256
#include <cmath>
#include <cstdio>

// A block a row.
__global__ void softmax(const float *x, float *y, int cols)
{
    __shared__ float scratch[128];
    const float *row = x + blockIdx.x * cols;
    float m = -INFINITY;
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        m = fmaxf(m, row[i]);
    scratch[threadIdx.x] = m;
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        __syncthreads();
        if (threadIdx.x < s)
            scratch[threadIdx.x] = fmaxf(scratch[threadIdx.x], scratch[threadIdx.x + s]);
    }
    __syncthreads();
    m = scratch[0];
    __syncthreads();
    float sum = 0.0f;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) {
        float e = expf(row[i] - m);
        y[blockIdx.x * cols + i] = e;
        sum += e;
    }
    scratch[threadIdx.x] = sum;
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        __syncthreads();
        if (threadIdx.x < s)
            scratch[threadIdx.x] += scratch[threadIdx.x + s];
    }
    __syncthreads();
    sum = scratch[0];
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        y[blockIdx.x * cols + i] /= sum;
}

// One pass over the row for maximum and sum: a warp a row.
__global__ void softmax_online(const float *x, float *y, int cols)
{
    const float *row = x + (size_t)blockIdx.x * cols;
    float m = -INFINITY, d = 0;
    for (int i = threadIdx.x; i < cols; i += 32) {
        float v = __ldg(&row[i]), larger = fmaxf(m, v);
        d = d * __expf(m - larger) + __expf(v - larger);
        m = larger;
    }
    for (int o = 16; o; o >>= 1) {
        float m2 = __shfl_xor_sync(~0u, m, o), d2 = __shfl_xor_sync(~0u, d, o), larger = fmaxf(m, m2);
        d = d * __expf(m - larger) + d2 * __expf(m2 - larger);
        m = larger;
    }
    for (int i = threadIdx.x; i < cols; i += 32)
        y[(size_t)blockIdx.x * cols + i] = __fdividef(__expf(row[i] - m), d);
}
