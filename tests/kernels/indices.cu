// Thread and block indices in every shape of block and grid, whole warps and broken ones.
#include "lockstep.h"

//! run   places grid=3 block=1
//! arg   out i32[3] poison
//! arg   place i32[3] poison
//! want  out = 100 + i
//! want  place = 0
//! run   places grid=2 block=8
//! arg   out i32[16] poison
//! arg   place i32[16] poison
//! want  out = 100 + i
//! want  place = i % 8
//! run   places grid=2 block=16
//! arg   out i32[32] poison
//! arg   place i32[32] poison
//! want  out = 100 + i
//! want  place = i % 16
//! run   places grid=5 block=20
//! arg   out i32[100] poison
//! arg   place i32[100] poison
//! want  out = 100 + i
//! want  place = i % 20
//! run   places grid=3 block=33
//! arg   out i32[99] poison
//! arg   place i32[99] poison
//! want  out = 100 + i
//! want  place = i % 33
//! count gst_requests 12
//! run   places grid=2 block=48
//! arg   out i32[96] poison
//! arg   place i32[96] poison
//! want  out = 100 + i
//! want  place = i % 48
//! run   places grid=2 block=1024
//! arg   out i32[2048] poison
//! arg   place i32[2048] poison
//! want  out = 100 + i
//! want  place = i % 1024
//! run   places grid=1,3 block=8,4
//! arg   out i32[96] poison
//! arg   place i32[96] poison
//! want  out = 100 + i
//! want  place = i % 8 + i // 8 % 4 * 100
//! run   places grid=2,2 block=16,3
//! arg   out i32[192] poison
//! arg   place i32[192] poison
//! want  out = 100 + i
//! want  place = i % 16 + i // 16 % 3 * 100
//! run   places grid=2,1,2 block=20,3
//! arg   out i32[240] poison
//! arg   place i32[240] poison
//! want  out = 100 + i
//! want  place = i % 20 + i // 20 % 3 * 100
//! run   places grid=1,2,2 block=8,3,5
//! arg   out i32[480] poison
//! arg   place i32[480] poison
//! want  out = 100 + i
//! want  place = i % 8 + i // 8 % 3 * 100 + i // 24 % 5 * 10000
//! run   places grid=1,1,3 block=4,4,4
//! arg   out i32[192] poison
//! arg   place i32[192] poison
//! want  out = 100 + i
//! want  place = i % 4 + i // 4 % 4 * 100 + i // 16 % 4 * 10000
//! run   places grid=2 block=33,2,3
//! arg   out i32[396] poison
//! arg   place i32[396] poison
//! want  out = 100 + i
//! want  place = i % 33 + i // 33 % 2 * 100 + i // 66 % 3 * 10000
//! run   places grid=2 block=64,2,2
//! arg   out i32[512] poison
//! arg   place i32[512] poison
//! want  out = 100 + i
//! want  place = i % 64 + i // 64 % 2 * 100 + i // 128 % 2 * 10000
//! run   places grid=2 block=1,64
//! arg   out i32[128] poison
//! arg   place i32[128] poison
//! want  out = 100 + i
//! want  place = i % 64 * 100
//! run   places grid=1 block=2,1,40
//! arg   out i32[80] poison
//! arg   place i32[80] poison
//! want  out = 100 + i
//! want  place = i % 2 + i // 2 * 10000
__global__ void places(int *out, int *place)
{
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int i = block * (blockDim.x * blockDim.y * blockDim.z) + thread;
    out[i] = 100 + i;
    place[i] = threadIdx.x + threadIdx.y * 100 + threadIdx.z * 10000;
}

//! run   shape grid=4,3,2 block=2,3,4
//! arg   out i32[10] poison
//! want  out = {4, 3, 2, 2, 3, 4, 3, 2, 1, 32}
__global__ void shape(int *out)
{
    if (blockIdx.x == 3 && blockIdx.y == 2 && blockIdx.z == 1) {
        int sizes[] = {(int)gridDim.x, (int)gridDim.y, (int)gridDim.z, (int)blockDim.x, (int)blockDim.y, (int)blockDim.z,
                       (int)blockIdx.x, (int)blockIdx.y, (int)blockIdx.z, warpSize};
        for (int k = 0; k < 10; k++)
            out[k] = sizes[k];
    }
}

//! run   lanes block=70
//! simulated "a warp's slot: %warpid counts from 0 here"
//! arg   out i32[280] poison
//! want  out[0..69] = i % 32
//! want  out[70..139] = (i - 70) // 32
//! want  out[140..209] = (1 << (i - 140) % 32) - 1
//! want  out[210..279] = ~((1 << (i - 210) % 32) * 2 - 1)
__global__ void lanes(int *out)
{
    int i = threadIdx.x, v;
    asm("mov.u32 %0, %%laneid;" : "=r"(v));
    out[i] = v;
    asm("mov.u32 %0, %%warpid;" : "=r"(v));
    out[70 + i] = v;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(v));
    out[140 + i] = v;
    asm("mov.u32 %0, %%lanemask_gt;" : "=r"(v));
    out[210 + i] = v;
}
