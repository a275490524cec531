// Copies by the copy engine (cp.async.bulk), the barriers that count their bytes, and what the checks find.
#include "lockstep_tma.h"

static __device__ void begin(barrier_t *b, unsigned arrivals)
{
    if (threadIdx.x == 0) {
        barrier_init(b, arrivals);
        barrier_init_fence();
    }
    __syncthreads();
}

// There and back. Nothing passes through registers, so no load and no store is counted.
//! run   there_and_back block=64
//! arg   in f32[256] = i
//! arg   out f32[256] poison
//! want  out = i
//! count gld_requests 0
//! count gst_requests 0
//! count lockstep__bulk_ld_copies.sum 1
//! count lockstep__bulk_ld_bytes.sum 1024
//! count lockstep__bulk_st_copies.sum 1
//! count lockstep__bulk_st_bytes.sum 1024
__global__ void there_and_back(const float *in, float *out)
{
    __shared__ __align__(128) float s[256];
    __shared__ barrier_t full;
    begin(&full, 1);
    if (threadIdx.x) return;
    barrier_expect(&full, sizeof s);
    tma_load(s, in, sizeof s, &full);
    barrier_wait(&full, 0);
    tma_store(out, s, sizeof s);
    tma_commit();
    tma_wait<0>();
}

// All threads read what one of them asked for.
//! run   for_all block=96
//! arg   in i32[96] = i * 3
//! arg   out i32[96] poison
//! want  out = (95 - i) * 3
__global__ void for_all(const int *in, int *out)
{
    __shared__ __align__(16) int s[96];
    __shared__ barrier_t full;
    begin(&full, 1);
    if (threadIdx.x == 0) {
        barrier_expect(&full, sizeof s);
        tma_load(s, in, sizeof s, &full);
    }
    barrier_wait(&full, 0);
    out[threadIdx.x] = s[95 - threadIdx.x];
}

// Only the first warp waits; a barrier of the block tells the others.
//! run   passed_on block=64
//! arg   in i32[64] = i
//! arg   out i32[64] poison
//! want  out = 63 - i
__global__ void passed_on(const int *in, int *out)
{
    __shared__ __align__(16) int s[64];
    __shared__ barrier_t full;
    begin(&full, 1);
    if (threadIdx.x == 0) {
        barrier_expect(&full, sizeof s);
        tma_load(s, in, sizeof s, &full);
        barrier_wait(&full, 0);
    }
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}

// A ring of two stages between a warp that loads and a warp that adds: each waits for the other's barrier.
//! run   ring block=64
//! arg   in i32[256] = i
//! arg   out i32[32] poison
//! want  out = 8 * i + 32 * 28
__global__ void ring(const int *in, int *out)
{
    __shared__ __align__(16) int s[2][32];
    __shared__ barrier_t full[2], empty[2];
    if (threadIdx.x == 0)
        for (int i = 0; i < 2; i++) {
            barrier_init(&full[i], 1);
            barrier_init(&empty[i], 32);
        }
    __syncthreads();
    if (threadIdx.x == 32)
        for (int i = 0; i < 8; i++) {
            if (i >= 2) barrier_wait(&empty[i % 2], i / 2 - 1);
            barrier_expect(&full[i % 2], 128);
            tma_load(s[i % 2], in + 32 * i, 128, &full[i % 2]);
        }
    if (threadIdx.x >= 32) return;
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        barrier_wait(&full[i % 2], i / 2);
        sum += s[i % 2][threadIdx.x];
        barrier_arrive(&empty[i % 2]);
    }
    out[threadIdx.x] = sum;
}

// Bytes may be announced apart from the arrival, and may come before they are announced.
//! run   announced block=32
//! arg   in i32[64] = i
//! arg   out i32[64] poison
//! want  out = i
__global__ void announced(const int *in, int *out)
{
    __shared__ __align__(16) int s[64];
    __shared__ barrier_t full;
    begin(&full, 1);
    if (threadIdx.x == 0) {
        tma_load(s, in, 128, &full);
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 128;" ::"r"(shared_address(&full)));
        tma_load(s + 32, in + 32, 128, &full);
        barrier_expect(&full, 128);
    }
    barrier_wait(&full, 0);
    out[threadIdx.x] = s[threadIdx.x];
    out[threadIdx.x + 32] = s[threadIdx.x + 32];
}

//! run   no_wait block=32
//! arg   in i32[32] = i
//! arg   out i32[32] poison
//! fault "reads s[0] before the bulk copy in line 138 is known to have come; a wait for its barrier (full) belongs between these lines"
__global__ void no_wait(const int *in, int *out)
{
    __shared__ __align__(16) int s[32];
    __shared__ barrier_t full;
    begin(&full, 1);
    if (threadIdx.x == 0) {
        barrier_expect(&full, sizeof s);
        tma_load(s, in, sizeof s, &full);
    }
    out[threadIdx.x] = s[threadIdx.x]; // fault no_wait
}

