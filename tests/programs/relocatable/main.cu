#include "shape.h"
#include <cstdio>
static __device__ int helper(int x) { return x * 2; } // not the other file's
static __device__ int own = 1;
__global__ void evaluate(float *out, Polynomial p)
{
    extern __shared__ float row[];
    int i = threadIdx.x;
    row[i] = area(i, 2) + twice(p.at(i)) * weights[i % 3] + helper(i) + own;
    __syncthreads();
    out[i] = row[blockDim.x - 1 - i];
}
int main()
{
    const int n = 8;
    float h[n], *d;
    int count, nine = 9;
    Polynomial p = {{1, 2, 3}};
    cudaMalloc(&d, sizeof h);
    evaluate<<<1, n, sizeof h>>>(d, p);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) std::printf("%g ", h[i]);
    cudaMemcpyFromSymbol(&count, calls, sizeof count);
    std::printf("\n%d calls\n", count);
    reset_calls();
    cudaMemcpyFromSymbol(&count, calls, sizeof count);
    std::printf("%d calls\n", count);
    float heavy[3] = {2, 2, 2};
    cudaMemcpyToSymbol(weights, heavy, sizeof heavy);
    cudaMemcpyToSymbol(own, &nine, sizeof nine);
    evaluate<<<1, n, sizeof h>>>(d, p);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) std::printf("%g ", h[i]);
    std::printf("\n%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
