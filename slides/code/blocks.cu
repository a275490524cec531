// Worked examples of deck 04: problems that no lab asks for.
#include "lockstep.h"

#define THREADS 128

//! run   reverse_blocks grid=2 block=128
//! arg   in f32[256] = i
//! arg   out f32[256] poison
//! want  out = i // 128 * 128 + 127 - (i - i // 128 * 128)
__global__ void reverse_blocks(const float *in, float *out)
{
    __shared__ float part[THREADS];
    int x = threadIdx.x, first = blockIdx.x * THREADS;
    part[x] = in[first + x];
    __syncthreads();
    out[first + x] = part[THREADS - 1 - x];
}

//! run   average grid=2 block=128
//! arg   in f32[200] = i * 3
//! arg   out f32[200] poison
//! arg   n i32 200
//! want  out[1..198] = i * 3
//! want  out[0] = 1
//! want  out[199] = 397
__global__ void average(const float *in, float *out, int n)
{
    __shared__ float part[THREADS + 2]; // and a neighbour on each side
    int x = threadIdx.x, i = blockIdx.x * THREADS + x;
    part[x + 1] = i < n ? in[i] : 0;
    if (x == 0)
        part[0] = i > 0 ? in[i - 1] : 0;
    if (x == THREADS - 1)
        part[THREADS + 1] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads();
    if (i < n)
        out[i] = (part[x] + part[x + 1] + part[x + 2]) / 3;
}
