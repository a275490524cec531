// run: inclusive 2 256 buf:u32:512:fill=1 buf:u32:512:none buf:u32:2:none
// Inclusive sums: within warps by shuffles, across them by the first warp.
__device__ __forceinline__ unsigned int warp_scan(unsigned int v, unsigned lane)
{
    #pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        unsigned int up = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d)
            v += up;
    }
    return v;
}

__global__ void inclusive(const unsigned int *in, unsigned int *out, unsigned int *totals)
{
    __shared__ unsigned int sums[32];
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int v = warp_scan(in[i], lane);
    if (lane == 31)
        sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        unsigned int s = lane < blockDim.x / 32 ? sums[lane] : 0u;
        sums[lane] = warp_scan(s, lane);
    }
    __syncthreads();
    if (warp > 0)
        v += sums[warp - 1];
    out[i] = v;
    if (threadIdx.x == blockDim.x - 1)
        totals[blockIdx.x] = v;
}
