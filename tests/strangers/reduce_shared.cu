// run: reduce 8 256 shared=1024 buf:f32:4096:iota buf:f32:8:none u32:4096
// run: reduce_unrolled<256> 8 256 shared=1024 buf:f32:4096:iota buf:f32:8:none u32:4096
// The sum of an array, a block's part in dynamic shared memory; then with the last warp unrolled.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void reduce(const float *g_in, float *g_out, unsigned int n)
{
    extern __shared__ float sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    float mine = i < n ? g_in[i] : 0;
    if (i + blockDim.x < n)
        mine += g_in[i + blockDim.x];
    sdata[tid] = mine;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        g_out[blockIdx.x] = sdata[0];
}

template <unsigned int blockSize>
__device__ void warpReduce(volatile float *sdata, unsigned int tid)
{
    float v = sdata[tid];
    if (blockSize >= 64) { v += sdata[tid + 32]; __syncwarp(); sdata[tid] = v; __syncwarp(); }
#pragma unroll
    for (int d = 16; d > 0; d >>= 1) {
        v += sdata[tid + d]; __syncwarp();
        sdata[tid] = v; __syncwarp();
    }
}

template <unsigned int blockSize>
__global__ void reduce_unrolled(const float *g_in, float *g_out, unsigned int n)
{
    extern __shared__ float sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    float sum = 0;
    for (unsigned int i = blockIdx.x * blockSize * 2 + tid; i < n; i += gridSize)
        sum += g_in[i] + g_in[i + blockSize];
    sdata[tid] = sum;
    __syncthreads();
    if (blockSize >= 512) { if (tid < 256) { sdata[tid] += sdata[tid + 256]; } __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) { sdata[tid] += sdata[tid + 128]; } __syncthreads(); }
    if (blockSize >= 128) { if (tid < 64) { sdata[tid] += sdata[tid + 64]; } __syncthreads(); }
    if (tid < 32)
        warpReduce<blockSize>(sdata, tid);
    if (tid == 0)
        g_out[blockIdx.x] = sdata[0];
}

int main()
{
    const unsigned n = 1 << 22;
    const int threads = 256, blocks = n / (threads * 2);
    float *in, *out, sum;
    cudaMallocManaged(&in, n * sizeof(float));
    cudaMallocManaged(&out, blocks * sizeof(float));
    for (unsigned i = 0; i < n; i++)
        in[i] = 1.0f;
    reduce<<<blocks, threads, threads * sizeof(float)>>>(in, out, n);
    reduce<<<1, threads, threads * sizeof(float)>>>(out, out, blocks);
    switch (threads) {
    case 512: reduce_unrolled<512><<<64, threads, threads * sizeof(float)>>>(in, out, n); break;
    case 256: reduce_unrolled<256><<<64, threads, threads * sizeof(float)>>>(in, out, n); break;
    }
    cudaDeviceSynchronize();
    cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDefault);
    printf("%g\n", sum);
}
