// counts: histograms, counters and compaction, by atomic operations on many words, few and one. `lockstep-hardware crosscheck
// --courses` compares their times with a GPU's.
#include "lockstep.h"

LAUNCH(hist_global, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(hist_shared, BLOCK(256, 1), COVERS(2048, 2))
LAUNCH(hot_word, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(hot_max, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(scatter_add, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(compact_each, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(compact_warp, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(compact_block, BLOCK(256, 1), COVERS(256, 1))

#define ALL 0xffffffffu

__device__ unsigned global_bins[256], merged_bins[256];
__device__ unsigned positive, greatest, kept_each, kept_warp, kept_block;
__device__ float words[1 << 20];

// The bin of a value: its bits are hashed, so that the 256 bins are used evenly.
__device__ __forceinline__ unsigned bin_of(float v)
{
    return __float_as_uint(v) * 2654435761u >> 24;
}

// A histogram in global memory.
__global__ void hist_global(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.y * cols + blockIdx.x * 256 + threadIdx.x;
    atomicAdd(&global_bins[bin_of(in[i])], 1u);
}

// A histogram in the shared memory of each block, 4096 elements a block, added up in global memory.
__global__ void hist_shared(const float *in, float *out, int rows, int cols)
{
    __shared__ unsigned bins[256];
    int t = threadIdx.x, first = blockIdx.y * 2 * cols + blockIdx.x * 4096;
    bins[t] = 0;
    __syncthreads();
    for (int k = 0; k < 16; k++)
        atomicAdd(&bins[bin_of(in[first + k * 256 + t])], 1u);
    __syncthreads();
    atomicAdd(&merged_bins[t], bins[t]);
}

// How many elements are positive: one counter for all.
__global__ void hot_word(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.y * cols + blockIdx.x * 256 + threadIdx.x;
    if (in[i] > 0)
        atomicAdd(&positive, 1u);
}

// The greatest magnitude: one word for all, each lane with a value of its own.
__global__ void hot_max(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.y * cols + blockIdx.x * 256 + threadIdx.x;
    atomicMax(&greatest, __float_as_uint(in[i]) & 0x7fffffffu);
}

// Each element is added to one of a million words, in no order.
__global__ void scatter_add(const float *in, float *out, int rows, int cols)
{
    unsigned i = blockIdx.y * cols + blockIdx.x * 256 + threadIdx.x;
    atomicAdd(&words[i * 2654435761u >> 12], in[i]);
}

// Compaction of the positive elements: each thread gets its place by an atomic addition.
__global__ void compact_each(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.y * cols + blockIdx.x * 256 + threadIdx.x;
    float v = in[i];
    if (v > 0)
        out[atomicAdd(&kept_each, 1u)] = v;
}

// Compaction with one atomic addition a warp, for the places of its lanes.
__global__ void compact_warp(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.y * cols + blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
    float v = in[i];
    unsigned keep = __ballot_sync(ALL, v > 0), first = 0;
    if (lane == 0)
        first = atomicAdd(&kept_warp, (unsigned)__popc(keep));
    first = __shfl_sync(ALL, first, 0);
    if (v > 0)
        out[first + __popc(keep & ((1u << lane) - 1))] = v;
}

// Compaction with one atomic addition a block, for the places of its threads.
__global__ void compact_block(const float *in, float *out, int rows, int cols)
{
    __shared__ unsigned warps[8], first;
    int t = threadIdx.x, lane = t % 32, i = blockIdx.y * cols + blockIdx.x * 256 + t;
    float v = in[i];
    unsigned keep = __ballot_sync(ALL, v > 0), before = 0;
    if (lane == 0)
        warps[t / 32] = __popc(keep);
    __syncthreads();
    if (t == 0) {
        unsigned sum = 0;
        for (int w = 0; w < 8; w++)
            sum += warps[w];
        first = atomicAdd(&kept_block, sum);
    }
    __syncthreads();
    for (int w = 0; w < t / 32; w++)
        before += warps[w];
    if (v > 0)
        out[first + before + __popc(keep & ((1u << lane) - 1))] = v;
}
