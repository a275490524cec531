// Atomic operations on global and shared memory, with and without the old value.
#include "lockstep.h"

//! run   reductions grid=4 block=64
//! arg   s i32[8] = {0, 1000, -1000, -1, 0, 0, 5, 7}
//! arg   u u32[4] = {0, 4294967295, 0, 9}
//! arg   w u64[2] = {4294967295, 5}
//! want  s = {32640, 0, 255, 0, 255, 0, 5, 7}
//! want  u = {256, 0, 255, 9}
//! want  w = {4294967551, 255}
//! count global_atom_requests 8*9+2
//! count gld_requests 0
__global__ void reductions(int *s, unsigned *u, unsigned long long *w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&s[0], i);
    atomicMin(&s[1], i);
    atomicMax(&s[2], i);
    atomicAnd(&s[3], i);
    atomicOr(&s[4], i);
    atomicXor(&s[5], i);
    atomicAdd(&u[0], 1u);
    atomicMin(&u[1], (unsigned)i);
    atomicAdd(&w[0], 1ull);
    if (i == 255) {
        atomicMax(&u[2], (unsigned)i);
        atomicMax(&w[1], (unsigned long long)i);
    }
}

// Blocks run one after the other where the order shows, so tickets are handed out in order.
//! run   tickets grid=2 block=32
//! simulated "the first block has the first tickets"
//! arg   next i32[1] = 100
//! arg   out i32[64] poison
//! want  next = 164
//! want  out = 100 + i
__global__ void tickets(int *next, int *out)
{
    out[blockIdx.x * 32 + threadIdx.x] = atomicAdd(next, 1);
}

//! run   exchanges block=32
//! arg   x i32[4] = {-1, 7, 10, 2}
//! arg   u u32[4] = {3, 0, 5, 8}
//! arg   out i32[32] poison
//! arg   f f32[2] = {0.5, 2}
//! want  x = {31, 999, 10, -29}
//! want  u = {5, 3, 5, 8}
//! want  f = {64.5, 9}
//! want  out = i - 1
__global__ void exchanges(int *x, unsigned *u, int *out, float *f)
{
    int i = threadIdx.x;
    out[i] = atomicExch(&x[0], i);
    atomicCAS(&x[1], i, i == 7 ? 999 : 0);
    atomicCAS(&x[2], i + 100, 1);
    if (i != 0)
        atomicSub(&x[3], 1);
    atomicInc(&u[0], 9);
    atomicDec(&u[1], 6);
    atomicAdd(&f[0], 2.0f);
    if (i == 5)
        atomicExch(&f[1], 9.0f);
}

//! run   histogram grid=2 block=128
//! arg   in i32[256] = i * i % 7
//! arg   out i32[8] = 0
// squares modulo 7: 0 once, 1, 2 and 4 twice in each 7 of 256 = 36 * 7 + 4 (0, 1, 4, 2)
//! want  out = {37, 73, 73, 0, 73, 0, 0, 0}
//! count shared_atom 8
__global__ void histogram(const int *in, int *out)
{
    __shared__ int bins[8];
    int i = threadIdx.x;
    if (i < 8)
        bins[i] = 0;
    __syncthreads();
    atomicAdd(&bins[in[blockIdx.x * 128 + i]], 1);
    __syncthreads();
    if (i < 8 && bins[i])
        atomicAdd(&out[i], bins[i]);
}

//! run   in_shared block=64
//! simulated "lanes update in turn"
//! arg   out i32[8] poison
//! arg   old i32[64] poison
//! want  out = {2016, 0, 63, 3, 63, 0, 5, 77}
//! want  old = i * (i - 1) // 2
__global__ void in_shared(int *out, int *old)
{
    __shared__ int x[8];
    int i = threadIdx.x;
    if (i < 8)
        x[i] = i == 1 ? 100 : i == 3 ? 3 : i == 7 ? 63 : 0;
    __syncthreads();
    old[i] = atomicAdd(&x[0], i);
    atomicMin(&x[1], i);
    atomicMax(&x[2], i);
    atomicAnd(&x[3], i | 3);
    atomicOr(&x[4], i);
    atomicXor(&x[5], i);
    if (i == 3)
        atomicExch(&x[6], 5);
    atomicCAS(&x[7], i, 77);
    __syncthreads();
    if (i < 8)
        out[i] = x[i];
}

// A float sum in the order of blocks and lanes: always the same bits.
//! run   float_sum grid=8 block=32
//! arg   out f32[1] = 16777216
//! want  out = 16777216
__global__ void float_sum(float *out)
{
    atomicAdd(out, 1.0f);
}

//! run   double_sum grid=2 block=16
//! arg   out f64[2] = {0.25, 0}
//! want  out = {32.25, 0}
__global__ void double_sum(double *out)
{
    atomicAdd(out, 1.0);
}

//! run   lock_free block=48
//! arg   out u64[1] = 1
//! want  out = 49
__global__ void lock_free(unsigned long long *out)
{
    unsigned long long seen = *out, expected;
    do {
        expected = seen;
        seen = atomicCAS(out, expected, expected + 1);
    } while (seen != expected);
}

// Neighbouring words: a warp's atomics touch 4 sectors.
//! run   spread block=32
//! arg   out i32[32] = i
//! want  out = 2 * i
//! count global_atom_requests 1
//! count atomic_transactions 4
__global__ void spread(int *out)
{
    atomicAdd(&out[threadIdx.x], (int)threadIdx.x);
}

// Four lanes on each word: four turns, each through two sectors; all lanes on one word: 32 turns.
//! run   crowded block=32
//! arg   few u64[8] = 0
//! arg   one i32[1] = 0
//! want  few = 4
//! want  one = 32
//! count global_atom_requests 2
//! count atomic_transactions 8+32
__global__ void crowded(unsigned long long *few, int *one)
{
    atomicAdd(&few[threadIdx.x % 8], 1ull);
    atomicAdd(one + threadIdx.x / 32, 1);
}

// All lanes name one object, so one lane does what its warp asks for: ptxas counts the lanes that add a constant, and reduces what an
// operation without a result combines. Not floats, nor exchanges, nor an address that may differ by lane.
__device__ int counted, greatest, placed;
__device__ float summed;

//! run   combined block=64
//! arg   in i32[64] = i
//! arg   out i32[64] poison
//! want  out = 1
//! count global_atom_requests 2*5
//! count atomic_transactions 2*(1+1+1+32+32)
__global__ void combined(const int *in, int *out)
{
    int i = threadIdx.x;
    int place = atomicAdd(&counted, 1);
    atomicMax(&greatest, in[i]);
    int old = atomicAdd(&placed, in[i] & 1);
    atomicAdd(&summed, 1.0f);
    atomicAdd(&counted + in[i] / 64, 1);
    out[i] = place >= 0 && old >= 0;
}

// An address of shared memory has 32 bits: an index that goes below its start and comes back is no fault.
//! run   below block=32
//! arg   out i32[2] = {0, 1}
//! want  out = {32, 1}
__global__ void below(int *out)
{
    __shared__ int sum[2];
    int *p = sum + (threadIdx.x - (unsigned)out[1] - threadIdx.x);
    if (threadIdx.x < 2) sum[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(p + 1, 1);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = sum[0];
}
