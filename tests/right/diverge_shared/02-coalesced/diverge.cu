// Another way: sorted through shared memory.
#include "lockstep.h"
PREDICT(parity_divergent, UNKNOWN)
PREDICT(unequal_divergent, UNKNOWN)
LAUNCH(parity, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(parity_by_warp, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(unequal, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(unequal_by_warp, BLOCK(256, 1), COVERS(256, 1))
static __device__ float work(float x, int even)
{
    if (even) {
        ROLLED for (int s = 0; s < 16; s++)
            x = 0.5f * x + 1.0f;
    } else {
        ROLLED for (int s = 0; s < 16; s++)
            x = 0.25f - 0.5f * x;
    }
    return x;
}
static __device__ float steps(float x, int count)
{
    ROLLED for (int s = 0; s < count; s++)
        x = 0.5f * x + 1.0f;
    return x;
}
__global__ void parity(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = work(in[i], i % 2 == 0);
}
__global__ void unequal(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = steps(in[i], 1 + i % 32);
}
// a block's 256 elements: the first four warps take the even ones, the last four the odd ones
__global__ void parity_by_warp(const float *in, float *out, int n)
{
    int t = threadIdx.x, odd = t / 128;
    int i = blockIdx.x * 256 + 2 * (t % 128) + odd;
    if (i < n) out[i] = work(in[i], !odd);
}
// sorted by work on the way through shared memory: loads and stores stay in order
__global__ void unequal_by_warp(const float *in, float *out, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    int kind = t / 8, mine = t % 8 * 32 + kind; // eight of a kind side by side
    s[mine] = steps(s[mine], 1 + kind);
    __syncthreads();
    if (i < n) out[i] = s[t];
}
