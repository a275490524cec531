// Blocks that wait for other blocks: each for the one before, by volatile reads and by reads past the L1; all for all.
#include <cstdio>

__device__ volatile int flag[400];
__device__ int arrived;

// What CUB's scans do: poll past the L1, with a fence.
__device__ int past_l1(const int *p)
{
    int value;
    __threadfence_block();
    asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(value) : "l"(p));
    return value;
}

__global__ void chain(int *partial)
{
    int b = blockIdx.x, before = 0;
    if (threadIdx.x) return;
    if (b) {
        while (!flag[b - 1])
            ;
        __threadfence();
        before = *(volatile int *)&partial[b - 1];
    }
    *(volatile int *)&partial[b] = before + b;
    __threadfence();
    flag[b] = 1;
}

__global__ void chain_past_l1(int *status)
{
    int b = blockIdx.x, before = 0;
    if (threadIdx.x) return;
    while (b && !(before = past_l1(&status[b - 1])))
        ;
    *(volatile int *)&status[b] = before + 1;
}

// A barrier of all blocks, as programs write it without cooperative groups.
__global__ void all_meet(volatile int *in, int *out)
{
    if (threadIdx.x) return;
    in[blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    atomicAdd(&arrived, 1);
    while (*(volatile int *)&arrived < gridDim.x)
        ;
    out[blockIdx.x] = in[gridDim.x - 1 - blockIdx.x];
}

int main()
{
    static int h[400];
    int *a, *b;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    chain<<<400, 32>>>(a);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    printf("chain: %d %d %s\n", h[1], h[399], cudaGetErrorString(cudaGetLastError()));
    cudaMemset(a, 0, sizeof h);
    chain_past_l1<<<400, 32>>>(a);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    printf("past the L1: %d %d %s\n", h[0], h[399], cudaGetErrorString(cudaGetLastError()));
    all_meet<<<400, 64>>>(a, b);
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    printf("all meet: %d %d %s\n", h[0], h[399], cudaGetErrorString(cudaGetLastError()));
    return 0;
}
