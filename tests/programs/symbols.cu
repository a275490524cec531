// Variables of the device: copies to and from them with offsets, their addresses and sizes.
#include <cstdio>

__device__ int counters[8] = {1, 2, 3};
__constant__ float table[4];
__device__ double total = 0.5;
int host_only;

__global__ void step(int *p)
{
    int i = threadIdx.x;
    counters[i] += (int)table[i % 4];
    if (p) p[i] *= 10;
    if (i == 0) total *= 3;
}

int main()
{
    const float t[4] = {1, 2, 3, 4};
    const int more[2] = {70, 80};
    int h[8];
    double d;
    void *address;
    size_t bytes;
    cudaMemcpyToSymbol(table, t, sizeof t);
    cudaMemcpyToSymbol(counters, more, sizeof more, 6 * sizeof(int));
    step<<<1, 8>>>(nullptr);
    cudaMemcpyFromSymbol(h, counters, sizeof h);
    for (int v : h) printf("%d ", v);
    cudaGetSymbolAddress(&address, counters);
    cudaGetSymbolSize(&bytes, counters);
    printf("of %d bytes\n", (int)bytes);
    step<<<1, 8>>>((int *)address);
    cudaMemcpyFromSymbol(&d, total, sizeof d);
    cudaMemcpy(h, address, sizeof h, cudaMemcpyDeviceToHost);
    for (int v : h) printf("%d ", v);
    printf("total %g\n", d);
    cudaMemcpyFromSymbol(h, counters, 2 * sizeof(int), 4 * sizeof(int));
    printf("%d %d\n", h[0], h[1]);
    printf("%s\n", cudaGetErrorName(cudaMemcpyToSymbol(host_only, h, sizeof(int))));
    printf("too much: %s\n", cudaGetErrorName(cudaMemcpyToSymbol(table, h, sizeof t, 4)));
}
