// Products by a warpgroup (wgmma), registers that warps exchange, elect.sync, barriers of a part of the block. Layouts and sums of all
// types are compared with an H200's by lockstep-hardware wgmma.
#include "lockstep_wgmma.h"

// A is 1 where k = row % 8, so row r of D is row r % 8 of B; the second product doubles it.
//! run   tf32 block=128
//! arg   out f32[8192] poison
//! want  out = 2 * (i // 128 % 8 * 128 + i % 128)
//! count sm__inst_executed_pipe_tensor_op_gmma.sum 8
//! count sm__inst_executed_pipe_tensor_op_hmma.sum 8
//! count lockstep__tensor_flop.sum 262144
__global__ void tf32(float *out)
{
    __shared__ __align__(1024) float b[128][32];
    int t = threadIdx.x, lane = t % 32, row = t / 32 * 16 + lane / 4, q = lane % 4;
    for (int k = 0; k < 8; k++) b[t][(k / 4 ^ t % 8) * 4 + k % 4] = k * 128 + t;
    float d[64];
    unsigned a[4], none[4] = {};
    for (int i = 0; i < 4; i++) a[i] = __float_as_uint(row % 8 == q + i / 2 * 4 ? 1 : 0);
    fence_async();
    __syncthreads();
    wgmma_begin(a, none);
    wgmma_tf32(d, a, wgmma_matrix(b), 0);
    wgmma_tf32(d, a, wgmma_matrix(b), 1);
    wgmma_commit();
    wgmma_wait<0>();
    for (int i = 0; i < 64; i++) out[(row + i / 2 % 2 * 8) * 128 + i / 4 * 8 + q * 2 + i % 2] = d[i];
}

#define PRODUCT_F16 "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, -1, 0, 1; }"
// Both in shared memory, in pieces of 8 x 8 halves without swizzle. A is 1 where k = row % 16; B, turned, has element (k, n) = 8 k + n,
// and counts negative.
//! run   halves block=128
//! arg   out f32[512] poison
//! want  out = 100 - (i // 8 % 16 * 8 + i % 8)
//! count lockstep__tensor_flop.sum 16384
__global__ void halves(float *out)
{
    __shared__ __align__(128) unsigned short a[8][2][8][8], b[2][8][8]; // [8 rows][8 of k], [8 of k][n]
    int t = threadIdx.x, lane = t % 32;
    const unsigned short one = 0x3c00;
    for (int i = t; i < 1024; i += 128) {
        int row = i / 16, k = i % 16;
        a[row / 8][k / 8][row % 8][k % 8] = k == row % 16 ? one : 0;
    }
    unsigned short value;
    asm("cvt.rn.f16.u32 %0, %1;" : "=h"(value) : "r"(t));
    b[t / 64][t / 8 % 8][t % 8] = value;
    fence_async();
    __syncthreads();
    unsigned long long at = shared_address(a) >> 4 | 128ull >> 4 << 16 | 256ull >> 4 << 32;
    unsigned long long bt = shared_address(b) >> 4 | 128ull >> 4 << 16 | 128ull >> 4 << 32;
    float d[4] = {100, 100, 100, 100};
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0; " PRODUCT_F16 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(at), "l"(bt));
    wgmma_commit();
    wgmma_wait<0>();
    for (int i = 0; i < 4; i++) out[(t / 32 * 16 + lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

// D in halves, two in a register; A in registers; the columns of B are 32 bytes long and swizzled.
//! run   shorts block=128
//! arg   out f16[512] poison
//! want  out = 1 + i // 8 % 16 * 8 + i % 8
__global__ void shorts(unsigned *out)
{
    __shared__ __align__(256) unsigned short b[8][16];
    int t = threadIdx.x, lane = t % 32, row = t / 32 * 16 + lane / 4, n = t % 8, k = t / 8;
    unsigned short value;
    asm("cvt.rn.f16.u32 %0, %1;" : "=h"(value) : "r"(8 * k + n));
    b[n][(k / 8 ^ n / 4) * 8 + k % 8] = value;
    fence_async();
    __syncthreads();
    unsigned d[2] = {0x3c003c00, 0x3c003c00}, a[4];
    for (int i = 0; i < 4; i++) {
        int first = lane % 4 * 2 + i / 2 * 8, at = (row + i % 2 * 8) % 16;
        a[i] = (first == at ? 0x3c00 : 0) | (first + 1 == at ? 0x3c000000 : 0);
    }
    unsigned long long bt = shared_address(b) >> 4 | 256ull >> 4 << 32 | 3ull << 62;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, %6, p, 1, 1, 0; }"
        : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(bt));
    wgmma_commit();
    wgmma_wait<0>();
    for (int i = 0; i < 2; i++) out[(row + i * 8) * 4 + lane % 4] = d[i];
}

// Warps give registers back and take them; one lane of a warp is elected.
//! run   exchange block=256
//! arg   out i32[256] poison
//! want  out[0..127] = 0
//! want  out[128..255] = 128 * (1 - min(i % 32, 1)) + 3 * min(i % 32 // 3, 1)
__global__ void __launch_bounds__(256) exchange(int *out)
{
    int t = threadIdx.x;
    if (t < 128) {
        registers_down<64>();
        out[t] = 0;
    } else {
        registers_up<128>();
        unsigned lane, chosen, other = 0;
        asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 128, 0, p; }" : "=r"(lane), "=r"(chosen));
        if (t % 32 >= 3)
            asm volatile("{ .reg .pred p; elect.sync _|p, 0xfffffff8; elect.sync %0|p, 0xfffffff8; }" : "=r"(other));
        out[t] = lane + chosen + other;
    }
}

