// run: histogram_global 4 256 buf:u8:4096 u32:4096 buf:u32:256:zero
// run: histogram_shared 4 256 buf:u8:4096 u32:4096 buf:u32:256:zero
#include <cstdint>
#include <cstdlib>
#include <iostream>
#define BINS 256

__global__ void histogram_global(const uint8_t *data, unsigned int n, unsigned int *bins)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int stride = blockDim.x * gridDim.x;
    while (i < n) {
        atomicAdd(&bins[data[i]], 1);
        i += stride;
    }
}

__global__ void histogram_shared(const uint8_t *data, unsigned int n, unsigned int *bins)
{
    __shared__ unsigned int private_bins[BINS];
    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x)
        private_bins[b] = 0u;
    __syncthreads();
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)blockDim.x * gridDim.x)
        atomicAdd(private_bins + data[i], 1u);
    __syncthreads();
    for (unsigned b = threadIdx.x; b < BINS; b += blockDim.x)
        if (private_bins[b] > 0)
            atomicAdd(&(bins[b]), private_bins[b]);
}

int main()
{
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    int blocks = prop.multiProcessorCount * 2;
    uint8_t *data;
    unsigned int *bins, host[BINS];
    cudaMalloc((void **)&data, 1 << 20);
    cudaMalloc((void **)&bins, sizeof host);
    cudaMemset(bins, 0, sizeof host);
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start, 0);
    histogram_shared<<<blocks, 256>>>(data, 1 << 20, bins);
    cudaEventRecord(stop, 0);
    cudaEventSynchronize(stop);
    float ms;
    cudaEventElapsedTime(&ms, start, stop);
    cudaMemcpy(host, bins, sizeof host, cudaMemcpyDeviceToHost);
    std::cout << prop.name << ": " << ms << " ms" << std::endl;
    return EXIT_SUCCESS;
}
