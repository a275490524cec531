// run: bitonic_sort_step 8 64 buf:f32:512:rand i32:1 i32:2
// run: bitonic_block 1 256 shared=2048 buf:i32:512:rand i32:512
#include <stdlib.h>
#include <stdio.h>
#include <time.h>
#define THREADS 512
#define BLOCKS 32768
#define NUM_VALS THREADS*BLOCKS

__global__ void bitonic_sort_step(float *dev_values, int j, int k)
{
    unsigned int i = threadIdx.x + blockDim.x * blockIdx.x, ixj = i ^ j;
    if (ixj > i) {
        bool up = (i & k) == 0;
        float a = dev_values[i], b = dev_values[ixj];
        if ((a > b) == up) {
            dev_values[i] = b;
            dev_values[ixj] = a;
        }
    }
}

template <typename T> __device__ inline void swap_if(T &a, T &b, bool dir)
{
    if ((a > b) == dir) {
        T t = a;
        a = b;
        b = t;
    }
}

__global__ void bitonic_block(int *data, int n)
{
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s[i] = data[i];
    for (int size = 2; size <= n; size <<= 1)
        for (int stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            int pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            swap_if(s[pos], s[pos + stride], (threadIdx.x & (size / 2)) == 0);
        }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        data[i] = s[i];
}

int main(void)
{
    clock_t start = clock();
    float *values = (float *)malloc(sizeof(float) * NUM_VALS), *dev;
    srand(time(NULL));
    for (int i = 0; i < NUM_VALS; ++i)
        values[i] = (float)rand() / (float)RAND_MAX;
    cudaMalloc((void **)&dev, NUM_VALS * sizeof(float));
    for (int k = 2; k <= NUM_VALS; k <<= 1)
        for (int j = k >> 1; j > 0; j = j >> 1)
            bitonic_sort_step<<<BLOCKS, THREADS>>>(dev, j, k);
    bitonic_block<<<1, 256, 512 * sizeof(int)>>>((int *)dev, 512);
    printf("%.3fs\n", (double)(clock() - start) / CLOCKS_PER_SEC);
}
