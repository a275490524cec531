// by_shuffles collects the sums of eight rows in shared memory, and stores them at once
#include "lockstep.h"

#define THREADS 256
#define WARPS (THREADS / 32)
LAUNCH(by_tree, BLOCK(THREADS, 1), COVERS(1, 1))         // a block a row
LAUNCH(by_shuffles, BLOCK(THREADS, 1), COVERS(WARPS, 1)) // a warp a row
LAUNCH(by_atomics, BLOCK(THREADS, 1), COVERS(1, 1))      // a block a row

PREDICT(tree_barriers, UNKNOWN)  // barriers of by_tree, counted once per warp
PREDICT(tree_divergent, UNKNOWN) // branches of by_tree about which the lanes of a warp disagree
PREDICT(atomics, UNKNOWN)        // atomics of by_atomics, one a warp

// Given: the sum of the squares of elements first, first + apart, ... of a row of w
static __device__ float squares(const float *row, int w, int first, int apart)
{
    float sum = 0;
    for (int i = first; i < w; i += apart)
        sum += row[i] * row[i];
    return sum;
}

static __device__ float of_warp(float sum)
{
#pragma unroll
    for (int d = 1; d < 32; d *= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    return sum;
}

// the last 64 sums by one warp: the rest of the tree needs no barrier
__global__ void by_tree(const float *a, float *d, int m, int w)
{
    __shared__ float sums[THREADS];
    int t = threadIdx.x;
    sums[t] = squares(a + (size_t)blockIdx.x * w, w, t, THREADS);
    __syncthreads();
    if (t < 128)
        sums[t] += sums[t + 128];
    __syncthreads();
    if (t < 64)
        sums[t] += sums[t + 64];
    __syncthreads();
    if (t >= 32)
        return;
    float own = of_warp(sums[t] + sums[t + 32]);
    if (t == 0)
        d[blockIdx.x] = own;
}

// the warps' sums meet, so that the block stores its eight of them at once
__global__ void by_shuffles(const float *a, float *d, int m, int w)
{
    __shared__ float sums[WARPS];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, row = blockIdx.x * WARPS + warp;
    float sum = row < m ? squares(a + (size_t)row * w, w, lane, 32) : 0;
#pragma unroll
    for (int far = 16; far > 0; far >>= 1)
        sum += __shfl_down_sync(~0u, sum, far);
    if (lane == 0)
        sums[warp] = sum;
    __syncthreads();
    if (threadIdx.x < WARPS && blockIdx.x * WARPS + threadIdx.x < m)
        d[blockIdx.x * WARPS + threadIdx.x] = sums[threadIdx.x];
}

__global__ void by_atomics(const float *a, float *d, int m, int w)
{
    __shared__ float total;
    int t = threadIdx.x;
    if (t == 0)
        total = 0;
    __syncthreads();
    float sum = squares(a + (size_t)blockIdx.x * w, w, t, THREADS);
    for (int far = 16; far > 0; far >>= 1)
        sum += __shfl_down_sync(~0u, sum, far);
    if (t % 32 == 0)
        atomicAdd(&total, sum);
    __syncthreads();
    if (t == 0)
        d[blockIdx.x] = total;
}
