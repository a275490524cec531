// A piece at a time, through registers.
#include "lockstep.h"

#define THREADS 128
#define EACH 128 // pieces of 16 bytes that a thread copies
LAUNCH(one, BLOCK(THREADS, 1), COVERS(THREADS * EACH * 4, 1))
LAUNCH(four, BLOCK(THREADS, 1), COVERS(THREADS * EACH * 4, 1))
LAUNCH(stream, BLOCK(THREADS, 1), COVERS(THREADS * EACH * 4, 1))

PREDICT(copies, UNKNOWN)
PREDICT(ring_bytes, UNKNOWN)

// The share of a thread: count pieces, THREADS apart, so that a warp's are neighbours.
struct share {
    const float4 *from;
    float4 *to;
    int count;
};

static __device__ share share_of(const float *in, float *out, int n)
{
    int t = threadIdx.x, first = blockIdx.x * THREADS * EACH + t;
    if (blockIdx.x == 0 && t < n % 4) // the one to three floats that are no piece
        out[n - 1 - t] = in[n - 1 - t];
    return {(const float4 *)in + first, (float4 *)out + first,
        max(0, min(EACH, (n / 4 - first + THREADS - 1) / THREADS))};
}

__global__ void one(const float *in, float *out, int n)
{
    share s = share_of(in, out, n);
    ROLLED for (int i = 0; i < s.count; i++)
        s.to[i * THREADS] = s.from[i * THREADS]; // the store waits for the load, and the next load for it
}

__global__ void four(const float *in, float *out, int n)
{
    share s = share_of(in, out, n);
    int i = 0;
    ROLLED for (; i + 3 < s.count; i += 4) {
        float4 v[4];
#pragma unroll
        for (int j = 0; j < 4; j++) v[j] = s.from[(i + j) * THREADS];
#pragma unroll
        for (int j = 0; j < 4; j++) s.to[(i + j) * THREADS] = v[j];
    }
    for (; i < s.count; i++)
        s.to[i * THREADS] = s.from[i * THREADS];
}

__global__ void stream(const float *in, float *out, int n)
{
    share s = share_of(in, out, n);
    ROLLED for (int i = 0; i < s.count; i++)
        s.to[i * THREADS] = s.from[i * THREADS];
}
