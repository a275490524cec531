// CUB: collectives of a block and a warp in a kernel, and algorithms of the whole device.
#include <cstdio>
#include <cub/cub.cuh>

__global__ void block(const int *in, int *sums, int *sorted)
{
    typedef cub::BlockScan<int, 128> Scan;
    typedef cub::BlockRadixSort<int, 128, 4> Sort;
    typedef cub::WarpReduce<int> Reduce;
    __shared__ union {
        typename Scan::TempStorage scan;
        typename Sort::TempStorage sort;
        typename Reduce::TempStorage reduce[4];
    } shared;
    int items[4], own, before, all;
    for (int i = 0; i < 4; i++) items[i] = in[threadIdx.x * 4 + i];
    own = items[0] + items[1] + items[2] + items[3];
    Scan(shared.scan).ExclusiveSum(own, before, all);
    __syncthreads();
    sums[threadIdx.x] = before;
    int warp = Reduce(shared.reduce[threadIdx.x / 32]).Sum(own);
    if (threadIdx.x % 32 == 0) sums[128 + threadIdx.x / 32] = warp;
    if (threadIdx.x == 0) sums[132] = all;
    __syncthreads();
    Sort(shared.sort).Sort(items);
    for (int i = 0; i < 4; i++) sorted[threadIdx.x * 4 + i] = items[i];
}

int main()
{
    const int n = 512;
    int h[n], sums[133], *in, *out, *d_sums, *count;
    for (int i = 0; i < n; i++) h[i] = (i * 389) % 509;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMalloc(&d_sums, sizeof sums);
    cudaMalloc(&count, sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    block<<<1, 128>>>(in, d_sums, out);
    cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("before the last %d, warps %d %d %d %d, all %d\n", sums[127], sums[128], sums[129], sums[130], sums[131],
        sums[132]);
    int wrong = 0;
    for (int i = 1; i < n; i++) wrong += h[i] < h[i - 1];
    std::printf("%d to %d, %d out of order\n", h[0], h[n - 1], wrong);

    void *scratch = nullptr;
    size_t bytes = 0, most = 0;
    int result;
    cub::DeviceReduce::Max(nullptr, bytes, in, count, n), most = bytes > most ? bytes : most;
    cub::DeviceScan::InclusiveSum(nullptr, bytes, in, out, n), most = bytes > most ? bytes : most;
    cudaMalloc(&scratch, most);
    bytes = most;
    cub::DeviceReduce::Max(scratch, bytes, in, count, n);
    cudaMemcpy(&result, count, sizeof result, cudaMemcpyDeviceToHost);
    std::printf("greatest %d\n", result);
    cub::DeviceScan::InclusiveSum(scratch, bytes, in, out, n);
    cudaMemcpy(&result, out + n - 1, sizeof result, cudaMemcpyDeviceToHost);
    std::printf("sum %d\n", result);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
