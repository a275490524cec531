// A whole CUDA program as people write it, host and all: only its kernel is compiled.
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <iostream>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t status = (call);                                                               \
        if (status != cudaSuccess) {                                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

template <typename T> __global__ void saxpy(int n, T a, const T *x, T *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

__global__ void roots(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = sqrtf(in[i]);
}

int main()
{
    const int n = 1 << 20;
    float *x, *y, *host = (float *)malloc(n * sizeof(float));
    cudaEvent_t start, stop;
    float ms = 0;
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    CHECK(cudaMalloc((void **)&y, n * sizeof(float)));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaMemcpy(x, host, n * sizeof(float), cudaMemcpyHostToDevice));
    dim3 block(256), grid((n + block.x - 1) / block.x);
    cudaEventRecord(start);
    saxpy<float><<<grid, block>>>(n, 2.0f, x, y);
    roots<<<grid, block, 0>>>(x, y);
    cudaEventRecord(stop);
    CHECK(cudaDeviceSynchronize());
    cudaEventElapsedTime(&ms, start, stop);
    printf("%f ms\n", ms);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
