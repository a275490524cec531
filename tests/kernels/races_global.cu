// What racecheck finds in global memory within a block, and what is none of its business.
#include "lockstep.h"

//! run   neighbour block=64
//! arg   out i32[64] poison
//! fault "thread (0,0) reads out[32], which thread (32,0) wrote in line 10, with no barrier between the two: a race; a __syncthreads()"
__global__ void neighbour(volatile int *out)
{
    int t = threadIdx.x;
    out[t] = t;
    out[t] = out[t ^ 32]; // fault neighbour
}

//! run   reversed block=64
//! arg   data f32[64] = i
//! fault "thread (0,0) writes data[0], which thread (63,0) read in line 20"
__global__ void reversed(float *data)
{
    int t = threadIdx.x;
    float x = data[63 - t];
    data[t] = x; // fault reversed
}

//! run   reversed_well block=64
//! arg   data f32[64] = i
//! want  data = 63 - i
__global__ void reversed_well(float *data)
{
    int t = threadIdx.x;
    float x = data[63 - t];
    __syncthreads();
    data[t] = x;
}

// Two convoys, the second of them not whole.
//! run   far_warps block=300
//! arg   data f32[300] = i
//! fault "thread (280,0) writes data[280], which thread (0,0) read in line 42"
__global__ void far_warps(volatile float *data)
{
    int t = threadIdx.x;
    float x = data[(t + 280) % 300];
    if (t == 280)
        data[t] = x; // fault far_warps
}

// Of two readers the second is remembered as well.
//! run   both_read block=64
//! arg   data f32[2] = i
//! fault "thread (0,0) writes data[0], which thread (32,0) read in line 53"
__global__ void both_read(volatile float *data)
{
    float x = data[0];
    if (threadIdx.x == 0)
        data[0] = x + 1; // fault both_read
}

//! run   last_wins block=64
//! arg   out i32[1] poison
//! fault "thread (32,0) writes out[0], which thread (0,0) wrote in line 63, with no barrier between the two: a race; let one thread write it"
__global__ void last_wins(int *out)
{
    out[0] = threadIdx.x; // fault last_wins
}

// The same value is no excuse, nor is volatile.
//! run   same_value block=33
//! arg   out i32[1] poison
//! fault "thread (32,0) writes out[0], which thread (0,0) wrote"
__global__ void same_value(volatile int *out)
{
    out[0] = 1; // fault same_value
}

//! run   wide block=64
//! arg   data f64[128] = i
//! fault "thread (0,0) reads data[64], which thread (32,0) wrote in line 81"
__global__ void wide(volatile double *data)
{
    int t = threadIdx.x;
    data[2 * t] = t;
    data[2 * t + 1] = data[(2 * t + 64) % 128]; // fault wide
}

// One warp, whose lanes move together.
//! run   one_warp grid=2 block=32
//! arg   data f32[64] = i
//! want  data = i // 32 * 32 + 31 - i % 32
__global__ void one_warp(float *data)
{
    int first = blockIdx.x * 32, t = threadIdx.x;
    float x = data[first + 31 - t];
    data[first + t] = x;
}

// Each warp its own row; bytes of one word; words that another warp left before a barrier.
//! run   apart block=64
//! arg   data f32[64] = i
//! arg   bytes u8[64] poison
//! want  data = i // 32 * 32 + 31 - i % 32
//! want  bytes = i
__global__ void apart(volatile float *data, unsigned char *bytes)
{
    int t = threadIdx.x;
    data[t] = data[t ^ 31];
    bytes[t / 2 + t % 2 * 32] = t / 2 + t % 2 * 32;
    for (int k = 0; k < 3; k++) {
        __syncthreads();
        float x = data[63 - t];
        __syncthreads();
        data[63 - t] = x;
    }
}

// Blocks are in no order, and not compared.
//! run   blocks_apart grid=4 block=32,2
//! arg   out i32[1] poison
//! want  out = 5
__global__ void blocks_apart(int *out)
{
    if (threadIdx.y == 1)
        out[0] = 5;
}

