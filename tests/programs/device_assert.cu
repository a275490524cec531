// assert in a kernel: one that holds says nothing, one that fails ends the kernel.
#include <cassert>
#include <cstdio>

__global__ void check(const int *p, int limit)
{
    int i = threadIdx.x;
    assert(p[i] < limit);
}

int main()
{
    int h[32], *d;
    for (int i = 0; i < 32; i++) h[i] = i;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    check<<<1, 32>>>(d, 32);
    printf("holds: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    check<<<1, 32>>>(d, 31);
    printf("fails: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    printf("then: %s\n", cudaGetErrorName(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost)));
}
