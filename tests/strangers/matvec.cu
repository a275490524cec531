// run: gemv 4 128 buf:f32:16384:iota buf:f32:128:fill=1 buf:f32:128:none i32:128 i32:128
// run: gemv_vector 4 128 buf:f32:16384:iota buf:f32:128:fill=1 buf:f32:128:none i32:128 i32:128
// A warp a row, then the same by float4.
#include <iostream>
#include <memory>
namespace linear {
constexpr int kWarp = 32;

__global__ void gemv(const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ y, int rows, int cols)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / kWarp, lane = threadIdx.x % kWarp;
    for (; row < rows; row += gridDim.x * blockDim.x / kWarp) {
        float sum = 0.f;
        for (int c = lane; c < cols; c += kWarp)
            sum = fmaf(A[row * cols + c], x[c], sum);
        for (int o = kWarp / 2; o > 0; o /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, o);
        if (lane == 0)
            y[row] = sum;
    }
}

__global__ void gemv_vector(const float *A, const float *x, float *y, int rows, int cols)
{
    const int lane = threadIdx.x & 31;
    for (int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; row < rows; row += gridDim.x * blockDim.x >> 5) {
        const float4 *a4 = reinterpret_cast<const float4 *>(A + (long long)row * cols);
        const float4 *x4 = reinterpret_cast<const float4 *>(x);
        float sum = 0;
        for (int c = lane; c < cols / 4; c += 32) {
            float4 a = a4[c], b = __ldg(x4 + c);
            sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
        }
#pragma unroll
        for (int o = 16; o > 0; o >>= 1)
            sum += __shfl_xor_sync(0xffffffff, sum, o, 32);
        if (!lane) y[row] = sum;
    }
}
} // namespace linear

int main()
{
    auto host = std::make_unique<float[]>(128);
    float *A, *x, *y;
    cudaMalloc(&A, 128 * 128 * 4);
    cudaMalloc(&x, 128 * 4);
    cudaMalloc(&y, 128 * 4);
    linear::gemv<<<4, 128>>>(A, x, y, 128, 128);
    linear::gemv_vector<<<4, 128>>>(A, x, y, 128, 128);
    cudaMemcpy(host.get(), y, 128 * 4, cudaMemcpyDeviceToHost);
    std::cout << host[0] << std::endl;
}
