// stream: one piece a thread; blocks of 256, so that more warps hide the wait
#include "lockstep.h"
#include "lockstep_async.h"

#define THREADS 128
#define EACH 128 // pieces of 16 bytes that a thread copies
#define STAGES 1 // of them on their way at any time
LAUNCH(one, BLOCK(THREADS, 1), COVERS(THREADS * EACH * 4, 1))
LAUNCH(four, BLOCK(THREADS, 1), COVERS(THREADS * EACH * 4, 1))
LAUNCH(stream, BLOCK(256, 1), COVERS(1024, 1))

//     on their way with 8 stages.
PREDICT(copies, UNKNOWN)
PREDICT(ring_bytes, UNKNOWN)

// Given: the share of a thread: count pieces, THREADS apart, so that a warp's are neighbours.
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

// A piece a thread: 2048 threads on each multiprocessor have more under way than a ring of 8.
__global__ void stream(const float *in, float *out, int n)
{
    __shared__ float4 piece[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    if (4 * i + 3 < n) {
        __pipeline_memcpy_async(piece + t, (const float4 *)in + i, 16);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        ((float4 *)out)[i] = piece[t];
    } else
        for (int e = 4 * i; e < n; e++)
            out[e] = in[e];
}
