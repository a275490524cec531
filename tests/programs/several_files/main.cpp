// A project of several files: a host file, two of kernels, a header, a Makefile.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#include "vectors.h"

int main()
{
    const int n = 1000;
    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; i++) x[i] = i, y[i] = FACTOR;
    float *dx, *dy;
    cudaMalloc((void **)&dx, n * sizeof(float));
    cudaMalloc((void **)&dy, n * sizeof(float));
    cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    set_scale(0.5f);
    scale(dx, n);
    add(dx, dy, n);
    cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("%g %g, sum %g, %s\n", y[0], y[n - 1], sum(dy, n), cudaGetErrorString(cudaGetLastError()));
    cudaFree(dx);
    cudaFree(dy);
}
