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

// Copies within copies, in a loop: each time round every thread waits once. With bar.sync, which asks for whole warps, an H200
// never ends here.
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
                     "@q bra THREE;\nbarrier.sync 0;\nmov.s32 %0, 2;\nbra.uni HIGH;\n"
                     "THREE:\nbarrier.sync 0;\nmov.s32 %0, 3;\nHIGH:\nbra.uni ALL;\n"
                     "LOW:\n@q bra ONE;\nbarrier.sync 0;\nmov.s32 %0, 0;\nbra.uni ALL;\n"
                     "ONE:\nbarrier.sync 0;\nmov.s32 %0, 1;\nALL:\n}" : "=r"(add) : "r"(kind), "r"(1 - kind % 2) : "memory");
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

// ---- .sync instructions: lanes of a warp exchange values where each of them is ----

// Odd lanes shuffle at one copy, even lanes at another; each gets what lives in the other arm. An incomplete last warp.
//! run   exchange block=108
//! arg   out i32[108] poison
//! want  out = (i ^ 1) * 10 + i % 2
__global__ void exchange(int *out)
{
    int i = threadIdx.x, got;
    unsigned mask = i < 96 ? 0xffffffffu : 0xfffu;
    asm volatile("{\n.reg .pred p;\n.reg .b32 x;\nsetp.eq.s32 p, %2, 0;\n@p bra EVEN;\n"
                 "mul.lo.s32 x, %1, 10;\nshfl.sync.bfly.b32 %0, x, 1, 31, %3;\nadd.s32 %0, %0, 1;\nbra.uni BOTH;\n"
                 "EVEN:\nmul.lo.s32 %0, %1, 10;\nshfl.sync.bfly.b32 %0, %0, 1, 31, %3;\nBOTH:\n}"
                 : "=&r"(got) : "r"(i), "r"(i % 2), "r"(mask));
    out[i] = got;
}

// A loop in two copies, with a shuffle and a barrier of the warp in each; lanes 0 to 9 go through one of them, the others
// through the other: each time round every lane takes over its right neighbour's sum. Some warps are not parted at all.
//! run   two_loops block=320
//! arg   out i32[320] poison
//! want  out = i // 32 * 32 + (i % 32 + 5) % 32
__global__ void two_loops(int *out)
{
    int i = threadIdx.x, sum = i, from = (i + 1) % 32, one = i / 32 % 3 == 1 ? 0 : i / 32 % 3 == 2 ? 1 : i % 32 < 10;
    asm volatile("{\n.reg .pred p;\n.reg .b32 k;\nmov.b32 k, 0;\nsetp.eq.s32 p, %2, 0;\n@p bra MORE;\n"
                 "AGAIN:\nshfl.sync.idx.b32 %0, %0, %1, 31, -1;\nbar.warp.sync -1;\n"
                 "add.s32 k, k, 1;\nsetp.lt.s32 p, k, 5;\n@p bra AGAIN;\nbra.uni OUT;\n"
                 "MORE:\nshfl.sync.idx.b32 %0, %0, %1, 31, -1;\nbar.warp.sync -1;\n"
                 "add.s32 k, k, 1;\nsetp.lt.s32 p, k, 5;\n@p bra MORE;\nOUT:\n}"
                 : "+r"(sum) : "r"(from), "r"(one));
    out[i] = sum;
}

// Votes and matches of lanes in four places, two of them under a guard.
//! run   four block=64
//! arg   out i32[192] poison
//! want  out[0..63] = 0x66666666
//! want  out[64..127] = i % 3 == 0 ? -1 : -2
//! want  out[128..191] = i % 4 < 2 ? 0x33333333 : 0xcccccccc - 4294967296
__global__ void four(int *out)
{
    int i = threadIdx.x, kind = i % 4, votes, some, same;
    asm volatile("{\n.reg .pred p, q, v;\nsetp.eq.s32 p, %1, 0;\nsetp.eq.s32 q, %1, 1;\nsetp.ne.s32 v, %2, 0;\n"
                 "@p vote.sync.ballot.b32 %0, v, -1;\n@p bra END;\n@q vote.sync.ballot.b32 %0, v, -1;\n@q bra END;\n"
                 "setp.eq.s32 p, %1, 2;\n@p bra TWO;\nvote.sync.ballot.b32 %0, v, -1;\nbra.uni END;\n"
                 "TWO:\nvote.sync.ballot.b32 %0, v, -1;\nEND:\n}" : "=r"(votes) : "r"(kind), "r"(kind % 3 ? 1 : 0));
    asm volatile("{\n.reg .pred p, a;\nsetp.eq.s32 p, %1, 0;\n@p bra PART;\nvote.sync.any.pred a, p, -1;\nselp.b32 %0, -2, -3, a;\nbra.uni VOTED;\n"
                 "PART:\nvote.sync.any.pred a, p, -1;\nselp.b32 %0, -1, -4, a;\nVOTED:\n}" : "=r"(some) : "r"((i + 64) % 3));
    asm volatile("{\n.reg .pred p;\nsetp.eq.s32 p, %1, 0;\n@p bra LEFT;\nmatch.any.sync.b32 %0, %2, -1;\nbra.uni MATCHED;\n"
                 "LEFT:\nmatch.any.sync.b32 %0, %2, -1;\nMATCHED:\n}" : "=r"(same) : "r"(i % 2), "r"(kind / 2));
    out[i] = votes;
    out[64 + i] = some;
    out[128 + i] = same;
}

