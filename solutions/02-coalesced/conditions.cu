// conditions: a request moves each sector that it touches, once, whichever lanes want its words. So the
// order no longer matters; breaking one of the other three conditions costs further sectors.
#include "lockstep.h"

PREDICT(keeps_all_sectors, 4)
PREDICT(size_sectors, 12) // 384 bytes
PREDICT(gaps_sectors, 8) // 256 bytes
PREDICT(order_sectors, 4) // the same sectors, whichever lane wants which word
PREDICT(start_sectors, 5) // 128 bytes that start 4 bytes into a sector

LAUNCH(keeps_all, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(size, BLOCK(256, 1), COVERS(768, 1))
LAUNCH(gaps, BLOCK(256, 1), COVERS(512, 1))
LAUNCH(order, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(start, BLOCK(256, 1), COVERS(256, 1))

// All four conditions hold: elements of 4 bytes, contiguous, the Nth for the Nth thread, from a multiple of
// 64 bytes on.
__global__ void keeps_all(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

// The element has 12 bytes, not 4, 8 or 16.
__global__ void size(const float *in, float *out, int n)
{
    struct point { float x, y, z; };
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (3 * i < n)
        ((struct point *)out)[i] = ((const struct point *)in)[i];
}

// The elements of a request are not contiguous: first the even elements are copied, then the odd ones.
__global__ void gaps(const float *in, float *out, int n)
{
    for (int odd = 0; odd < 2; odd++) {
        int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + odd;
        if (i < n)
            out[i] = in[i];
    }
}

// The Nth element is not the Nth thread's: neighbours swap.
__global__ void order(const float *in, float *out, int n)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) ^ 1;
    if (i < n)
        out[i] = in[i];
}

// The first element does not lie at a multiple of 16 times its size. (in has one element more.)
__global__ void start(const float *in, float *out, int n, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i + 1];
}
