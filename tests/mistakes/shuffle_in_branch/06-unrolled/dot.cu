// dot: the diagonal of a a^T, d[i] = row i of a times itself, three ways to add up what many threads have
#include "lockstep.h"

#define THREADS 256
#define WARPS (THREADS / 32)
LAUNCH(by_tree, BLOCK(THREADS, 1), COVERS(1, 1))         // a block a row
LAUNCH(by_shuffles, BLOCK(THREADS, 1), COVERS(WARPS, 1)) // a warp a row
LAUNCH(by_atomics, BLOCK(THREADS, 1), COVERS(1, 1))      // a block a row

PREDICT(tree_barriers, 9 * 8 * 8192) // one after the fill, one after each of 8 halvings; 8 warps, 8192 blocks
PREDICT(tree_divergent, 6 * 8192)    // the halvings by 16, 8, 4, 2 and 1 threads, and the store by one
PREDICT(atomics, 8 * 8192)           // one a warp

// [TREE]
// The sum of the squares of elements first, first + apart, ... of a row of w
static __device__ float squares(const float *row, int w, int first, int apart)
{
    float sum = 0;
    for (int i = first; i < w; i += apart)
        sum += row[i] * row[i];
    return sum;
}

// Halves, not pairs: the threads that add are neighbours, so whole warps fall idle and execute nothing, and
// the words that a warp reads are neighbours, so no two are in one bank.
__global__ void by_tree(const float *a, float *d, int m, int w)
{
    __shared__ float sums[THREADS];
    int t = threadIdx.x;
    sums[t] = squares(&a[blockIdx.x * w], w, t, THREADS);
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            sums[t] += sums[t + half];
        __syncthreads(); // outside of the branch: all threads reach it
    }
    if (t == 0)
        d[blockIdx.x] = sums[0];
}
// [/TREE]

// [SHUFFLES]
// The lanes of a warp hand their registers over, without memory and without a barrier. All 32 lanes of the
// mask must take part: a row exists for all lanes of a warp or for none.
static __device__ float sum_of_warp(float sum)
{
    for (int half = 16; half > 0; half /= 2)
        if (sum > 0)
            sum += __shfl_down_sync(0xffffffff, sum, half);
    return sum; // the sum of all lanes, in lane 0
}

__global__ void by_shuffles(const float *a, float *d, int m, int w)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * WARPS + threadIdx.x / 32;
    if (row >= m)
        return;
    float sum = sum_of_warp(squares(&a[row * w], w, lane, 32));
    if (lane == 0)
        d[row] = sum;
}
// [/SHUFFLES]

// For rows that are worth a block: shuffles add up each warp, and one atomic a warp adds up the block. Two
// barriers: the word must be 0 before any warp adds to it, and complete before it is read.
__global__ void by_atomics(const float *a, float *d, int m, int w)
{
    __shared__ float whole;
    int t = threadIdx.x;
    if (t == 0)
        whole = 0;
    __syncthreads();
    float sum = sum_of_warp(squares(&a[blockIdx.x * w], w, t, THREADS));
    if (t % 32 == 0)
        atomicAdd(&whole, sum);
    __syncthreads();
    if (t == 0)
        d[blockIdx.x] = whole;
}
