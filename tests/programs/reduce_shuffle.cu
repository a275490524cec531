// A sum and a maximum by warp shuffles; each block adds its own with one atomic.
#include <climits>
#include <cstdio>
#include <vector>

__inline__ __device__ int warp_sum(int v)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
    return v;
}

__inline__ __device__ int warp_max(int v)
{
    for (int mask = 16; mask > 0; mask >>= 1) v = max(v, __shfl_xor_sync(0xffffffff, v, mask));
    return v;
}

__global__ void reduce(const int *in, int n, int *total, int *most)
{
    __shared__ int sums[32], maxima[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, s = 0, m = INT_MIN;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        s += in[i];
        m = max(m, in[i]);
    }
    s = warp_sum(s), m = warp_max(m);
    if (lane == 0) sums[warp] = s, maxima[warp] = m;
    __syncthreads();
    if (warp == 0) {
        bool there = lane < blockDim.x / 32;
        s = warp_sum(there ? sums[lane] : 0);
        m = warp_max(there ? maxima[lane] : INT_MIN);
        if (lane == 0) atomicAdd(total, s), atomicMax(most, m);
    }
}

int main()
{
    const int n = 20000;
    std::vector<int> h(n);
    for (int i = 0; i < n; i++) h[i] = (i * 7919) % 10007;
    int *d, *result, out[2] = {0, INT_MIN};
    cudaMalloc(&d, n * sizeof(int));
    cudaMalloc(&result, sizeof out);
    cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(result, out, sizeof out, cudaMemcpyHostToDevice);
    reduce<<<10, 256>>>(d, n, result, result + 1);
    cudaMemcpy(out, result, sizeof out, cudaMemcpyDeviceToHost);
    int want[2] = {0, INT_MIN};
    for (int v : h) want[0] += v, want[1] = v > want[1] ? v : want[1];
    printf("sum %d, want %d; maximum %d, want %d\n", out[0], want[0], out[1], want[1]);
    cudaFree(d);
    cudaFree(result);
}
