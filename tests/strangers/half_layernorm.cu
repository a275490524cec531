// run: layernorm<256> 4 128 buf:f16:1024 buf:f16:256:fill=2 buf:f16:256:fill=0.5 buf:f16:1024:none f32:1e-5
// run: add_bias_gelu 4 128 buf:f16:1024:rand buf:f16:256:fill=0.5 i32:128
#include <cuda_fp16.h>

// Mean and variance of a row in float, what comes in and goes out in half2.
template <int COLS>
__global__ void layernorm(
    const half *__restrict__ x, const half *__restrict__ gamma, const half *__restrict__ beta, half *y, float eps)
{
    static_assert(COLS % 2 == 0, "pairs");
    __shared__ float2 warps[4];
    const half2 *row = (const half2 *)(x + blockIdx.x * COLS);
    const int i = threadIdx.x;
    float2 v = __half22float2(row[i]);
    float sum = v.x + v.y, squares = v.x * v.x + v.y * v.y;
    for (int o = 16; o; o >>= 1) {
        sum += __shfl_xor_sync(~0u, sum, o);
        squares += __shfl_xor_sync(~0u, squares, o);
    }
    if (i % 32 == 0) warps[i / 32] = make_float2(sum, squares);
    __syncthreads();
    sum = warps[0].x + warps[1].x + warps[2].x + warps[3].x;
    squares = warps[0].y + warps[1].y + warps[2].y + warps[3].y;
    float mean = sum / COLS, inv = rsqrtf(squares / COLS - mean * mean + eps);
    half2 normal = __floats2half2_rn((v.x - mean) * inv, (v.y - mean) * inv);
    ((half2 *)(y + blockIdx.x * COLS))[i] = __hfma2(normal, __ldg((const half2 *)gamma + i), ((const half2 *)beta)[i]);
}

// x = gelu(x + bias), in place
__global__ void add_bias_gelu(half2 *x, const half2 *bias, int pairs)
{
    int i = blockIdx.x * pairs + threadIdx.x;
    half2 v = x[i] + bias[threadIdx.x];
    float2 f = __half22float2(v);
    f.x *= 0.5f * (1.0f + tanhf(0.7978845608f * (f.x + 0.044715f * f.x * f.x * f.x)));
    f.y *= 0.5f * (1.0f + tanhf(0.7978845608f * (f.y + 0.044715f * f.y * f.y * f.y)));
    x[i] = __float22half2_rn(f);
}

int main()
{
    half *x, *g, *b, *y;
    cudaMalloc((void **)&x, 1024 * sizeof(half));
    cudaMalloc((void **)&g, 256 * sizeof(half));
    cudaMalloc((void **)&b, 256 * sizeof(half));
    cudaMalloc((void **)&y, 1024 * sizeof(half));
    layernorm<256><<<4, 128>>>(x, g, b, y, 1e-5f);
    add_bias_gelu<<<4, 128>>>((half2 *)y, (const half2 *)b, 128);
    return cudaDeviceSynchronize() != cudaSuccess;
}
