// registered.cu - memory of the host that is registered: copies to and from it, and its end.
#include <cstdio>
#include <cstdlib>

__global__ void add(int *p, int n) { p[threadIdx.x] += n; }

int main()
{
    int *h = (int *)malloc(64 * sizeof *h), *d;
    for (int i = 0; i < 64; i++) h[i] = i;
    printf("%s\n", cudaGetErrorName(cudaHostRegister(h, 64 * sizeof *h, cudaHostRegisterMapped)));
    cudaMalloc(&d, 64 * sizeof *d);
    cudaMemcpyAsync(d, h, 64 * sizeof *h, cudaMemcpyHostToDevice);
    add<<<1, 64>>>(d, 5);
    cudaMemcpyAsync(h, d, 64 * sizeof *h, cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    printf("%d %d\n", h[0], h[63]);
    printf("%s\n", cudaGetErrorName(cudaHostUnregister(h)));
    free(h);
}
