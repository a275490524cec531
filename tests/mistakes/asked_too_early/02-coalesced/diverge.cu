// diverge
#include "lockstep.h"

// parity: one if per thread, so once a warp. unequal: the loop test, all but the last one disagree.
PREDICT(parity_divergent, 1 * 32768)
PREDICT(unequal_divergent, 31 * 32768)

LAUNCH(parity, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(parity_by_warp, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(unequal, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(unequal_by_warp, BLOCK(256, 1), COVERS(256, 1))

// Given: do not change these four. ROLLED keeps the compiler from unrolling, so that the counts are easy
// to predict.
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

// The lower half of the block (4 warps) takes the 128 even elements, the upper half the odd ones.
__global__ void parity_by_warp(const float *in, float *out, int n)
{
    int me = threadIdx.x, start = blockIdx.x * 256;
    if (start + me >= n)
        return;
    int odd = me >> 7;
    int i = start + (me & 127) * 2 + odd;
    out[i] = work(in[i], !odd);
}

// The block's 256 elements are 8 rows of 32, and the number of steps is the column. A warp: 4 rows, 8 columns.
__global__ void unequal_by_warp(const float *in, float *out, int n)
{
    int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    int row = (warp >> 2) * 4 + (lane >> 3);
    int column = (warp & 3) * 8 + (lane & 7);
    int i = blockIdx.x * 256 + row * 32 + column;
    if (i < n)
        out[i] = steps(in[i], column + 1);
}
