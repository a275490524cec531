// run: compact 2 128 buf:i32:256:iota buf:i32:256:none buf:i32:1:zero i32:256
// run: bits 1 64 buf:u32:64:iota buf:u32:64:none
// Stream compaction, a warp's places from a ballot.
#include <cuda_runtime.h>

__device__ __forceinline__ int lane_id()
{
    int id;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(id));
    return id;
}

__global__ void compact(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool keep = i < n && in[i] % 3 == 0;
    unsigned mask = __ballot_sync(0xFFFFFFFF, keep);
    int lane = lane_id(), leader = __ffs(mask) - 1, base = 0;
    if (mask == 0) return;
    if (lane == leader)
        base = atomicAdd(count, __popc(mask));
    base = __shfl_sync(0xFFFFFFFF, base, leader);
    if (keep)
        out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}

__global__ void bits(const unsigned *in, unsigned *out)
{
    unsigned v = in[threadIdx.x];
    unsigned r = __brev(v) ^ __clz(v) ^ __ffs(v) ^ __byte_perm(v, ~v, 0x3210) ^ __funnelshift_l(v, v, 7) ^ __umulhi(v, 0x9E3779B9u) ^
                 __usad(v, 3u, 1u) ^ (unsigned)__mul24(v, 3) ^ (unsigned)__clzll((long long)v) ^ (unsigned)abs((int)v - 9);
    if (__any_sync(~0u, v > 40) && __all_sync(~0u, v < 1000))
        r += __vadd4(v, 0x01010101u) + __dp4a((int)v, 0x01010101, 7);
    out[threadIdx.x] = r;
}