// Two halves of the block, of which one produces and one consumes: barrier 1 says full, 2 empty. The producer does not wait at 1.
//! run   producer block=128
//! arg   out i32[256] poison
//! want  out = 1000 * (i // 64) + i % 64
//! count lockstep__barrier_inst.sum 28
__global__ void producer(int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x % 64;
    if (threadIdx.x < 64)
        for (int i = 0; i < 4; i++) {
            s[t] = 1000 * i + t;
            asm volatile("bar.arrive 1, 128;" ::: "memory");
            if (i < 3) asm volatile("bar.sync 2, 128;" ::: "memory");
        }
    else
        for (int i = 0; i < 4; i++) {
            asm volatile("barrier.cta.sync 1, 128;" ::: "memory");
            out[64 * i + t] = s[t];
            if (i < 3) asm volatile("barrier.cta.arrive 2, 128;" ::: "memory");
        }
}

//! run   unequal block=128
//! arg   out i32[128] poison
//! fault "arrives at barrier 3 for 96 threads, where others arrived for 128"
__global__ void unequal(int *out)
{
    int n = threadIdx.x < 32 ? 128 : 96;
    asm volatile("bar.arrive 3, %0;" ::"r"(n) : "memory"); // fault unequal
    out[threadIdx.x] = 0;
}

//! run   three block=96
//! arg   out f32[96] poison
//! fault "multiplies by wgmma in a warpgroup of 3 warps: four are needed, so a block must have a multiple of 128 threads"
__global__ void three(float *out)
{
    __shared__ __align__(1024) float b[128][32];
    float d[64];
    unsigned a[4] = {}, none[4] = {};
    wgmma_begin(a, none);
    wgmma_tf32(d, a, wgmma_matrix(b), 0); // fault three
    wgmma_commit();
    wgmma_wait<0>();
    out[threadIdx.x] = d[0];
}

//! run   beyond block=128
//! arg   out f32[128] poison
//! fault "where the descriptor of B leads (start 0, leading offset 0, stride offset 1024); the block has 8192 bytes"
__global__ void beyond(float *out)
{
    __shared__ __align__(1024) float b[64][32];
    float d[64];
    unsigned a[4] = {}, none[4] = {};
    for (int i = threadIdx.x; i < 2048; i += 128) b[i / 32][i % 32] = 0;
    fence_async();
    __syncthreads();
    wgmma_begin(a, none);
    wgmma_tf32(d, a, wgmma_matrix(b), 0); // fault beyond
    wgmma_commit();
    wgmma_wait<0>();
    out[threadIdx.x] = d[0];
}

// Nothing has written B.
//! run   unwritten block=128
//! arg   out f32[128] poison
//! fault "reads b[0][0], which no thread of the block ever fills"
__global__ void unwritten(float *out)
{
    __shared__ __align__(1024) float b[128][32];
    float d[64];
    unsigned a[4] = {}, none[4] = {};
    wgmma_begin(a, none);
    wgmma_tf32(d, a, wgmma_matrix(b), 0); // fault unwritten
    wgmma_commit();
    wgmma_wait<0>();
    out[threadIdx.x] = d[0] + b[threadIdx.x][31];
}

// A barrier is missing between the store of B and the product.
//! run   raced block=128
//! arg   out f32[128] poison
//! fault "with no barrier between the two: a race"
__global__ void raced(float *out)
{
    __shared__ __align__(1024) float b[128][32];
    float d[64];
    unsigned a[4] = {}, none[4] = {};
    for (int k = 0; k < 32; k++) b[threadIdx.x][k] = 0;
    fence_async();
    wgmma_begin(a, none);
    wgmma_tf32(d, a, wgmma_matrix(b), 0); // fault raced
    wgmma_commit();
    wgmma_wait<0>();
    out[threadIdx.x] = d[0];
}

// Tensor cores do not see what was stored without a fence.
//! run   unfenced block=128
//! arg   out f32[128] poison
//! fault "multiplies with b[0][0], which threads have stored without a fence_async() after it: the tensor cores may not see it"
__global__ void unfenced(float *out)
{
    __shared__ __align__(1024) float b[128][32];
    float d[64];
    unsigned a[4] = {}, none[4] = {};
    for (int k = 0; k < 32; k++) b[threadIdx.x][k] = 1;
    __syncthreads();
    wgmma_begin(a, none);
    wgmma_tf32(d, a, wgmma_matrix(b), 0); // fault unfenced
    wgmma_commit();
    wgmma_wait<0>();
    out[threadIdx.x] = d[0];
}