// The wait is for the phase before, which has ended already.
//! run   wrong_phase block=32
//! arg   in i32[32] = i
//! arg   out i32[32] poison
//! fault "before the bulk copy in line 155 is known to have come"
__global__ void wrong_phase(const int *in, int *out)
{
    __shared__ __align__(16) int s[32];
    __shared__ barrier_t full;
    begin(&full, 2);
    if (threadIdx.x == 0) {
        barrier_expect(&full, sizeof s);
        tma_load(s, in, sizeof s, &full);
    }
    barrier_wait(&full, 1);
    out[threadIdx.x] = s[threadIdx.x]; // fault wrong_phase
}

// The other warp has not waited.
//! run   another_warp block=64
//! arg   in i32[64] = i
//! arg   out i32[64] poison
//! fault "block (0,0) thread (32,0) reads s[32] before the bulk copy in line 173 is known to have come"
__global__ void another_warp(const int *in, int *out)
{
    __shared__ __align__(16) int s[64];
    __shared__ barrier_t full;
    begin(&full, 1);
    if (threadIdx.x == 0) {
        barrier_expect(&full, sizeof s);
        tma_load(s, in, sizeof s, &full);
        barrier_wait(&full, 0);
    }
    out[threadIdx.x] = s[threadIdx.x]; // fault another_warp
}

// The stage is filled again while it is still being stored.
//! run   filled_again block=32
//! arg   in i32[64] = i
//! arg   out i32[64] poison
//! fault "writes s[0], which the bulk copy in line 194 may still read; a wait for its group, such as tma_wait_read<0>(), belongs between these lines"
__global__ void filled_again(const int *in, int *out)
{
    __shared__ __align__(16) int s[32];
    __shared__ barrier_t full;
    begin(&full, 1);
    if (threadIdx.x) return;
    for (int i = 0; i < 2; i++) {
        barrier_expect(&full, sizeof s);
        tma_load(s, in + 32 * i, sizeof s, &full); // fault filled_again
        barrier_wait(&full, i);
        tma_store(out + 32 * i, s, sizeof s);
        tma_commit();
    }
    tma_wait<0>();
}

// So is a thread's own store.
//! run   stored_over block=32
//! arg   out i32[32] poison
//! fault "writes s[0], which the bulk copy in line 211 may still read"
__global__ void stored_over(int *out)
{
    __shared__ __align__(16) int s[32];
    s[threadIdx.x] = threadIdx.x;
    fence_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        tma_store(out, s, sizeof s);
        tma_commit();
    }
    __syncthreads();
    s[threadIdx.x] = 1; // fault stored_over
    if (threadIdx.x == 0) tma_wait<0>();
}

//! run   ends_early block=32
//! arg   in i32[32] = i
//! arg   out i32[32] poison
//! fault "ends while this bulk copy may still read shared memory; before its end the thread must close the group and wait for it, as by tma_commit() and tma_wait_read<0>()"
__global__ void ends_early(const int *in, int *out)
{
    __shared__ __align__(16) int s[32];
    s[threadIdx.x] = in[threadIdx.x];
    fence_async();
    __syncthreads();
    if (threadIdx.x == 0) tma_store(out, s, sizeof s); // fault ends_early
}

// Stored by threads, then by the engine, with a fence between the two.
//! run   fenced block=64
//! arg   out i32[64] poison
//! want  out = 7 * i
__global__ void fenced(int *out)
{
    __shared__ __align__(16) int s[64];
    s[threadIdx.x] = 7 * threadIdx.x;
    fence_async();
    __syncthreads();
    if (threadIdx.x) return;
    tma_store(out, s, sizeof s);
    tma_commit();
    tma_wait<0>();
}

//! run   no_fence block=64
//! arg   out i32[64] poison
//! fault "copies s[0], which threads have stored without a fence_async() after it: the copy engine may not see it; each thread that stores needs the fence, and then a barrier"
__global__ void no_fence(int *out)
{
    __shared__ __align__(16) int s[64];
    s[threadIdx.x] = 7 * threadIdx.x;
    __syncthreads();
    if (threadIdx.x) return;
    tma_store(out, s, sizeof s); // fault no_fence
    tma_commit();
    tma_wait<0>();
}

//! run   odd_size block=32
//! arg   in i32[32] = i
//! arg   out i32[32] poison
//! fault "copies 36 bytes; a bulk copy has a multiple of 16: copy the rest with ordinary loads and stores"
__global__ void odd_size(const int *in, int *out)
{
    __shared__ __align__(16) int s[32];
    __shared__ barrier_t full;
    begin(&full, 1);
    if (threadIdx.x == 0) tma_load(s, in, 36, &full); // fault odd_size
    out[threadIdx.x] = 0;
}

