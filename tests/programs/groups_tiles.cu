// Cooperative groups within a block: tiles, reductions, scans, coalesced groups, partitions.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

template <unsigned size> __device__ int sum_of_tile(cg::thread_block_tile<size> tile, int v)
{
    for (int by = tile.size() / 2; by > 0; by /= 2)
        v += tile.shfl_down(v, by);
    return v;
}

template <unsigned size> __global__ void sum_by_tiles(const int *in, int *out, int n)
{
    auto tile = cg::tiled_partition<size>(cg::this_thread_block());
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    sum = sum_of_tile<size>(tile, sum);
    if (tile.thread_rank() == 0)
        atomicAdd(out, sum);
}

struct Extent {
    int low, high;
};

__global__ void extent(const int *in, Extent *out, double *mean, int n)
{
    __shared__ Extent parts[32];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto join = [](Extent a, Extent b) { return Extent{min(a.low, b.low), max(a.high, b.high)}; };
    Extent mine = {1 << 30, -(1 << 30)};
    double sum = 0;
    for (int i = block.thread_rank(); i < n; i += block.size()) {
        mine = join(mine, Extent{in[i], in[i]});
        sum += in[i];
    }
    mine = cg::reduce(warp, mine, join);
    sum = cg::reduce(warp, sum, cg::plus<double>());
    if (warp.thread_rank() == 0) {
        parts[warp.meta_group_rank()] = mine;
        atomicAdd(mean, sum / n);
    }
    block.sync();
    if (warp.meta_group_rank() == 0) {
        auto some = cg::binary_partition(warp, warp.thread_rank() < warp.meta_group_size());
        if (warp.thread_rank() < warp.meta_group_size()) {
            mine = cg::reduce(some, parts[some.thread_rank()], join);
            if (some.thread_rank() == 0)
                *out = mine;
        }
    }
}

__global__ void running_sums(const int *in, long long *out)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = cg::inclusive_scan(warp, (long long)in[i]) * 1000000 + cg::exclusive_scan(warp, in[i]);
}

__device__ int add_once(int *counter)
{
    cg::coalesced_group active = cg::coalesced_threads();
    int first;
    if (active.thread_rank() == 0)
        first = atomicAdd(counter, active.size());
    return active.shfl(first, 0) + active.thread_rank();
}

__global__ void keep_odd(const int *in, int *kept, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 2)
        kept[add_once(count)] = in[i];
}

__global__ void by_remainder(const int *in, int *sums)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    auto same = cg::labeled_partition(warp, v % 7);
    int sum = cg::reduce(same, v, cg::plus<int>());
    if (same.thread_rank() == 0)
        atomicAdd(&sums[v % 7], sum);
}

int main()
{
    const int n = 4096;
    std::vector<int> in(n), kept(n);
    std::vector<long long> scans(n);
    for (int i = 0; i < n; i++)
        in[i] = (i * 7919 + 13) % 1009;
    int *d_in, *d_out, *d_kept;
    long long *d_scans;
    Extent *d_extent, extents;
    double *d_mean, mean;
    int out[16];
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, sizeof out);
    cudaMalloc(&d_kept, n * sizeof(int));
    cudaMalloc(&d_scans, n * sizeof(long long));
    cudaMalloc(&d_extent, sizeof(Extent));
    cudaMalloc(&d_mean, sizeof(double));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_out, 0, sizeof out);
    cudaMemset(d_mean, 0, sizeof(double));

    sum_by_tiles<32><<<4, 128>>>(d_in, d_out, n);
    sum_by_tiles<4><<<4, 128>>>(d_in, d_out + 1, n);
    extent<<<1, 256>>>(d_in, d_extent, d_mean, n);
    running_sums<<<n / 256, 256>>>(d_in, d_scans);
    keep_odd<<<n / 128, 128>>>(d_in, d_kept, d_out + 2, n);
    by_remainder<<<n / 128, 128>>>(d_in, d_out + 3);

    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpy(&extents, d_extent, sizeof extents, cudaMemcpyDeviceToHost);
    cudaMemcpy(&mean, d_mean, sizeof mean, cudaMemcpyDeviceToHost);
    cudaMemcpy(scans.data(), d_scans, n * sizeof(long long), cudaMemcpyDeviceToHost);
    cudaMemcpy(kept.data(), d_kept, n * sizeof(int), cudaMemcpyDeviceToHost);
    long long kept_sum = 0;
    for (int i = 0; i < out[2]; i++)
        kept_sum += kept[i];
    printf("sums %d %d, from %d to %d, mean %.6f\n", out[0], out[1], extents.low, extents.high, mean);
    printf("running sums %lld %lld %lld\n", scans[0], scans[31], scans[n - 1]);
    printf("%d are odd, their sum is %lld\n", out[2], kept_sum);
    for (int k = 0; k < 7; k++)
        printf("%d%s", out[3 + k], k < 6 ? " " : "\n");
}
