// What stands between two barriers stays there: a read of shared memory must not move to where another thread may still write.
#include "lockstep.h"

// One thread writes what all read in the next round; each round must see the last one's value.
//! run   rounds block=128
//! arg   out i32[512] poison
//! arg   writers i32 64
//! want  out = i < 128 ? 25 : (i - i % 128) / 128 - 1
__global__ void rounds(int *out, int writers)
{
    __shared__ short place[128];
    int i = threadIdx.x;
    place[i] = i;
    __syncthreads();
    for (int round = 0; round < 4; round++) {
        out[round * 128 + i] = place[25];
        __syncthreads();
        if (i & writers) // thread 92 is one of them
            place[i ^ 69] = round;
        __syncthreads();
    }
}

// The same with whole words, which racecheck would call a race if the compiler made one.
//! run   words block=128
//! arg   out i32[512] poison
//! arg   writers i32 64
//! want  out = i < 128 ? 25 : (i - i % 128) / 128 - 1
__global__ void words(int *out, int writers)
{
    __shared__ int place[128];
    int i = threadIdx.x;
    place[i] = i;
    __syncthreads();
    for (int round = 0; round < 4; round++) {
        out[round * 128 + i] = place[25];
        __syncthreads();
        if (i & writers)
            place[i ^ 69] = round;
        __syncthreads();
    }
}

// A warp among itself.
//! run   warp block=32
//! arg   out i32[128] poison
//! arg   writers i32 16
//! want  out = i < 32 ? 9 : (i - i % 32) / 32 - 1
__global__ void warp(int *out, int writers)
{
    __shared__ int place[32];
    int i = threadIdx.x;
    place[i] = i;
    __syncwarp();
    for (int round = 0; round < 4; round++) {
        out[round * 32 + i] = place[9];
        __syncwarp();
        if (i & writers)
            place[i ^ 17] = round; // 24 ^ 17 = 9
        __syncwarp();
    }
}
