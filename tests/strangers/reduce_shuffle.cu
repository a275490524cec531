// run: sum 4 256 buf:f32:4096:iota buf:f32:1:zero i32:4096
// run: maximum 2 128 buf:f32:1024:rand buf:i32:1:zero i32:1024
// Sums and maxima over warps, then blocks, then atomics.
#include <cfloat>
#include <cstdio>
#define FULL_MASK 0xffffffff
#define WARP_SIZE 32

__inline__ __device__ float warpReduceSum(float val)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        val += __shfl_down_sync(FULL_MASK, val, offset);
    return val;
}

__inline__ __device__ float blockReduceSum(float val)
{
    static __shared__ float shared[32];
    int lane = threadIdx.x % warpSize;
    int wid = threadIdx.x / warpSize;
    val = warpReduceSum(val);
    if (lane == 0)
        shared[wid] = val;
    __syncthreads();
    val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
    if (wid == 0)
        val = warpReduceSum(val);
    return val;
}

__global__ void sum(const float *in, float *out, int n)
{
    float total = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        total += in[i];
    total = blockReduceSum(total);
    if (threadIdx.x == 0)
        atomicAdd(out, total);
}

// There is no atomicMax on float: for values that are not negative their bits order as integers do.
__global__ void maximum(const float *in, int *bits, int n)
{
    float best = -FLT_MAX;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        best = fmaxf(best, in[i]);
#pragma unroll
    for (int mask = WARP_SIZE >> 1; mask > 0; mask >>= 1)
        best = fmaxf(best, __shfl_xor_sync(FULL_MASK, best, mask));
    if ((threadIdx.x & (WARP_SIZE - 1)) == 0)
        atomicMax(bits, __float_as_int(best));
}

int main(void)
{
    float *in, *out;
    int n = 1 << 20;
    cudaMalloc(&in, n * sizeof *in);
    cudaMalloc(&out, sizeof *out);
    cudaMemset(out, 0, sizeof *out);
    int blocks = 0, threads = 0;
    cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, sum, 0, 0);
    sum<<<blocks, threads>>>(in, out, n);
    maximum<<<blocks, threads>>>(in, (int *)out, n);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    return 0;
}