//! run   counting block=96
//! arg   n i32[2] = 0
//! want  n = {96, 96}
__global__ void counting(int *n)
{
    atomicAdd(n, 1);
    atomicAdd(n + 1, 1);
}

//! run   set_back block=96
//! arg   n i32[1] = 0
//! fault "thread (40,0) writes n[0], which thread (0,0) updated in line 139"
__global__ void set_back(int *n)
{
    atomicAdd(n, 1);
    if (threadIdx.x == 40)
        n[0] = 0; // fault set_back
}

//! run   count_after block=64
//! arg   n i32[1] = 0
//! fault "thread (32,0) updates n[0], which thread (0,0) wrote in line 150"
__global__ void count_after(volatile int *n)
{
    if (threadIdx.x == 0)
        n[0] = 1;
    atomicAdd((int *)n, 1); // fault count_after
}

// A fence orders what one thread does. It makes nobody wait.
//! run   fenced block=64
//! arg   out i32[64] poison
//! fault "a race"
__global__ void fenced(volatile int *out)
{
    int t = threadIdx.x;
    out[t] = t;
    __threadfence_block();
    out[t] = out[t ^ 32]; // fault fenced
}

// A ticket hands over what was written before it, if a fence stands between.
//! run   last_warp block=96
//! arg   sums i32[3] poison
//! arg   ticket u32[1] = 0
//! arg   out i32[1] poison
//! arg   fence i32 1
//! want  sums = i + 1
//! want  ticket = 3
//! want  out = 6
//! run   last_warp block=96
//! arg   sums i32[3] poison
//! arg   ticket u32[1] = 0
//! arg   out i32[1] poison
//! arg   fence i32 0
//! fault "thread (64,0) reads sums[0], which thread (0,0) wrote"
__global__ void last_warp(volatile int *sums, unsigned *ticket, int *out, int fence)
{
    int warp = threadIdx.x / 32;
    if (threadIdx.x % 32)
        return;
    sums[warp] = warp + 1;
    if (fence)
        __threadfence();
    if (atomicAdd(ticket, 1) == 2)
        out[0] = sums[0] + sums[1] + sums[2]; // fault last_warp
}

// However the pointer that is written through came there: a variable, a structure, shared or local memory.
__device__ float pool[64];
//! run   variable block=64
//! arg   out f32[64] poison
//! fault "thread (0,0) writes pool[0], which thread (63,0) read"
__global__ void variable(float *out)
{
    int t = threadIdx.x;
    out[t] = pool[63 - t];
    pool[t] = t; // fault variable
}

__device__ float *where = pool;
//! run   by_pointer block=64
//! arg   out f32[64] poison
//! fault "thread (0,0) writes pool[0], which thread (63,0) read"
__global__ void by_pointer(float *out)
{
    int t = threadIdx.x;
    out[t] = pool[63 - t];
    where[t] = t; // fault by_pointer
}

//! run   by_shared block=64
//! arg   data f32[64] = i
//! arg   other f32[64] poison
//! fault "thread (0,0) writes data[0], which thread (63,0) read"
__global__ void by_shared(float *data, float *other)
{
    __shared__ float *to[2];
    int t = threadIdx.x;
    if (t == 0) {
        to[0] = other;
        to[1] = data;
    }
    __syncthreads();
    float x = data[63 - t];
    to[x < 100][t] = x; // fault by_shared
}

//! run   by_local block=64
//! arg   data f32[64] = i
//! arg   other f32[64] poison
//! arg   n i32 1
//! fault "thread (0,0) writes data[0], which thread (63,0) read"
__global__ void by_local(float *data, float *other, int n)
{
    float *volatile to[2] = {other, data};
    int t = threadIdx.x;
    float x = data[63 - t];
    to[n][t] = x; // fault by_local
}
