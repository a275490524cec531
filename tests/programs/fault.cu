// A fault of a kernel sticks: every later call returns it.
#include <cstdio>

__global__ void write(int *p) { *p = 1; }

int main()
{
    int *d, *far = (int *)0x10, h = 0;
    cudaMalloc(&d, sizeof(int));
    write<<<1, 1>>>(d);
    printf("good: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    write<<<1, 1>>>(far);
    printf("bad: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    printf("copy: %s\n", cudaGetErrorName(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost)));
    printf("malloc: %s\n", cudaGetErrorName(cudaMalloc(&d, 4)));
    printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
    write<<<1, 1>>>(d);
    printf("launch: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
    printf("h is still %d\n", h);
}
