// The tree's words lie in global memory; a warp's words are added by its lane 0, which then shuffles the sum once;
// the atomics count the warps, and ordinary words hold their sums.
#include "lockstep.h"

#define THREADS 256
#define WARPS (THREADS / 32)
LAUNCH(by_tree, BLOCK(THREADS, 1), COVERS(1, 1))
LAUNCH(by_shuffles, BLOCK(THREADS, 1), COVERS(WARPS, 1))
LAUNCH(by_atomics, BLOCK(THREADS, 1), COVERS(1, 1))
PREDICT(tree_barriers, UNKNOWN)
PREDICT(tree_divergent, UNKNOWN)
PREDICT(atomics, UNKNOWN)

static __device__ float squares(const float *row, int w, int first, int apart)
{
    float sum = 0;
    for (int i = first; i < w; i += apart)
        sum += row[i] * row[i];
    return sum;
}

static __device__ float sum_of(const float *words, int count)
{
    float sum = 0;
    for (int i = 0; i < count; i += 4) {
        float4 v = *(const float4 *)&words[i];
        sum += v.x + v.y + (v.z + v.w);
    }
    return sum;
}

__device__ float scratch[8192][THREADS];

__global__ void by_tree(const float *a, float *d, int m, int w)
{
    __shared__ __align__(16) float sums[32];
    int t = threadIdx.x;
    volatile float *own = scratch[blockIdx.x];
    own[t] = squares(&a[blockIdx.x * w], w, t, THREADS);
    __syncthreads();
    if (t >= 32)
        return;
    float sum = 0;
    for (int i = t; i < THREADS; i += 32)
        sum += own[i];
    sums[t] = sum;
    __syncwarp();
    if (t == 0)
        d[blockIdx.x] = sum_of(sums, 32);
}

__global__ void by_shuffles(const float *a, float *d, int m, int w)
{
    __shared__ __align__(16) float sums[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= m)
        return;
    sums[warp][lane] = squares(&a[row * w], w, lane, 32);
    __syncwarp();
    float sum = lane == 0 ? sum_of(sums[warp], 32) : 0;
    sum = __shfl_sync(0xffffffff, sum, 0);
    if (lane == 1)
        d[row] = sum;
}

__global__ void by_atomics(const float *a, float *d, int m, int w)
{
    __shared__ __align__(16) float sums[WARPS];
    __shared__ float count;
    int t = threadIdx.x;
    if (t == 0)
        count = 0;
    __syncthreads();
    float sum = squares(&a[blockIdx.x * w], w, t, THREADS);
    for (int half = 16; half > 0; half /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, half);
    if (t % 32 == 0) {
        sums[t / 32] = sum;
        atomicAdd(&count, 1.0f);
    }
    __syncthreads();
    if (t == 0)
        d[blockIdx.x] = sum_of(sums, WARPS) + (count - WARPS);
}
