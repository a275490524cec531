// Mistakes that are found while a kernel runs: each names its line and the first thread of the first block that makes it.
#include "lockstep.h"

//! run   read_past grid=4 block=64
//! arg   in f32[128] = i
//! arg   out f32[256] poison
//! fault "block (2,0) thread (0,0) reads in[128]; in has 128 elements"
__global__ void read_past(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i]; // fault read_past
}

//! run   write_past block=33
//! arg   in f32[33] = i
//! arg   out f32[32] poison
//! fault "block (0,0) thread (32,0) writes out[32]; out has 32 elements"
__global__ void write_past(const float *in, float *out)
{
    int i = threadIdx.x;
    float x = in[i];
    out[i] = x; // fault write_past
}

//! run   before block=32,2
//! arg   in f64[64] = i
//! arg   out f64[64] poison
//! fault "block (0,0) thread (0,0) reads in[-3]; in has 64 elements"
__global__ void before(const double *in, double *out)
{
    int i = threadIdx.y * 32 + threadIdx.x;
    double x = in[i - 3]; // fault before
    out[i] = x;
}

//! run   far block=32
//! arg   in f32[64] = i
//! arg   out f32[64] poison
//! arg   by i64 1000000000000
//! fault "thread (7,0) reads "
__global__ void far(const float *in, float *out, long long by)
{
    int i = threadIdx.x;
    float x = 0;
    if (i >= 7)
        x = in[i + by]; // fault far
    out[i] = x;
}

//! run   crooked block=8
//! arg   in f32[64] = i
//! arg   out f32[8] poison
//! fault "reads 8 bytes of in at byte 4, which is not a multiple of 8"
__global__ void crooked(const float *in, float *out)
{
    int i = threadIdx.x;
    float2 v = *(const float2 *)(in + 1 + 2 * i); // fault crooked
    out[i] = v.x + v.y;
}

//! run   ragged block=2
//! arg   in f32[7] = i
//! arg   out f32[8] poison
//! fault "thread (1,0) reads in[4] to in[7]; in has 7 elements: where not all 4 are inside, take them one by one"
__global__ void ragged(const float *in, float *out)
{
    int i = 4 * threadIdx.x;
    float4 v = *(const float4 *)(in + i); // fault ragged
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

//! run   nothing block=8
//! arg   in u64 0
//! arg   out f32[8] poison
//! fault "a null pointer"
__global__ void nothing(const float *in, float *out)
{
    out[threadIdx.x] = in[threadIdx.x]; // fault nothing
}

__constant__ float fixed[4] = {1, 2, 3, 4};
//! run   constant block=1
//! arg   out f32[1] = 1
//! fault "which is only to be read"
__global__ void constant(float *out)
{
    float *p = const_cast<float *>(fixed);
    p += out[0] == 0;
    asm volatile("st.f32 [%0], 0f00000000;" ::"l"(p) : "memory"); // fault constant
}

//! run   by_constant block=32
//! arg   in f32[32] = i
//! arg   out f32[32] poison
//! fault "reads in with ld.const, but in is in global memory"
__global__ void by_constant(const float *in, float *out)
{
    float v;
    asm volatile("ld.const.f32 %0, [%1];" : "=f"(v) : "l"(in + threadIdx.x)); // fault by_constant
    out[threadIdx.x] = v;
}

//! run   torn block=64
//! arg   out f32[64] poison
//! fault "every thread of a block must reach the same __syncthreads()"
__global__ void torn(float *out)
{
    if (threadIdx.x < 16) {
        out[threadIdx.x] = 1;
        __syncthreads(); // fault torn
    }
}

//! run   deserted block=64
//! arg   out f32[64] poison
//! arg   n i32 40
//! fault "never reaches, since it returned before it"
__global__ void deserted(float *out, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    out[i] = i;
    __syncthreads(); // fault deserted
    out[i] += 1;
}

//! run   other_warps block=512
//! arg   out f32[512] poison
//! fault "every thread of a block must reach the same __syncthreads()"
__global__ void other_warps(float *out)
{
    int i = threadIdx.x;
    if (i >= 256)
        return;
    out[i] = i;
    __syncthreads(); // fault other_warps
    out[i] += 1;
}

//! run   endless block=64 grid=1000 budget=2000
//! arg   flag i32[1] = 0
//! fault "is this a loop without an end?"
__global__ void endless(volatile int *flag)
{
    while (flag[0] == 0) { // fault endless
    }
}

//! run   bounded block=32 budget=1000
//! arg   out i32[32] poison
//! arg   n i32 100000
//! fault "has not ended after "
__global__ void bounded(volatile int *out, int n)
{
#pragma unroll 1
    for (int k = 0; k < n; k++) // fault bounded
        out[threadIdx.x] = k;
}

//! run   stopped block=32
//! arg   in i32[32] = i
//! fault "stops the kernel"
__global__ void stopped(const int *in)
{
    if (in[threadIdx.x] == 9)
        asm volatile("trap;"); // fault stopped
}

//! run   tile_past block=32
//! arg   out f32[32] poison
//! fault "thread (16,0) reads tile[32]; tile has 32 elements"
__global__ void tile_past(float *out)
{
    __shared__ float tile[32];
    int i = threadIdx.x;
    tile[i] = i;
    __syncthreads();
    out[i] = tile[i * 2]; // fault tile_past
}

extern __shared__ float asked_for[];
//! run   not_asked block=32
//! arg   out f32[32] poison
//! fault "was dynamic shared memory asked for"
__global__ void not_asked(float *out)
{
    asked_for[threadIdx.x] = 1; // fault not_asked
    __syncthreads();
    out[threadIdx.x] = asked_for[31 - threadIdx.x];
}

//! run   absent block=32
//! arg   out i32[32] poison
//! fault "took another way"
__global__ void absent(int *out)
{
    int i = threadIdx.x;
    if (i < 8)
        out[i] = __shfl_sync(0xffffffff, i, 3); // fault absent
}

//! run   atom_past block=32
//! arg   out i32[8] = 0
//! fault "thread (8,0) "
__global__ void atom_past(int *out)
{
    atomicAdd(&out[threadIdx.x], 1); // fault atom_past
}

//! run   too_much block=32 shared=100000000
//! arg   out f32[1] poison
//! launch_fault "bytes of shared memory"
//! run   too_much block=32,33
//! arg   out f32[1] poison
//! launch_fault "1056 threads"
//! run   too_much block=1,1,65
//! arg   out f32[1] poison
//! launch_fault "65 threads in z"
//! run   too_much grid=1,65536 block=1
//! arg   out f32[1] poison
//! launch_fault "65536 blocks in y"
//! run   too_much block=0
//! arg   out f32[1] poison
//! launch_fault "0 threads in x"
__global__ void too_much(float *out)
{
    out[0] = asked_for[0];
}

//! run   promised block=65
//! arg   out i32[65] poison
//! launch_fault "__launch_bounds__ promises at most 64"
__global__ void __launch_bounds__(64) promised(int *out)
{
    out[threadIdx.x] = 1;
}

// The rows of a block reach from below the tile to its last row, so that the addresses of all together wrap to 0.
//! run   below_shared block=32,32
//! arg   out f32[1024] poison
//! fault "writes tile[-1][0]; tile has 32 x 32 elements"
__global__ void below_shared(float *out)
{
    __shared__ float tile[32][32];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y - 1][x] = x; // fault below_shared
    __syncthreads();
    out[y * 32 + x] = tile[y][x];
}
