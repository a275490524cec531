// conditions: when half a warp coalesced on compute capability 1.0 and 1.1, and what is left of that
//   Given:   five kernels that copy n floats; n = 786432. All are complete and correct. keeps_all meets the
//            four conditions of README.md step 5; each of the others breaks one
//   Example: start: {5,6,7,8} -> {6,7,8}
//   Read:    README.md step 5, slides/02-coalesced.md "Sectors"
#include "lockstep.h"

// TODO: predict before you run anything: how many 32-byte sectors does one load touch for a whole warp, on a
//     GPU of today? It is counted at n = 786432. Later, DEVICE=sim:gtx8800 counts the transactions of 1.0.
PREDICT(keeps_all_sectors, UNKNOWN)
PREDICT(size_sectors, UNKNOWN)
PREDICT(gaps_sectors, UNKNOWN)
PREDICT(order_sectors, UNKNOWN)
PREDICT(start_sectors, UNKNOWN)

LAUNCH(keeps_all, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(size, BLOCK(256, 1), COVERS(768, 1))
LAUNCH(gaps, BLOCK(256, 1), COVERS(512, 1))
LAUNCH(order, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(start, BLOCK(256, 1), COVERS(256, 1))

// Given, all of them: do not change them.
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

// The elements are not contiguous: every second one, twice.
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
