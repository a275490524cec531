// Lanes of a warp that wait for each other at copies of one instruction, as a compiler makes them when it copies what stands
// behind a branch into both of its arms. Here the copies stand in one asm statement, so in one place of the source.
#include "lockstep.h"

// A third of the lanes waits at one copy and the rest at another; then each reads what the other group wrote.
//! run   copies block=96
//! arg   out i32[96] poison
//! want  out = i % 3 == 0 ? 100 + (i + 1) % 96 : 200 + (i + 1) % 96
//! run   copies grid=3 block=300
//! arg   out i32[300] poison
//! want  out = i % 3 == 0 ? 100 + (i + 1) % 300 : 200 + (i + 1) % 300
__global__ void copies(int *out)
{
    __shared__ int place[300];
    int i = threadIdx.x, n = blockDim.x, add;
    place[i] = i;
    asm volatile("{\n.reg .pred p;\nsetp.eq.s32 p, %1, 0;\n@p bra FIRST;\n"
                 "bar.sync 0;\nmov.s32 %0, 200;\nbra.uni SECOND;\n"
                 "FIRST:\nbar.sync 0;\nmov.s32 %0, 100;\nSECOND:\n}" : "=r"(add) : "r"(i % 3) : "memory");
    out[i] = add + place[(i + 1) % n];
}

// Copies within copies, in a loop: each time round every thread waits once.
//! run   deep block=64
//! arg   out i32[64] poison
//! want  out = i % 4 * 1000 + (i + 4) % 64
__global__ void deep(int *out)
{
    __shared__ int place[64];
    int i = threadIdx.x, kind = i % 4, sum = 0;
#pragma unroll 1
    for (int k = 0; k < 4; k++) {
        int add;
        place[i] = k == 3 ? i : -1;
        asm volatile("{\n.reg .pred p, q;\nsetp.lt.s32 p, %1, 2;\nsetp.eq.s32 q, %2, 0;\n@p bra LOW;\n"
                     "@q bra THREE;\nbar.sync 0;\nmov.s32 %0, 2;\nbra.uni HIGH;\n"
                     "THREE:\nbar.sync 0;\nmov.s32 %0, 3;\nHIGH:\nbra.uni ALL;\n"
                     "LOW:\n@q bra ONE;\nbar.sync 0;\nmov.s32 %0, 0;\nbra.uni ALL;\n"
                     "ONE:\nbar.sync 0;\nmov.s32 %0, 1;\nALL:\n}" : "=r"(add) : "r"(kind), "r"(1 - kind % 2) : "memory");
        sum += add * 250;
        out[i] = sum + place[(i + 4) % 64];
        __syncthreads();
    }
}

// Whole warps at different copies: every GPU can.
//! run   warps block=512
//! arg   out i32[512] poison
//! want  out = (i // 32 % 2 ? 2000 : 1000) + (511 - i)
__global__ void warps(int *out)
{
    __shared__ int place[512];
    int i = threadIdx.x, add;
    place[i] = i;
    asm volatile("{\n.reg .pred p;\nsetp.eq.s32 p, %1, 0;\n@p bra EVEN;\n"
                 "bar.sync 0;\nmov.s32 %0, 2000;\nbra.uni BOTH;\n"
                 "EVEN:\nbar.sync 0;\nmov.s32 %0, 1000;\nBOTH:\n}" : "=r"(add) : "r"(i / 32 % 2) : "memory");
    out[i] = add + place[511 - i];
}

// One arm has the barrier, the other has none.
//! run   one_arm block=64
//! arg   out i32[64] poison
//! fault "thread (0,0) waits at a barrier that thread (1,0) does not reach, since it took another way"
__global__ void one_arm(int *out)
{
    volatile int *o = out;
    int i = threadIdx.x;
    if (i % 2 == 0) {
        o[i] = 1;
        __syncthreads(); // fault one_arm
        o[i] += 1;
    } else {
        o[i] = 2;
    }
    o[i] += 1;
}

// One arm waits at the barrier, the other returns after some work.
//! run   gone block=64
//! arg   out i32[64] poison
//! fault "waits at a barrier that thread (1,0) never reaches, since it returned before it"
__global__ void gone(int *out)
{
    volatile int *o = out;
    int i = threadIdx.x;
    if (i % 2) {
        o[i] = 2;
        __threadfence(); // keeps the compiler from sharing a store
        return;
    }
    o[i] = 1;
    __syncthreads(); // fault gone
    o[i] += 1;
}

// Two barriers of the source are two, also where each arm has one.
//! run   two block=64
//! arg   out i32[64] poison
//! fault "waits at a barrier while thread (1,0) waits at another one"
__global__ void two(int *out)
{
    volatile int *o = out;
    int i = threadIdx.x;
    if (i % 2 == 0) {
        o[i] = 1;
        __syncthreads(); // fault two
        o[i] += 1;
    } else {
        o[i] = 2;
        __syncthreads();
        o[i] *= 2;
    }
}

// The same barrier, a different number of times.
//! run   rounds block=64
//! arg   out i32[64] = 0
//! fault "every thread of a block must reach the same __syncthreads()"
__global__ void rounds(int *out)
{
    volatile int *o = out;
    int i = threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < 3 + i % 2; k++) {
        o[i] += 1;
        __syncthreads(); // fault rounds
    }
}
