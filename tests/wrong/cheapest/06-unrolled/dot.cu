// One thread of the block, or of eight groups of 32, adds up what all have put into shared memory.
#include "lockstep.h"

#define THREADS 256
#define WARPS (THREADS / 32)
LAUNCH(by_tree, BLOCK(THREADS, 1), COVERS(1, 1))
LAUNCH(by_shuffles, BLOCK(THREADS, 1), COVERS(WARPS, 1))
LAUNCH(by_atomics, BLOCK(THREADS, 1), COVERS(1, 1))

// The sum of a row, by `apart` threads that have `sums` together: in all of them.
static __device__ float summed(float *sums, const float *row, int w, int first, int apart)
{
    float sum = 0;
    for (int i = first; i < w; i += apart)
        sum += row[i] * row[i];
    sums[first] = sum;
    __syncthreads();
    sum = 0;
    if (first == 0)
        for (int i = 0; i < apart; i++)
            sum += sums[i];
    return sum;
}

static __device__ void by_block(const float *a, float *d, int m, int w)
{
    __shared__ float sums[THREADS];
    float sum = summed(sums, &a[blockIdx.x * w], w, threadIdx.x, THREADS);
    if (threadIdx.x == 0)
        d[blockIdx.x] = sum;
}

__global__ void by_tree(const float *a, float *d, int m, int w) { by_block(a, d, m, w); }
__global__ void by_atomics(const float *a, float *d, int m, int w) { by_block(a, d, m, w); }

__global__ void by_shuffles(const float *a, float *d, int m, int w)
{
    __shared__ float sums[THREADS];
    int lane = threadIdx.x % 32, row = blockIdx.x * WARPS + threadIdx.x / 32;
    float sum = summed(&sums[threadIdx.x - lane], &a[row * w], row < m ? w : 0, lane, 32);
    if (lane == 0 && row < m)
        d[row] = sum;
}
