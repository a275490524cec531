// variables.cu - managed variables, marks of a launch with spaces, and an unsigned index that wraps in shared memory.
#include <cstdio>

__device__ __managed__ int total = 1;
__managed__ float table[4] = {1, 2, 3, 4};

__global__ void add(int n)
{
    atomicAdd(&total, n);
    table[threadIdx.x] *= 2;
}

__global__ void reverse(int *out)
{
    __shared__ int s[64];
    unsigned i = threadIdx.x;
    s[i] = i * i;
    __syncthreads();
    const int *end = s + 64;
    out[i] = end[~i]; // end[-1 - i], in 32 bits
}

int main()
{
    int *d, h[64];
    total += 4;
    add << <1, 4>> > (3);
    cudaDeviceSynchronize();
    printf("%d: %g %g %g %g\n", total, table[0], table[1], table[2], table[3]);
    table[0] = 100;
    add <<<1, 4>>> (3);
    cudaDeviceSynchronize();
    printf("%d: %g %g %g %g\n", total, table[0], table[1], table[2], table[3]);
    cudaMalloc(&d, sizeof h);
    reverse<<<1, 64>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d: %s\n", h[0], h[62], h[63], cudaGetErrorName(cudaDeviceSynchronize()));
}
