// Another way: 16 stages, waited for in pairs.
// one, four, stream: out = in, with more and more bytes on their way
//   Given:   n floats, any n. A block of 128 threads copies 65536 floats, in pieces of 16 bytes: 128 a
//            thread. one and four are complete: they have one and four loads of a thread under way at a time.
//   Example: {1, 2, 3} -> {1, 2, 3}
//   Budget:  stream, at n = 8650752: at least 67584 asynchronous copies, counted once per warp, and at most
//            as many global loads (copies are among them); at least 16384 bytes of shared memory a block
//   Read:    README.md steps 3 and 4, slides/08-pipelined.md
#include "lockstep.h"
#include "lockstep_async.h"

#define THREADS 128
#define EACH 128 // pieces of 16 bytes that a thread copies
#define STAGES 16
LAUNCH(one, BLOCK(THREADS, 1), COVERS(THREADS * EACH * 4, 1))
LAUNCH(four, BLOCK(THREADS, 1), COVERS(THREADS * EACH * 4, 1))
LAUNCH(stream, BLOCK(THREADS, 1), COVERS(THREADS * EACH * 4, 1))

// TODO 1: predict, at n = 8650752: the asynchronous copies of all warps of stream; the bytes that a block has
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

// eight groups of two pieces on their way; one loop, in which asking may be empty
__global__ void stream(const float *in, float *out, int n)
{
    __shared__ float4 ring[STAGES][THREADS];
    share s = share_of(in, out, n);
    int t = threadIdx.x;
    auto ask = [&](int i) {
        for (int j = i; j < i + 2; j++)
            if (j < s.count) __pipeline_memcpy_async(&ring[j % STAGES][t], s.from + j * THREADS, 16);
        __pipeline_commit();
    };
    for (int i = 0; i < STAGES; i += 2) ask(i);
    for (int i = 0; i < s.count; i += 2) {
        __pipeline_wait_prior(STAGES / 2 - 1);
        for (int j = i; j < min(i + 2, s.count); j++) s.to[j * THREADS] = ring[j % STAGES][t];
        ask(i + STAGES);
    }
    __pipeline_wait_prior(0);
}
