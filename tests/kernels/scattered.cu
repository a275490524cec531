// Accesses at offsets that follow no rule, again and again: checked as a whole once they are known, and just as strictly.
#include "lockstep.h"

//! run   shuffled block=64
//! arg   list i32[64] = i * 37 % 64
//! arg   data i32[64] poison
//! arg   out i32[64] poison
//! arg   passes i32 5
//! arg   bad i32 9
//! want  data = 4
//! want  out = 10
//! run   shuffled block=64
//! arg   list i32[64] = i * 37 % 64
//! arg   data i32[64] poison
//! arg   out i32[64] poison
//! arg   passes i32 5
//! arg   bad i32 3
//! fault "thread (0,0) reads data[32], which thread (32,0) wrote in line 23, with no barrier between the two: a race"
__global__ void shuffled(const int *list, volatile int *data, int *out, int passes, int bad)
{
    int own = list[threadIdx.x], other = list[(threadIdx.x + 32) % 64], sum = 0;
    for (int p = 0; p < passes; p++) {
        data[own] = p;
        if (p != bad)
            __syncthreads();
        sum += data[other]; // fault shuffled
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

//! run   some_written block=64
//! arg   list i32[64] = i * 37 % 64
//! arg   data i32[512] poison
//! arg   out i32[64] poison
//! arg   passes i32 6
//! want  data[0..383] = i // 64
//! want  out = 15
//! run   some_written block=64
//! arg   list i32[64] = i * 37 % 64
//! arg   data i32[512] poison
//! arg   out i32[64] poison
//! arg   passes i32 7
//! fault "thread (0,0) reads data[384], which nothing has written"
__global__ void some_written(const int *list, volatile int *data, int *out, int passes)
{
    int own = list[threadIdx.x], sum = 0;
    for (int p = 0; p < 6; p++)
        data[64 * p + own] = p;
    for (int p = 0; p < passes; p++)
        sum += data[64 * p + own]; // fault some_written
    out[threadIdx.x] = sum;
}

//! run   own_words block=64
//! arg   out i32[64] poison
//! arg   n i32 7
//! want  out = 21 * i
//! run   own_words block=64
//! arg   out i32[64] poison
//! arg   n i32 8
//! fault "thread (0,0) reads own[7], which it has not written"
__global__ void own_words(int *out, int n)
{
    volatile int own[8];
    int sum = 0;
    for (int k = 0; k < 7; k++)
        own[k] = k * threadIdx.x;
    for (int k = 0; k < n; k++)
        sum += own[k]; // fault own_words
    out[threadIdx.x] = sum;
}

// Bits of an index: lane, warp, and the warp next to it.
//! run   bits block=128
//! arg   out i32[128] poison
//! want  out = i % 32 + 100 * (i // 32) + 10000 * ((i + 32) % 64 // 32)
//! count gst_transactions 16
//! run   bits block=16,8
//! arg   out i32[128] poison
//! want  out = i % 32 + 100 * (i // 32) + 10000 * ((i + 32) % 64 // 32)
//! count gst_transactions 16
__global__ void bits(int *out)
{
    int t = threadIdx.y * blockDim.x + threadIdx.x, lane = t & 31, warp = t >> 5;
    out[(t & ~31) | lane] = lane + 100 * warp + 10000 * (((t ^ 32) & 63) >> 5);
}

// Loads and stores by generic addresses count under the space that they come to: here the thread's own memory.
//! run   by_generic block=32
//! arg   out i32[32] poison
//! want  out = 4 * i
//! count local_load 3
//! count local_store 2
//! count gld_requests 0
//! count gst_requests 1
__global__ void by_generic(int *out)
{
    int own[2], sum = 0, x;
    for (int k = 0; k < 2; k++)
        asm volatile("st.s32 [%0], %1;" ::"l"(own + k), "r"((int)threadIdx.x * (k + 1)) : "memory");
    for (int k = 0; k < 3; k++) {
        asm volatile("ld.s32 %0, [%1];" : "=r"(x) : "l"(own + k / 2) : "memory");
        sum += x;
    }
    out[threadIdx.x] = sum;
}
