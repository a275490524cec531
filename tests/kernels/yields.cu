// Lanes that wait for lanes of their own warp, or for other warps. From compute capability 7.0 on both get on (independent thread
// scheduling). How often a lane polls before it stands back is the scheduler's own, so only what is loaded and stored is counted.
#include "lockstep.h"

// A lock that each lane takes for itself.
//! run   spin block=32
//! arg   lock i32[1] = 0
//! arg   count i32[1] = 0
//! arg   out i32[32] poison
//! want  lock = 0
//! want  count = 32
//! want  out = i
//! count gld_requests 32
//! count gst_requests 64
__global__ void spin(int *lock, volatile int *count, int *out)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    *count = *count + 1;
    __threadfence();
    atomicExch(lock, 0);
    out[threadIdx.x] = threadIdx.x;
}

// The same, tried once a turn: who gets it is done.
//! run   trying block=32
//! arg   lock i32[1] = 0
//! arg   count i32[1] = 0
//! arg   out i32[32] poison
//! want  lock = 0
//! want  count = 32
//! want  out = i * 3
//! count gld_requests 32
__global__ void trying(int *lock, volatile int *count, int *out)
{
    for (int done = 0; !done;) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *count = *count + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = 1;
        }
    }
    out[threadIdx.x] = threadIdx.x * 3;
}

// Lanes are served one by one, the last first.
//! run   in_order block=32
//! arg   turn i32[1] = 31
//! arg   out i32[32] poison
//! want  turn = -1
//! want  out = 31 - i
//! count gst_requests 64
__global__ void in_order(volatile int *turn, int *out)
{
    int i = threadIdx.x;
    while (*turn != i)
        ;
    out[31 - i] = i;
    __threadfence();
    *turn = i - 1;
}

// The last lane says when; the others wait for it. All is volatile, as compilers differ in how often they load in[31] otherwise.
//! run   flag block=32
//! arg   in i32[32] = i + 5
//! arg   ready i32[1] = 0
//! arg   out i32[32] poison
//! want  ready = 1
//! want  out = 36
//! count gld_requests 33
//! count gst_requests 33
__global__ void flag(const volatile int *in, volatile int *ready, volatile int *out)
{
    int i = threadIdx.x;
    if (i == 31) {
        for (int k = 0; k < 32; k++)
            out[k] = in[31];
        __threadfence();
        *ready = 1;
    } else {
        while (!*ready)
            ;
    }
}

// A sum of floats by compare and swap, each lane until it has added its own.
//! run   adding block=32
//! arg   in f32[32] = i
//! arg   sum i32[1] = 0
//! want  sum = 0x43f80000
//! count gld_requests 2
__global__ void adding(const float *in, int *sum)
{
    float x = in[threadIdx.x];
    int seen = *(volatile int *)sum, before;
    do {
        before = seen;
        seen = atomicCAS(sum, before, __float_as_int(__int_as_float(before) + x));
    } while (seen != before);
}

// Warps that wait for later warps of their block, whose lanes wait for each other at a lock; more of them than are simulated at once.
//! run   later_warps block=512
//! arg   order i32[1] = 15
//! arg   lock i32[1] = 0
//! arg   sum i32[1] = 0
//! arg   out i32[16] poison
//! want  order = -1
//! want  lock = 0
//! want  sum = 130816
//! want  out = 130816 - (480 - i * 32) * (479 - i * 32) // 2
__global__ void later_warps(int *order, int *lock, volatile int *sum, int *out)
{
    int i = threadIdx.x, warp = i / 32;
    while (atomicAdd(order, 0) != warp)
        ;
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    *sum = *sum + i;
    __threadfence();
    atomicExch(lock, 0);
    __syncwarp();
    if (i % 32 == 0) {
        out[15 - warp] = *sum;
        __threadfence();
        atomicExch(order, warp - 1);
    }
}
