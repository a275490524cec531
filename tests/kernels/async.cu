// Copies from global to shared memory that go on while the thread does, and what the checks find in them.
#include "lockstep_async.h"

// Every width. A copy is counted as a load of global memory, too.
//! run   widths block=32
//! arg   in f32[128] = i
//! arg   out f32[224] poison
//! want  out[0..127] = i
//! want  out[128..191] = i - 128
//! want  out[192..223] = i - 192
//! count gld_requests 3
//! count gld_transactions 28
//! count sm__sass_inst_executed_op_ldgsts.sum 3
//! count sm__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum 28
//! count sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum 7
//! count sm__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum 0
//! count sm__sass_data_bytes_mem_shared_op_ldgsts.sum 896
__global__ void widths(const float *in, float *out)
{
    __shared__ __align__(16) float s[224];
    int t = threadIdx.x;
    __pipeline_memcpy_async(s + 4 * t, in + 4 * t, 16);
    __pipeline_memcpy_async(s + 128 + 2 * t, in + 2 * t, 8);
    __pipeline_memcpy_async(s + 192 + t, in + t, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = t; i < 224; i += 32) out[i] = s[i];
}

// What is behind the edge becomes 0, and is not read.
//! run   edge block=32
//! arg   in f32[66] = i + 1
//! arg   out f32[128] poison
//! want  out = i < 66 ? i + 1 : 0
//! count gld_transactions 9
__global__ void edge(const float *in, float *out)
{
    __shared__ __align__(16) float s[128];
    int t = threadIdx.x, left = max(0, min(4, 66 - 4 * t));
    __pipeline_memcpy_async(s + 4 * t, left ? in + 4 * t : in, 16, 16 - 4 * left);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = t; i < 128; i += 32) out[i] = s[i];
}

// Two stages: one is copied while the other is used.
//! run   stages block=64
//! arg   in i32[512] = i
//! arg   out i32[64] poison
//! want  out = 8 * i + 64 * 28
__global__ void stages(const int *in, int *out)
{
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&s[0][t], in + t, 4);
    __pipeline_commit();
    for (int i = 0; i < 8; i++) {
        if (i < 7) __pipeline_memcpy_async(&s[(i + 1) % 2][t], in + 64 * (i + 1) + t, 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += s[i % 2][63 - t] - (63 - t) + t;
        __syncthreads();
    }
    out[t] = sum;
}

// A bank of shared memory that all lanes fill takes a pass for each.
//! run   conflicts block=32
//! arg   in f32[32] = i
//! arg   out f32[32] poison
//! want  out = i
//! count sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum 32
//! count sm__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts.sum 31
__global__ void conflicts(const float *in, float *out)
{
    __shared__ float s[32][32];
    __pipeline_memcpy_async(&s[threadIdx.x][0], in + threadIdx.x, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = s[threadIdx.x][0];
}

//! run   no_wait block=32
//! arg   in f32[32] = i
//! arg   out f32[32] poison
//! fault "reads s[0] before the asynchronous copy in line 93 has been waited for; a wait, such as __pipeline_wait_prior(0), belongs between these lines"
__global__ void no_wait(const float *in, float *out)
{
    __shared__ float s[32];
    __pipeline_memcpy_async(&s[threadIdx.x], in + threadIdx.x, 4);
    __pipeline_commit();
    out[threadIdx.x] = s[threadIdx.x]; // fault no_wait
}

// The last group but one is there; the last is not.
//! run   wrong_group block=32
//! arg   in f32[64] = i
//! arg   out f32[32] poison
//! fault "reads s[32] before the asynchronous copy in line 108 has been waited for"
__global__ void wrong_group(const float *in, float *out)
{
    __shared__ float s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], in + threadIdx.x, 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&s[threadIdx.x + 32], in + threadIdx.x + 32, 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    float x = s[threadIdx.x];
    out[threadIdx.x] = x + s[threadIdx.x + 32]; // fault wrong_group
}

// A thread that waits for its own copies does not wait for those of others.
//! run   no_barrier block=64
//! arg   in f32[64] = i
//! arg   out f32[64] poison
//! fault "which thread (63,0) copied asynchronously in line 124 and has waited for by itself; a __syncthreads() belongs between its wait and this line"
__global__ void no_barrier(const float *in, float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], in + t, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = s[63 - t]; // fault no_barrier
}

//! run   barrier_before_wait block=64
//! arg   in f32[64] = i
//! arg   out f32[64] poison
//! fault "which thread (63,0) copied asynchronously in line 138 and has waited for by itself; a __syncthreads() belongs between its wait and this line"
__global__ void barrier_before_wait(const float *in, float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], in + t, 4);
    __pipeline_commit();
    __syncthreads();
    __pipeline_wait_prior(0);
    out[t] = s[63 - t]; // fault barrier_before_wait
}

// The next tile is copied over the one that another warp still reads.
//! run   overwritten block=64
//! arg   in f32[128] = i
//! arg   out f32[64] poison
//! fault "a race; a __syncthreads() belongs between these lines"
__global__ void overwritten(const float *in, float *out)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    float x = s[63 - t];
    __pipeline_memcpy_async(&s[t], in + 64 + t, 4); // fault overwritten
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = x + s[63 - t];
}

//! run   misaligned block=32
//! arg   in f32[64] = i
//! arg   out f32[32] poison
//! fault "reads 16 bytes of in at byte 4, which is not a multiple of 16"
__global__ void misaligned(const float *in, float *out)
{
    __shared__ __align__(16) float s[64];
    if (threadIdx.x < 8) __pipeline_memcpy_async(s + 4 * threadIdx.x, in + 4 * threadIdx.x + 1, 16); // fault misaligned
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = s[threadIdx.x];
}

//! run   beyond block=32
//! arg   in f32[120] = i
//! arg   out f32[32] poison
//! fault "reads in[120]; in has 120 elements"
__global__ void beyond(const float *in, float *out)
{
    __shared__ __align__(16) float s[128];
    __pipeline_memcpy_async(s + 4 * threadIdx.x, in + 4 * threadIdx.x, 16); // fault beyond
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = s[threadIdx.x];
}

// A wait that leaves 8 groups does not wait for the first of 8.
//! run   eight_left block=32
//! arg   in f32[1024] = i
//! arg   out f32[32] poison
//! fault "before the asynchronous copy"
__global__ void eight_left(const float *in, float *out)
{
    __shared__ __align__(16) float s[8][128];
    int t = threadIdx.x;
#pragma unroll
    for (int j = 0; j < 8; j++) {
        __pipeline_memcpy_async(&s[j][4 * t], in + j * 128 + 4 * t, 16);
        __pipeline_commit();
    }
    __pipeline_wait_prior(8);
    out[t] = s[0][4 * t]; // fault eight_left
}

// One that leaves 7 does.
//! run   seven_left block=32
//! arg   in f32[1024] = i
//! arg   out f32[32] poison
//! want  out = 4 * i
__global__ void seven_left(const float *in, float *out)
{
    __shared__ __align__(16) float s[8][128];
    int t = threadIdx.x;
#pragma unroll
    for (int j = 0; j < 8; j++) {
        __pipeline_memcpy_async(&s[j][4 * t], in + j * 128 + 4 * t, 16);
        __pipeline_commit();
    }
    __pipeline_wait_prior(7);
    out[t] = s[0][4 * t];
}
