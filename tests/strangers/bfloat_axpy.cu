// run: axpy_bf16 4 128 i32:512 bf16:2 buf:bf16:512:iota buf:bf16:512:fill=1
// run: axpy_bf162 2 128 i32:512 bf16:2 buf:bf16:512:iota buf:bf16:512:fill=1
// run: scale_mixed 4 128 i32:512 f32:0.5 buf:f32:512 buf:bf16:512:none
#include <cuda_bf16.h>
#include <cstdlib>

__global__ void axpy_bf16(int n, __nv_bfloat16 a, const __nv_bfloat16 *x, __nv_bfloat16 *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __hfma(a, x[i], y[i]);
}

__global__ void axpy_bf162(int n, __nv_bfloat16 a, const __nv_bfloat162 *x, __nv_bfloat162 *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __nv_bfloat162 aa = __bfloat162bfloat162(a);
    if (i < n / 2) y[i] = __hfma2(aa, x[i], y[i]);
}

// float in, bfloat16 out: the store of mixed-precision training
__global__ void scale_mixed(int n, float s, const float *x, nv_bfloat16 *y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = __float2bfloat16(s * x[i]);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 512;
    nv_bfloat16 *x, *y;
    cudaMallocManaged(&x, n * sizeof(nv_bfloat16));
    cudaMallocManaged(&y, n * sizeof(nv_bfloat16));
    for (int i = 0; i < n; i++) {
        x[i] = __float2bfloat16((float)i);
        y[i] = __float2bfloat16(1.0f);
    }
    axpy_bf16<<<(n + 127) / 128, 128>>>(n, __float2bfloat16(2.0f), x, y);
    cudaDeviceSynchronize();
    printf("%g\n", __bfloat162float(y[1]));
    return 0;
}