// Lanes that have ended are not waited for, also where they end while others wait.
//! run   ended block=32
//! arg   out i32[32] = -7
//! want  out = i % 2 ? -7 : 0x55555555
__global__ void ended(int *out)
{
    int i = threadIdx.x;
    asm volatile("{\n.reg .pred p;\n.reg .b32 x;\nsetp.eq.s32 p, %1, 0;\n@p bra STAYS;\n"
                 "ld.volatile.global.b32 x, [%0];\nsetp.eq.s32 p, x, -7;\n@p exit;\nst.global.b32 [%0], 0;\nexit;\n"
                 "STAYS:\nsetp.eq.s32 p, %1, 0;\nvote.sync.ballot.b32 x, p, -1;\nst.global.b32 [%0], x;\n}"
                 : : "l"(out + i), "r"(i % 2) : "memory");
}

// The lanes of each arm for themselves, as their masks say: nobody waits.
//! run   own_arm block=64
//! arg   out i32[64] poison
//! want  out = i % 32 < 12 ? i // 32 * 32 : i // 32 * 32 + 31
__global__ void own_arm(int *out)
{
    volatile int *o = out;
    int i = threadIdx.x;
    if (i % 32 < 12) {
        o[i] = __shfl_sync(0xfff, i, 0);
        __syncwarp(0xfff);
    } else {
        o[i] = __shfl_sync(0xfffff000, i, 31);
    }
}

// A shuffle in one arm, a vote in the other: they do not wait for each other.
//! run   unlike block=32
//! arg   out i32[32] poison
//! fault "thread (0,0) waits for lane 1, which is named in the mask 0xffffffff but took another way"
__global__ void unlike(int *out)
{
    volatile int *o = out;
    int i = threadIdx.x;
    if (i % 2)
        o[i] = __ballot_sync(0xffffffff, 1);
    else
        o[i] = __shfl_sync(0xffffffff, i, 3); // fault unlike
}

// The same shuffle, but the masks do not agree.
//! run   masks block=32
//! arg   out i32[32] poison
//! fault "thread (0,0) waits for lane 1, which is named in the mask 0xffffffff but took another way"
__global__ void masks(int *out)
{
    volatile int *o = out;
    int i = threadIdx.x;
    if (i % 2)
        o[i] = 5 + __shfl_sync(0xaaaaaaaa, i, 3);
    else
        o[i] = __shfl_sync(0xffffffff, i, 3); // fault masks
}

//! run   warp_barrier block=64
//! arg   out i32[64] poison
//! fault "thread (40,0) waits for lane 0, which is named in the mask 0xffffffff but took another way"
__global__ void warp_barrier(int *out)
{
    volatile int *o = out;
    int i = threadIdx.x;
    o[i] = i;
    if (i >= 40) {
        __syncwarp(); // fault warp_barrier
        o[i] = 2;
    }
    o[i] += 1;
}

// Some lanes wait in a shuffle for those that wait at a barrier.
//! run   crossed block=32
//! arg   out i32[32] poison
//! fault "thread (1,0) waits for lane 0, which is named in the mask 0xffffffff but took another way"
__global__ void crossed(int *out)
{
    volatile int *o = out;
    int i = threadIdx.x;
    if (i % 2)
        o[i] = __shfl_sync(0xffffffff, i, 3); // fault crossed
    else
        __syncthreads();
    o[i] += 1;
}
