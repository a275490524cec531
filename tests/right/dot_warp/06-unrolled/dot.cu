// Another way: warp 0 stores the word, the others add.
#include "lockstep.h"
#define THREADS 256
#define WARPS (THREADS / 32)
LAUNCH(by_tree, BLOCK(THREADS, 1), COVERS(1, 1))         // a block a row
LAUNCH(by_shuffles, BLOCK(THREADS, 1), COVERS(WARPS, 1)) // a warp a row
LAUNCH(by_atomics, BLOCK(THREADS, 1), COVERS(1, 1))      // a block a row
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
// a tree in place; within the last warp __syncwarp is enough
__global__ void by_tree(const float *a, float *d, int m, int w)
{
    __shared__ float part[THREADS];
    int t = threadIdx.x;
    part[t] = squares(a + blockIdx.x * w, w, t, THREADS);
    __syncthreads();
    for (int half = THREADS / 2; half >= 32; half >>= 1) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t >= 32) return;
    for (int half = 16; half; half >>= 1) {
        if (t < half) part[t] += part[t + half];
        __syncwarp();
    }
    if (t == 0) d[blockIdx.x] = part[0];
}
// rows of a multiple of four floats are read by float4
__global__ void by_shuffles(const float *a, float *d, int m, int w)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * WARPS + threadIdx.x / 32;
    if (row >= m) return;
    float s = 0;
    if (w % 4 == 0) {
        const float4 *p = (const float4 *)(a + row * w);
        for (int i = lane; i < w / 4; i += 32) {
            float4 v = p[i];
            s += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
        }
    } else {
        s = squares(a + row * w, w, lane, 32);
    }
    for (int distance = 16; distance > 0; distance /= 2) s += __shfl_down_sync(~0u, s, distance);
    if (!lane) d[row] = s;
}
__global__ void by_atomics(const float *a, float *d, int m, int w)
{
    __shared__ float word;
    int t = threadIdx.x;
    float s = squares(a + blockIdx.x * w, w, t, THREADS);
    for (int distance = 16; distance > 0; distance /= 2) s += __shfl_down_sync(~0u, s, distance);
    if (t == 0) word = s;
    __syncthreads();
    if (t != 0 && t % 32 == 0) atomicAdd(&word, s);
    __syncthreads();
    if (t == 0) d[blockIdx.x] = word;
}
