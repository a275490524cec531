// What racecheck and initcheck find in shared memory, and what is none of their business.
#include "lockstep.h"

// The file does not define LOCKSTEP_TILE: its value follows from the size of the array.
#define WIDE (LOCKSTEP_TILE + 1)
//! run   header_constant block=512
//! arg   in f32[512] = i
//! arg   out f32[512] poison
//! fault "reads rows[8][0], which no thread of the block ever fills"
__global__ void header_constant(const float *in, float *out)
{
    __shared__ float before[512], rows[LOCKSTEP_TILE][WIDE];
    int t = threadIdx.x;
    before[t] = 0;
    if (t < 8 * WIDE) rows[t / WIDE][t % WIDE] = in[t];
    __syncthreads();
    out[t] = rows[t / WIDE][t % WIDE] + before[t]; // fault header_constant
}

//! run   before_written block=512
//! arg   in f32[512] = i
//! arg   out f32[512] poison
//! fault "reads tile[256], which no thread has written yet; is a __syncthreads() missing before this line?"
__global__ void before_written(const float *in, float *out)
{
    __shared__ float tile[512];
    int t = threadIdx.x;
    tile[t] = in[t];
    out[t] = tile[(t + 256) % 512]; // fault before_written
}

//! run   neighbour_warp block=64
//! arg   in f32[64] = i
//! arg   out f32[64] poison
//! fault "reads tile[32], which thread (32,0) wrote in line"
__global__ void neighbour_warp(const float *in, float *out)
{
    __shared__ float tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    out[t] = tile[(t + 32) % 64]; // fault neighbour_warp
}

//! run   read_then_write block=64
//! arg   in f32[64] = i
//! arg   out f32[64] poison
//! fault "a race; a __syncthreads() belongs between these lines"
__global__ void read_then_write(const float *in, float *out)
{
    __shared__ float tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    __syncthreads();
    float x = tile[63 - t];
    tile[t] = x + 1; // fault read_then_write
    __syncthreads();
    out[t] = tile[t];
}

//! run   two_writers block=64
//! arg   out f32[64] poison
//! fault "writes last, which thread (31,0) wrote in line"
__global__ void two_writers(float *out)
{
    __shared__ volatile float last; // or the compiler hands t to itself
    int t = threadIdx.x;
    last = t; // fault two_writers
    __syncthreads();
    out[t] = last;
}

// A sum by halves: without a barrier in the loop, warp 0 would add what warp 1 has not finished.
//! run   half_sum block=128
//! arg   in f32[128] = i
//! arg   out f32[1] poison
//! fault "a race"
__global__ void half_sum(const float *in, float *out)
{
    __shared__ float sum[128];
    int t = threadIdx.x;
    sum[t] = in[t];
    __syncthreads();
#pragma unroll 1
    for (int n = 64; n > 0; n /= 2)
        if (t < n)
            sum[t] += sum[t + n]; // fault half_sum
    if (t == 0)
        out[0] = sum[0];
}

// The same with its barrier is no race.
//! run   whole_sum block=128
//! arg   in f32[128] = i
//! arg   out f32[1] poison
//! want  out[0] = 8128
__global__ void whole_sum(const float *in, float *out)
{
    __shared__ float sum[128];
    int t = threadIdx.x;
    sum[t] = in[t];
    __syncthreads();
#pragma unroll 1
    for (int n = 64; n > 0; n /= 2) {
        if (t < n)
            sum[t] += sum[t + n];
        __syncthreads();
    }
    if (t == 0)
        out[0] = sum[0];
}

// Lanes of one warp that exchange values do not race if they meet in between, nor do warps that keep to their own rows, nor bytes of one word.
//! run   own_rows block=32,4
//! arg   in f32[128] = i
//! arg   out f32[128] poison
//! want  out = i // 32 * 32 + (31 - i % 32)
__global__ void own_rows(const float *in, float *out)
{
    __shared__ float rows[4][33];
    int x = threadIdx.x, y = threadIdx.y;
    rows[y][x] = in[y * 32 + x];
    __syncwarp();
    out[y * 32 + x] = rows[y][31 - x];
}

//! run   counted block=96
//! arg   out u32[96] poison
//! want  out = 96
__global__ void counted(unsigned *out)
{
    __shared__ unsigned n;
    if (threadIdx.x == 0)
        n = 0;
    __syncthreads();
    atomicAdd(&n, 1u);
    __syncthreads();
    out[threadIdx.x] = n;
}

// ---- narrower than a word ----

//! run   narrow_race block=64
//! arg   out i32[64] poison
//! fault "reads bytes of tile[32], which thread (32,0) wrote in line"
__global__ void narrow_race(int *out)
{
    __shared__ short tile[64];
    int t = threadIdx.x;
    tile[t] = t;
    out[t] = tile[(t + 32) % 64]; // fault narrow_race
}

//! run   narrow_and_word block=64
//! arg   out i32[64] poison
//! fault ", which thread ("
__global__ void narrow_and_word(int *out)
{
    __shared__ unsigned tile[16];
    unsigned char *bytes = (unsigned char *)tile;
    int t = threadIdx.x;
    bytes[t] = t; // bytes 32 and up are the second warp's
    out[t] = tile[(t + 8) % 16]; // fault narrow_and_word
}

//! run   narrow_unwritten block=64
//! arg   out i32[64] poison
//! fault "reads tile[64], which no thread of the block ever fills (of tile it fills [0] to [63])"
__global__ void narrow_unwritten(int *out)
{
    __shared__ unsigned char tile[128];
    int t = threadIdx.x;
    tile[t] = t;
    out[t] = tile[t + 64]; // fault narrow_unwritten
}

// The four bytes of a word belong to threads of four warps. Accesses to different bytes are no race.
//! run   narrow_neighbours block=128
//! arg   out i32[128] poison
//! want  out = i * 2 % 256
__global__ void narrow_neighbours(int *out)
{
    __shared__ unsigned char tile[128];
    int t = threadIdx.x, mine = t % 32 * 4 + t / 32;
    tile[mine] = t;
    tile[mine] += t;
    out[t] = tile[mine];
}
