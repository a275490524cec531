// Occupancy, and attributes of kernels: what a launch may ask for.
#include <cstdio>

__global__ void plain(float *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void hungry(float *p)
{
    __shared__ float s[8192];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
__global__ void __launch_bounds__(128) bounded(float *p) { p[threadIdx.x] = 2; }

int main()
{
    cudaDeviceProp p;
    cudaFuncAttributes a;
    int blocks, grid, block;
    cudaGetDeviceProperties(&p, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 256, 0);
    printf("a plain kernel fills a multiprocessor: %d\n", blocks * 256 == p.maxThreadsPerMultiProcessor);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, hungry, 128, 0);
    printf("shared memory limits: %d\n", blocks > 0 && blocks * 128 < p.maxThreadsPerMultiProcessor);
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 0);
    printf("best block: whole warps %d, grid fills the GPU %d\n", block % 32 == 0, grid >= p.multiProcessorCount);
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 192);
    printf("at most 192 threads: %d\n", block <= 192);
    cudaFuncGetAttributes(&a, hungry);
    printf("hungry: %d bytes of shared memory, %d threads\n", (int)a.sharedSizeBytes, a.maxThreadsPerBlock);
    cudaFuncGetAttributes(&a, bounded);
    printf("bounded: %d threads, uses registers %d\n", a.maxThreadsPerBlock, a.numRegs > 0);
    float *d;
    cudaMalloc(&d, 1024 * sizeof(float));
    bounded<<<1, 256>>>(d);
    printf("256 threads are refused: %d\n", cudaGetLastError() != cudaSuccess);
    bounded<<<1, 128>>>(d);
    printf("128: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(d);
}
