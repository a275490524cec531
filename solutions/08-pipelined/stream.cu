// one, four, stream: out = in, with more and more bytes on their way
#include "lockstep.h"
#include "lockstep_async.h"

#define THREADS 128
#define EACH 128 // pieces of 16 bytes that a thread copies
#define STAGES 8 // pieces of a thread on their way at any time
LAUNCH(one, BLOCK(THREADS, 1), COVERS(THREADS * EACH * 4, 1))
LAUNCH(four, BLOCK(THREADS, 1), COVERS(THREADS * EACH * 4, 1))
LAUNCH(stream, BLOCK(THREADS, 1), COVERS(THREADS * EACH * 4, 1))

PREDICT(copies, 132 * 4 * 128)    // 132 blocks of 4 warps, 128 pieces a thread
PREDICT(ring_bytes, 8 * 128 * 16) // what a block has on its way

// The share of a thread: count pieces, THREADS apart, so that a warp's are neighbours.
struct share {
    const float4 *from;
    float4 *to;
    int count;
};

static __device__ share share_of(const float *in, float *out, int n)
{
    int t = threadIdx.x, first = blockIdx.x * THREADS * EACH + t;
    if (blockIdx.x == 0 && t < n % 4) // the last one to three floats, which fill no piece
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

// Each thread waits for its own copies and reads nothing else, so no barrier is needed.
__global__ void stream(const float *in, float *out, int n)
{
    __shared__ float4 ring[STAGES][THREADS];
    share s = share_of(in, out, n);
    int t = threadIdx.x, i = 0;
    for (int j = 0; j < STAGES; j++) {
        if (j < s.count)
            __pipeline_memcpy_async(&ring[j][t], &s.from[j * THREADS], 16);
        __pipeline_commit();
    }
    ROLLED for (; i + STAGES < s.count; i++) {
        __pipeline_wait_prior(STAGES - 1); // the oldest is there
        s.to[i * THREADS] = ring[i % STAGES][t];
        __pipeline_memcpy_async(&ring[i % STAGES][t], &s.from[(i + STAGES) * THREADS], 16);
        __pipeline_commit();
    }
    __pipeline_wait_prior(0);
    for (; i < s.count; i++)
        s.to[i * THREADS] = ring[i % STAGES][t];
}
