// counts: counters, compaction and histograms. `lockstep-hardware crosscheck --tuning` compares their times with a GPU's.
#include "lockstep.h"
LAUNCH(x_count, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(x_total, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(x_keep_shared, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(x_keep_ballot, BLOCK(128, 1), COVERS(128, 1))
LAUNCH(x_keep_scan, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(x_bins_warp, BLOCK(256, 1), COVERS(2048, 1))
LAUNCH(x_edges, BLOCK(256, 1), COVERS(256, 1))
__device__ unsigned many, bins_of_all[64];
__device__ int kept_now, last_at[1 << 16];
__device__ float total_of_all;
#define ALL 0xffffffffu
__global__ void x_count(const float *in, float *out, int rows, int cols)
{
    if (in[blockIdx.y * cols + blockIdx.x * 256 + threadIdx.x] > 0.5f) atomicAdd(&many, 1u);
}
__global__ void x_total(const float *in, float *out, int rows, int cols)
{
    float v = in[blockIdx.y * cols + blockIdx.x * 256 + threadIdx.x];
    for (int m = 16; m; m /= 2) v += __shfl_xor_sync(ALL, v, m);
    if (threadIdx.x % 32 == 0) atomicAdd(&total_of_all, v);
}
__global__ void x_keep_shared(const float *in, float *out, int rows, int cols)
{
    __shared__ int kept, base;
    int t = threadIdx.x;
    if (t == 0) kept = 0;
    __syncthreads();
    float v = in[blockIdx.y * cols + blockIdx.x * 256 + t];
    int at = v > 0 ? atomicAdd(&kept, 1) : -1;
    __syncthreads();
    if (t == 0) base = atomicAdd(&kept_now, kept);
    __syncthreads();
    if (at >= 0) out[1 + (base + at) % (rows * cols - 1)] = v;
}
__global__ void x_keep_ballot(const float *in, float *out, int rows, int cols)
{
    float v = in[blockIdx.y * cols + blockIdx.x * 128 + threadIdx.x];
    unsigned lane = threadIdx.x % 32, who = __ballot_sync(ALL, v > 0), first = 0;
    if (lane == 0) first = atomicAdd(&many, (unsigned)__popc(who));
    first = __shfl_sync(ALL, first, 0);
    if (v > 0) out[1 + (first + __popc(who & ((1u << lane) - 1))) % (rows * cols - 1)] = v;
}
__global__ void x_keep_scan(const float *in, float *out, int rows, int cols)
{
    __shared__ int s[256], base;
    int t = threadIdx.x;
    float v = in[blockIdx.y * cols + blockIdx.x * 256 + t];
    s[t] = v > 0;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int o = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += o;
        __syncthreads();
    }
    if (t == 255) base = atomicAdd(&kept_now, s[255]);
    __syncthreads();
    if (v > 0) out[1 + (base + s[t] - 1) % (rows * cols - 1)] = v;
}
__global__ void x_bins_warp(const float *in, float *out, int rows, int cols)
{
    __shared__ unsigned bins[8][64];
    int t = threadIdx.x;
    for (int i = t; i < 512; i += 256) bins[i / 64][i % 64] = 0;
    __syncthreads();
    for (int k = 0; k < 8; k++)
        atomicAdd(&bins[t / 32][__float_as_uint(in[blockIdx.y * cols + blockIdx.x * 2048 + k * 256 + t]) >> 9 & 63], 1u);
    __syncthreads();
    if (t < 64) {
        unsigned sum = 0;
        for (int w = 0; w < 8; w++) sum += bins[w][t];
        atomicAdd(&bins_of_all[t], sum);
    }
}
__global__ void x_edges(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.y * cols + blockIdx.x * 256 + threadIdx.x;
    unsigned to = __float_as_uint(in[i]) * 2654435761u;
    atomicMax(&last_at[to >> 16], i);
}
