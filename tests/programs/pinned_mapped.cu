// Host memory that is pinned, and mapped so that a kernel reaches it by itself.
#include <cstdio>

__global__ void half_of(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] / 2;
}

int main()
{
    const int n = 1000;
    float *pinned, *mapped, *device_view, *d;
    cudaSetDeviceFlags(cudaDeviceMapHost);
    cudaMallocHost(&pinned, n * sizeof(float));
    cudaHostAlloc(&mapped, n * sizeof(float), cudaHostAllocMapped | cudaHostAllocWriteCombined);
    printf("view: %s\n", cudaGetErrorString(cudaHostGetDevicePointer(&device_view, mapped, 0)));
    cudaMalloc(&d, n * sizeof(float));
    for (int i = 0; i < n; i++) pinned[i] = i;
    cudaMemcpyAsync(d, pinned, n * sizeof(float), cudaMemcpyHostToDevice);
    half_of<<<4, 256>>>(d, device_view, n);
    cudaDeviceSynchronize();
    printf("%g %g\n", mapped[1], mapped[n - 1]);
    half_of<<<4, 256>>>(device_view, device_view, n);
    cudaDeviceSynchronize();
    printf("%g %g\n", mapped[1], mapped[n - 1]);
    printf("freed: %s, %s\n", cudaGetErrorString(cudaFreeHost(pinned)), cudaGetErrorString(cudaFreeHost(mapped)));
    cudaFree(d);
}
