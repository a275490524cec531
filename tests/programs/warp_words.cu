// warp_words.cu - shuffles and matches of long and size_t, reductions over a mask, atomics with a scope, min and max on the host.
#include <cstddef>
#include <cuda.h>
#include <cstdio>

__global__ void lanes(long *l, size_t *z, int *r, unsigned *bits)
{
    int i = threadIdx.x;
    l[i] = __shfl_down_sync(0xffffffff, (long)i << 40, 1);
    z[i] = __shfl_xor_sync(0xffffffff, (size_t)i << 33, 16);
    if (i % 2) r[i] = __reduce_add_sync(0xaaaaaaaa, i) + __reduce_max_sync(0xaaaaaaaa, i);
    else r[i] = (int)__reduce_xor_sync(0x55555555, (unsigned)i);
    bits[i] = __match_any_sync(0xffffffff, (unsigned long)(i / 8));
}
__global__ void scoped(unsigned *p)
{
    atomicInc_system(&p[0], 9), atomicAdd_block(&p[1], 2), atomicCAS_system(&p[2], 0u, threadIdx.x + 1);
    atomicSub_system(&p[3], 1u);
}

int main()
{
    long *l, hl[32];
    size_t *z, hz[32];
    int *r, hr[32];
    unsigned *b, hb[32], p[4];
    cudaMalloc(&l, sizeof hl), cudaMalloc(&z, sizeof hz), cudaMalloc(&r, sizeof hr), cudaMalloc(&b, sizeof hb);
    lanes<<<1, 32>>>(l, z, r, b);
    cudaMemcpy(hl, l, sizeof hl, cudaMemcpyDeviceToHost), cudaMemcpy(hz, z, sizeof hz, cudaMemcpyDeviceToHost);
    cudaMemcpy(hr, r, sizeof hr, cudaMemcpyDeviceToHost), cudaMemcpy(hb, b, sizeof hb, cudaMemcpyDeviceToHost);
    printf("%ld %zu %d %d %x\n", hl[3] >> 40, hz[3] >> 33, hr[2], hr[3], hb[9]);
    cudaMemset(b, 0, sizeof hb);
    scoped<<<1, 32>>>(b);
    cudaMemcpy(p, b, sizeof p, cudaMemcpyDeviceToHost);
    printf("%u %u %d %u\n", p[0], p[1], p[2] > 0, 0u - p[3]);
    printf("%g %g %d\n", max(1.5f, 2.5f), min(1.0, 2.0f), INT_MAX);
    printf("%u %lld %d %zu\n", umin(3u, 5u), llmax(-1LL, 2LL), (int)CUDA_SUCCESS, sizeof(CUdeviceptr));
}
