// run: sumKernel 8 256 shared=1024 buf:i32:1:zero buf:i32:4096:fill=1 i32:4096
// run: reduceTile<32> 4 128 buf:f32:1024:rand buf:f32:1:zero i32:1024
// run: warpAggregated 4 64 buf:i32:256:iota buf:i32:256:none buf:i32:1:zero i32:256
// Cooperative groups as tutorials show them: any group, tiles, coalesced threads, the grid.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <stdio.h>
#include <stdlib.h>

using namespace cooperative_groups;
namespace cg = cooperative_groups;

__device__ int reduce_sum(thread_group g, int *temp, int val)
{
    int lane = g.thread_rank();
    // Each iteration halves the number of active threads.
    for (int i = g.size() / 2; i > 0; i /= 2) {
        temp[lane] = val;
        g.sync();
        if (lane < i) val += temp[lane + i];
        g.sync();
    }
    return val;
}

__device__ int thread_sum(int *input, int n)
{
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += blockDim.x * gridDim.x) {
        int4 in = ((int4 *)input)[i];
        sum += in.x + in.y + in.z + in.w;
    }
    return sum;
}

__global__ void sumKernel(int *sum, int *input, int n)
{
    int my_sum = thread_sum(input, n);
    extern __shared__ int temp[];
    auto g = this_thread_block();
    int block_sum = reduce_sum(g, temp, my_sum);
    if (g.thread_rank() == 0) atomicAdd(sum, block_sum);
}

template <int tile_sz> __device__ float reduce_sum_tile_shfl(thread_block_tile<tile_sz> g, float val)
{
    for (int i = g.size() / 2; i > 0; i /= 2) val += g.shfl_down(val, i);
    return val;
}

template <int tile_sz> __global__ void reduceTile(const float *input, float *sum, int n)
{
    float val = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) val += input[i];
    auto tile = tiled_partition<tile_sz>(this_thread_block());
    float tile_sum = reduce_sum_tile_shfl<tile_sz>(tile, val);
    if (tile.thread_rank() == 0) atomicAdd(sum, tile_sum);
}

__device__ int atomicAggInc(int *ptr)
{
    cg::coalesced_group g = cg::coalesced_threads();
    int prev;
    if (g.thread_rank() == 0) prev = atomicAdd(ptr, g.size());
    prev = g.thread_rank() + g.shfl(prev, 0);
    return prev;
}

__global__ void warpAggregated(const int *src, int *dst, int *nres, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    if (src[i] % 5 == 0) dst[atomicAggInc(nres)] = src[i];
}

__global__ void gridSum(const float *in, float *partial, float *out, int n)
{
    cg::grid_group grid = cg::this_grid();
    cg::thread_block cta = cg::this_thread_block();
    cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
    __shared__ float warps[32];
    float sum = 0;
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) sum += in[i];
    sum = cg::reduce(tile32, sum, cg::plus<float>());
    if (tile32.thread_rank() == 0) warps[tile32.meta_group_rank()] = sum;
    cg::sync(cta);
    if (cta.thread_rank() == 0) {
        for (unsigned w = 1; w < tile32.meta_group_size(); w++) sum += warps[w];
        partial[cta.group_index().x] = sum;
    }
    cg::sync(grid);
    if (grid.thread_rank() == 0) {
        float all = 0;
        for (int b = 0; b < gridDim.x; b++) all += partial[b];
        *out = all;
    }
}

int main()
{
    int n = 1 << 20, blocks = 0;
    float *in, *partial, *out;
    cudaMallocManaged(&in, n * sizeof(float));
    cudaMallocManaged(&out, sizeof(float));
    for (int i = 0; i < n; i++) in[i] = 1;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, gridSum, 256, 0);
    cudaMalloc(&partial, blocks * sizeof(float));
    void *args[] = {&in, &partial, &out, &n};
    cudaLaunchCooperativeKernel((void *)gridSum, blocks, 256, args);
    reduceTile<32><<<64, 128>>>(in, out, n);
    cudaDeviceSynchronize();
    printf("%f\n", *out);
    return 0;
}
