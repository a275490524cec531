// diverge: a warp executes every path that one of its threads takes. The kernel chooses which elements share
// a warp.
#include "lockstep.h"

PREDICT(parity_divergent, 32768)       // each of the 32768 warps diverges once
PREDICT(unequal_divergent, 31 * 32768) // in each iteration but the last, one thread leaves: 31 per warp

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

// Two warps share 64 elements: the first takes the even ones, the second the odd ones. Each load touches 8
// sectors and uses half of each. That is the cost of one element per thread. t is unsigned so that / and % by
// powers of two become a shift and a mask, because index arithmetic costs time too.
__global__ void parity_by_warp(const float *in, float *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = t % 32, warp = t / 32, odd = warp % 2;
    int i = warp * 64 + lane * 2 + odd;
    if (i < n)
        out[i] = work(in[i], !odd);
}

__global__ void unequal(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = steps(in[i], 1 + i % 32);
}

// Four warps share 128 elements (4 rows of 32). Warp q takes columns 8q to 8q + 7 of each row. These are
// whole sectors, so a request still touches 4, and lengths differ by at most 7. One column per warp would be
// exactly equal but needs 32 sectors.
__global__ void unequal_by_warp(const float *in, float *out, int n)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x, q = t / 32 % 4;
    int column = q * 8 + t % 8, i = t / 128 * 128 + t % 32 / 8 * 32 + column;
    if (i < n)
        out[i] = steps(in[i], 1 + column);
}
