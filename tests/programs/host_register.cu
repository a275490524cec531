// Memory of the host that is pinned after it was allocated, and let go again.
#include <cstdio>
#include <vector>

__global__ void negate(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = -p[i];
}

int main()
{
    const int n = 4096;
    std::vector<int> h(n);
    int *d;
    cudaStream_t s;
    cudaPointerAttributes a;
    for (int i = 0; i < n; i++) h[i] = i;
    cudaStreamCreate(&s);
    cudaMalloc(&d, n * sizeof(int));
    printf("register: %s\n", cudaGetErrorName(cudaHostRegister(h.data(), n * sizeof(int), cudaHostRegisterDefault)));
    printf("again: %s\n", cudaGetErrorName(cudaHostRegister(h.data(), n * sizeof(int), cudaHostRegisterDefault)));
    cudaPointerGetAttributes(&a, h.data() + 10);
    printf("it is the host's: %d\n", a.type == cudaMemoryTypeHost);
    cudaMemcpyAsync(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice, s);
    negate<<<n / 256, 256, 0, s>>>(d, n);
    cudaMemcpyAsync(h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    printf("%d %d\n", h[1], h[n - 1]);
    int *mapped, *same;
    cudaHostGetDevicePointer(&mapped, h.data(), 0);
    negate<<<n / 256, 256>>>(mapped, n); // kernels reach it, by the device's address or by the host's
    negate<<<n / 256, 256>>>(h.data() + 2, n - 2);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", h[1], h[2], h[n - 1]);
    h[3] = 7;
    negate<<<n / 256, 256>>>(mapped, n);
    cudaMemcpy(&h[4], &mapped[3], sizeof(int), cudaMemcpyDefault);
    printf("%d %d\n", h[3], h[4]);
    printf("beyond it: %s\n", cudaGetErrorName(cudaHostGetDevicePointer(&same, &h, 0)));
    printf("unregister: %s\n", cudaGetErrorName(cudaHostUnregister(h.data())));
    printf("again: %s\n", cudaGetErrorName(cudaHostUnregister(h.data())));
    cudaPointerGetAttributes(&a, h.data());
    printf("it is nobody's: %d\n", a.type == cudaMemoryTypeUnregistered);
    cudaStreamDestroy(s);
    cudaFree(d);
}