//! run   odd_place block=32
//! arg   in i32[32] = i
//! arg   out i32[32] poison
//! fault "copies from in[2], byte 8; a bulk copy needs a multiple of 16 there"
__global__ void odd_place(const int *in, int *out)
{
    __shared__ __align__(16) int s[32];
    __shared__ barrier_t full;
    begin(&full, 1);
    if (threadIdx.x == 0) tma_load(s, in + 2, 64, &full); // fault odd_place
    out[threadIdx.x] = 0;
}

//! run   odd_shared block=32
//! arg   in i32[32] = i
//! arg   out i32[32] poison
//! fault "copies to s[1], byte 20 of shared memory; a bulk copy needs a multiple of 16 there: declare the array __align__(16)"
__global__ void odd_shared(const int *in, int *out)
{
    __shared__ __align__(16) int s[32];
    __shared__ barrier_t full;
    begin(&full, 1);
    if (threadIdx.x == 0) tma_load(s + 1, in, 64, &full); // fault odd_shared
    out[threadIdx.x] = 0;
}

//! run   beyond block=32
//! arg   in i32[24] = i
//! arg   out i32[32] poison
//! fault "reads in[24]; in has 24 elements"
__global__ void beyond(const int *in, int *out)
{
    __shared__ __align__(16) int s[32];
    __shared__ barrier_t full;
    begin(&full, 1);
    if (threadIdx.x == 0) tma_load(s, in, 128, &full); // fault beyond
    out[threadIdx.x] = 0;
}

//! run   too_few block=32
//! arg   in i32[32] = i
//! arg   out i32[32] poison
//! fault "it waits for phase 0 of full, which still waits for 64 bytes; announce as many bytes as its copies bring"
__global__ void too_few(const int *in, int *out)
{
    __shared__ __align__(16) int s[32];
    __shared__ barrier_t full;
    begin(&full, 1);
    if (threadIdx.x == 0) {
        barrier_expect(&full, sizeof s);
        tma_load(s, in, 64, &full);
    }
    barrier_wait(&full, 0); // fault too_few
    out[threadIdx.x] = s[0];
}

struct stages {
    int tile[2][32];
    barrier_t full[2], empty[2];
};

// A barrier of a struct is named by the call that begins it; its phases are counted from 0.
//! run   nobody block=96 shared=288 budget=20000
//! arg   out i32[32] poison
//! fault "it waits for phase 0 of s.empty[0], at which no thread arrives: it has 0 of 2 arrivals (line 348: `barrier_init(&s.empty[i], 2)`); 32 threads in line 356 wait for phase 1 of s.full[1], at which no thread arrives: it has 0 of 1 arrivals (line 347: `barrier_init(&s.full[i], 1)`); 32 threads in line 358 wait for it, too"
__global__ void nobody(int *out)
{
    extern __shared__ __align__(16) unsigned char memory[];
    stages &s = *(stages *)memory;
    int warp = threadIdx.x / 32;
    if (threadIdx.x == 0) {
        for (int i = 0; i < 2; i++) {
            barrier_init(&s.full[i], 1);
            barrier_init(&s.empty[i], 2);
        }
        barrier_init_fence();
        barrier_arrive(&s.full[1]);
    }
    __syncthreads();
    if (warp == 0) {
        barrier_wait(&s.full[1], 0);
        barrier_wait(&s.full[1], 1);
    }
    if (warp == 1) barrier_wait(&s.empty[0], 0);
    if (threadIdx.x == 64)
        barrier_wait(&s.empty[0], 0); // fault nobody
    out[threadIdx.x % 32] = 0;
}

// One arrival of two: the wait never ends, which is known long before the budget of instructions is used up.
//! run   deserted block=64
//! arg   out i32[64] poison
//! fault "has not ended after 1"
__global__ void deserted(int *out)
{
    __shared__ barrier_t full;
    begin(&full, 2);
    if (threadIdx.x == 32) barrier_arrive(&full);
    barrier_wait(&full, 0); // fault deserted
    out[threadIdx.x] = 1;
}

// The second arrival is late: the first warp asks many times, and waits rightly.
//! run   late block=64
//! arg   out i32[64] = 1
__global__ void late(int *out)
{
    __shared__ barrier_t full;
    volatile int turns = 0;
    begin(&full, 2);
    if (threadIdx.x == 0) barrier_arrive(&full);
    if (threadIdx.x == 32) {
        while (turns < 30000) turns = turns + 1;
        barrier_arrive(&full);
    }
    barrier_wait(&full, 0);
    out[threadIdx.x] = 1;
}
