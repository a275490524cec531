// run: hello 2 4
// run: values 1 8 buf:f32:8:iota i32:8
#include <stdio.h>
#include <cuda_runtime.h>

__global__ void hello()
{
    printf("Hello from block %d, thread %d\n", blockIdx.x, threadIdx.x);
}

__global__ void values(const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 3 == 0)
        printf("x[%2d] = %8.3f %s%c %lu 0x%04x\n", i, x[i] * 0.5, i ? "more" : "first", '!', (unsigned long)n, i * 16);
    if (i == 0)
        printf("done 100%%\n");
}

int main()
{
    hello<<<2, 4>>>();
    cudaDeviceSynchronize();
    return 0;
}
