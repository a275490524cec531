// dot: the diagonal of a a^T, d[i] = row i of a times itself, three ways to add up what many threads have
//   Given:   a (m x w), row-major floats, any m and w; d has m floats, the elements (i, i) of a a^T. x of the
//            grid runs over the rows of a: a block has one of them, in by_shuffles eight, one a warp.
//   Example: {1,2, 3,4} -> {5, 25}
//   Budget:  at m = 8192, w = 256, counted once per warp:
//            by_tree: at most 204800 loads from shared memory and 589824 barriers.
//            by_shuffles: at most 160 threads a row that shuffle, and 4 sectors a load from global memory.
//            by_atomics: at least 16384 atomics on shared memory, at most 131072 barriers
//   Read:    README.md step 9, slides/06-unrolled.md "One sum of many threads"
#include "lockstep.h"

#define THREADS 256
#define WARPS (THREADS / 32)
LAUNCH(by_tree, BLOCK(THREADS, 1), COVERS(1, 1))         // a block a row
LAUNCH(by_shuffles, BLOCK(THREADS, 1), COVERS(WARPS, 1)) // a warp a row
LAUNCH(by_atomics, BLOCK(THREADS, 1), COVERS(1, 1))      // a block a row

// TODO 1: predict, at m = 8192, w = 256, where each thread of by_tree has one element of a row.
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

__global__ void by_tree(const float *a, float *d, int m, int w)
{
    // TODO 2: each thread puts its share of row blockIdx.x into shared memory: every THREADS-th element, so
    //     that neighbours read neighbours.
    // TODO 3: let half of the threads add the other half's sums to theirs, then half of those, down to one.
    //     Who has to wait for whom?
    // TODO 4: one thread stores d[blockIdx.x].
}

__global__ void by_shuffles(const float *a, float *d, int m, int w)
{
    // TODO 5: each lane takes every 32nd element of its warp's row. Halve 32 sums in the same way, but by
    //     __shfl_down_sync(0xffffffff, sum, distance): the register `sum` of the lane `distance` further up.
    // TODO 6: lane 0 stores d[row]. There may be fewer rows than warps.
}

__global__ void by_atomics(const float *a, float *d, int m, int w)
{
    // TODO 7: a block a row again. Each warp adds its 32 sums by shuffles; then its lane 0 adds the result to
    //     one word of shared memory: atomicAdd(&word, sum). The word has to be 0 first, and whole at the end.
}
