// A template, a constant, a device variable that kernels count in, vectors of the host.
#include <cstdio>
#include <vector>

__constant__ float scale;
__device__ int hits;

template <class T> __global__ void axpy(int n, T a, const T *x, T *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a * x[i] * scale + y[i];
        atomicAdd(&hits, 1);
    }
}

int main()
{
    const int n = 10000;
    const float s = 3;
    std::vector<float> x(n, 2.f), y(n, 1.f);
    float *dx, *dy;
    int h;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc((void **)&dy, n * sizeof(float));
    cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(scale, &s, sizeof s);
    axpy<float><<<dim3((n + 255) / 256), 256>>>(n, 5.f, dx, dy);
    printf("launch: %s\n", cudaGetErrorString(cudaGetLastError()));
    cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&h, hits, sizeof h);
    printf("%g %g, %d hits\n", y[0], y[n - 1], h);
    cudaFree(dx);
    cudaFree(dy);
}
