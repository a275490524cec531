// run: relu 4 256 buf:f32:1024:iota i32:1024
// run: sigmoid 4 256 buf:f32:1024:rand buf:f32:1024:none i32:1024
// run: gelu 4 256 buf:f32:1024:rand buf:f32:1024:none i32:1024
// run: gelu_exact 4 256 buf:f32:1024:rand buf:f32:1024:none i32:1024
// run: swish_grad 4 256 buf:f64:1024:rand buf:f64:1024:none i32:1024
// run: layernorm 4 64 buf:f32:1024:rand buf:f32:256:fill=1 buf:f32:256:zero buf:f32:1024:none i32:256 f32:1e-5
// What neural networks do an element.
#define _USE_MATH_DEFINES
#include <math.h>
#define BLOCK 256
#define CUDA_KERNEL_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

__global__ void relu(float *x, int n) { CUDA_KERNEL_LOOP(i, n) x[i] = x[i] > 0 ? x[i] : 0.01f * x[i]; }

__global__ void sigmoid(const float *x, float *y, int n)
{
    CUDA_KERNEL_LOOP(i, n) y[i] = 1 / (1 + exp(-x[i]));
}

__global__ void gelu(const float *x, float *y, int n)
{
    CUDA_KERNEL_LOOP(i, n)
    {
        float v = x[i];
        y[i] = 0.5f * v * (1.0f + tanhf(sqrtf(2.0f / M_PI) * (v + 0.044715f * v * v * v)));
    }
}

__global__ void gelu_exact(const float *x, float *y, int n)
{
    CUDA_KERNEL_LOOP(i, n) y[i] = x[i] * 0.5f * (1 + erff(x[i] * (float)M_SQRT1_2));
}

__global__ void swish_grad(const double *x, double *dx, int n)
{
    CUDA_KERNEL_LOOP(i, n)
    {
        double s = 1.0 / (1.0 + exp(-x[i]));
        dx[i] = s * (1 + x[i] * (1 - s)) + log1p(x[i]) * 0.0;
    }
}

__global__ void layernorm(const float *x, const float *gamma, const float *beta, float *y, int cols, float eps)
{
    __shared__ float2 part[64];
    float s = 0, q = 0;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) {
        float v = x[blockIdx.x * cols + i];
        s += v;
        q += v * v;
    }
    part[threadIdx.x] = make_float2(s, q);
    for (int k = 32; k; k >>= 1) {
        __syncthreads();
        if (threadIdx.x < k) {
            part[threadIdx.x].x += part[threadIdx.x + k].x;
            part[threadIdx.x].y += part[threadIdx.x + k].y;
        }
    }
    __syncthreads();
    float mean = part[0].x / cols, scale = rsqrt(part[0].y / cols - mean * mean + eps);
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        y[blockIdx.x * cols + i] = (x[blockIdx.x * cols + i] - mean) * scale * gamma[i] + beta[i];
}
