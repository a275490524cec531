// What initcheck finds in global and in local memory, and what is none of its business. Poison counts as written by nobody.
#include "lockstep.h"

//! run   sum_into grid=2 block=64
//! arg   in f32[128] = i
//! arg   out f32[128] poison
//! fault "block (0,0) thread (0,0) reads out[0], which nothing has written, neither the host before the launch nor this block"
__global__ void sum_into(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] += in[i]; // fault sum_into
}

//! run   zero_first grid=3 block=40
//! arg   in f32[120] = i
//! arg   out f32[120] poison
//! want  out = 4 * i
__global__ void zero_first(const float *in, volatile float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 0;
    for (int k = 0; k < 4; k++)
        out[i] += in[i];
}

// The other block's half is there, or not yet: whichever runs first, and by whichever thread of the host.
//! run   other_block grid=2 block=64
//! arg   out f32[128] poison
//! fault "block (0,0) thread (0,0) reads out[127], which nothing has written"
__global__ void other_block(float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;
    __syncthreads();
    out[i] = out[127 - i]; // fault other_block
}

//! run   own_block grid=2 block=64
//! arg   out f32[128] poison
//! want  out = i // 64 * 64 + 63 - i % 64
__global__ void own_block(float *out)
{
    int first = blockIdx.x * blockDim.x, t = threadIdx.x;
    out[first + t] = first + t;
    __syncthreads();
    float x = out[first + 63 - t];
    __syncthreads();
    out[first + t] = x;
}

// Some lanes off: nobody writes the odd elements but their own threads.
//! run   odd_lanes block=64
//! arg   out i32[64] poison
//! arg   back i32 0
//! want  out = i % 2 * 2
//! run   odd_lanes block=64
//! arg   out i32[64] poison
//! arg   back i32 1
//! fault "thread (2,0) reads out[1], which nothing has written"
__global__ void odd_lanes(volatile int *out, int back)
{
    int t = threadIdx.x;
    if (t % 2 == 0)
        out[t] = 0;
    if (t % 2 == 0 && t > 0)
        out[t] = out[t - back]; // fault odd_lanes
    if (t % 2 == 1)
        out[t] = 2;
}

//! run   three_bytes block=32
//! arg   out i32[32] poison
//! fault "thread (0,0) reads out[0], which nothing has written"
__global__ void three_bytes(int *out)
{
    volatile char *bytes = (volatile char *)out + 4 * threadIdx.x;
    for (int k = 0; k < 3; k++)
        bytes[k] = 1;
    out[threadIdx.x] = *(volatile int *)bytes + 1; // fault three_bytes
}

//! run   four_bytes block=32
//! arg   out i32[32] poison
//! want  out = 0x01010102
__global__ void four_bytes(int *out)
{
    volatile char *bytes = (volatile char *)out + 4 * threadIdx.x;
    for (int k = 0; k < 4; k++)
        bytes[k] = 1;
    out[threadIdx.x] = *(volatile int *)bytes + 1;
}

// An element of a vector whose value nobody takes may be anything.
//! run   three_of_four block=32
//! arg   out f32[128] poison
//! want  out = i % 4 // 3
__global__ void three_of_four(float *out)
{
    volatile float *v = out + 4 * threadIdx.x;
    float x, y, z;
    v[0] = v[1] = v[2] = 0;
    asm volatile("ld.volatile.global.v4.f32 {%0, %1, %2, _}, [%3];" : "=f"(x), "=f"(y), "=f"(z) : "l"(v) : "memory");
    v[3] = x + y + z + 1;
}

//! run   count_up block=64
//! arg   out i32[1] poison
//! fault "thread (0,0) updates out[0], which nothing has written"
__global__ void count_up(int *out)
{
    atomicAdd(out, 1); // fault count_up
}

// Every block leaves a sum; the one that takes the last ticket adds them.
//! run   tickets grid=4 block=64
//! arg   sums i32[4] poison
//! arg   ticket u32[1] = 0
//! arg   out i32[1] poison
//! want  sums = i + 1
//! want  ticket = 0
//! want  out = 10
__global__ void tickets(volatile int *sums, unsigned *ticket, int *out)
{
    if (threadIdx.x)
        return;
    sums[blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    if (atomicInc(ticket, gridDim.x - 1) != gridDim.x - 1)
        return;
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; b++)
        sum += sums[b];
    out[0] = sum;
}

//! run   own_array block=32
//! arg   in i32[32] = i % 8
//! arg   out i32[32] poison
//! arg   n i32 8
//! want  out = i % 8 * 3
//! run   own_array block=32
//! arg   in i32[32] = i % 8
//! arg   out i32[32] poison
//! arg   n i32 7
//! fault "thread (7,0) reads own[7], which it has not written"
__global__ void own_array(const int *in, int *out, int n)
{
    volatile int own[8];
    for (int k = 0; k < n; k++)
        own[k] = 3 * k;
    out[threadIdx.x] = own[in[threadIdx.x]]; // fault own_array
}

// A part of a tile that is filled without holes is named; of one with holes nothing is said.
//! run   part_of_tile block=32
//! arg   out i32[32] poison
//! arg   hole i32 -1
//! fault "reads tile[8][1], which no thread of the block ever fills (of tile it fills rows 2 to 7, columns 1 to 16): give it"
//! run   part_of_tile block=32
//! arg   out i32[32] poison
//! arg   hole i32 5
//! fault "reads tile[8][1], which no thread of the block ever fills: give it"
__global__ void part_of_tile(int *out, int hole)
{
    __shared__ volatile int tile[16][20];
    int t = threadIdx.x;
    for (int r = 2; r < 8; r++)
        if (t >= 1 && t <= 16 && (t != hole || r != 3))
            tile[r][t] = t;
    __syncthreads();
    out[t] = 0;
    if (t == 1)
        out[t] = tile[8][t]; // fault part_of_tile
    __syncthreads();
}
