// cudaDeviceReset: memory is gone, variables have their first values again, and work goes on.
#include <cstdio>

__device__ int counter = 5;

__global__ void count() { counter++; }

static int value()
{
    int v = 0;
    cudaMemcpyFromSymbol(&v, counter, sizeof v);
    return v;
}

int main()
{
    void *p, *q;
    cudaMalloc(&p, 1 << 20);
    count<<<1, 1>>>();
    count<<<1, 1>>>();
    printf("%d\n", value());
    printf("reset: %s\n", cudaGetErrorString(cudaDeviceReset()));
    printf("%d\n", value());
    count<<<1, 1>>>();
    printf("%d, %s\n", value(), cudaGetErrorString(cudaGetLastError()));
    printf("malloc: %s\n", cudaGetErrorString(cudaMalloc(&q, 1 << 20)));
    printf("free: %s\n", cudaGetErrorString(cudaFree(q)));
}
