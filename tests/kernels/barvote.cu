// Barriers that count, or that tell whether all or any threads say yes: of the whole block, however many warps it has.
#include "lockstep.h"

// Round r: threads below 40 r say yes. The next barrier follows at once, when some threads have not yet taken what the last one counted.
//! run   rounds grid=2 block=300
//! arg   out i32[600] poison
//! want  out = 800 + 8000000 + 1300000000
__global__ void rounds(int *out)
{
    int i = threadIdx.x, count = 0, all = 0, any = 0;
    for (int r = 0; r < 10; r++) {
        int yes = i < 40 * r;
        count += __syncthreads_count(yes); // 0, 40, ... 280, 300, 300
        all += __syncthreads_and(yes);     // the last two
        any += __syncthreads_or(yes);      // all but the first
        any += __syncthreads_or(!yes) && r > 5;
    }
    // 40 + 80 + ... + 280 is 1120, and 600 more
    out[blockIdx.x * 300 + i] = count - 920 + all * 4000000 + (any + 2) * 100000000;
}

// Both arms of a branch end in one barrier: the compiler may copy it into them.
//! run   arms block=96
//! arg   out i32[96] poison
//! want  out = 32 + (i % 3 == 0 ? 1 : 2)
__global__ void arms(int *out)
{
    int i = threadIdx.x, mine;
    if (i % 3 == 0)
        mine = 1;
    else
        mine = 2;
    out[i] = mine + __syncthreads_count(mine == 1);
}

// By hand, with the predicate negated, and under a guard that holds for all.
//! run   by_hand block=64
//! arg   out i32[64] poison
//! arg   limit i32 10
//! want  out = 54
__global__ void by_hand(int *out, int limit)
{
    int count;
    asm volatile("{ .reg .pred p, q; setp.lt.s32 p, %1, %2; setp.gt.s32 q, %2, 0; @q bar.red.popc.u32 %0, 0, !p; }"
                 : "=r"(count) : "r"(threadIdx.x), "r"(limit) : "memory");
    out[threadIdx.x] = count;
}
