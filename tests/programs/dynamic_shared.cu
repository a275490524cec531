// Shared memory that the launch sizes: two arrays in one, and more than 48 KiB once the kernel allows it.
#include <cstdio>

__global__ void reverse(int *p, int n)
{
    extern __shared__ unsigned char memory[];
    int *values = (int *)memory;
    short *places = (short *)(values + n);
    for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = p[i], places[i] = (short)(n - 1 - i);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = values[places[i]];
}

int main()
{
    const int n = 10000, bytes = n * (int)(sizeof(int) + sizeof(short));
    static int h[n];
    int *d;
    for (int i = 0; i < n; i++) h[i] = i * i % 1000;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    reverse<<<1, 256, bytes>>>(d, n);
    printf("%d bytes: %s\n", bytes, cudaGetErrorString(cudaGetLastError()));
    printf("allow them: %s\n",
        cudaGetErrorString(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)));
    reverse<<<1, 256, bytes>>>(d, n);
    printf("%d bytes: %s\n", bytes, cudaGetErrorString(cudaGetLastError()));
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += h[i] != (n - 1 - i) * (n - 1 - i) % 1000;
    printf("%d %d, %d wrong\n", h[0], h[n - 2], wrong);
    printf("a gigabyte: %s\n", cudaGetErrorName(cudaFuncSetAttribute(
                                   reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30)));
    cudaFree(d);
}
