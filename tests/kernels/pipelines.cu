// cuda::barrier, cuda::pipeline and cooperative_groups::memcpy_async: stages that some threads fill and others use.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
typedef cuda::barrier<cuda::thread_scope_block> barrier;

// A barrier in place of __syncthreads(), phase after phase.
//! run   phases block=96
//! arg   out i32[96] poison
//! want  out = 4 * (95 - i) + 6
__global__ void phases(int *out)
{
    __shared__ barrier bar;
    __shared__ int s[96];
    int t = threadIdx.x, sum = 0;
    if (t == 0) init(&bar, 96);
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        s[t] = t + k;
        barrier::arrival_token token = bar.arrive();
        bar.wait(cuda::std::move(token));
        sum += s[95 - t];
        bar.arrive_and_wait();
    }
    out[t] = sum;
}

// A warp fills, another one uses: two buffers, two barriers each.
//! run   two_roles block=64
//! arg   in i32[256] = i * i
//! arg   out i32[256] poison
//! want  out = in[i] + 1
__global__ void two_roles(const int *in, int *out)
{
    __shared__ int s[2][32];
    __shared__ barrier full[2], empty[2];
    int t = threadIdx.x;
    if (t < 2) init(&full[t], 64), init(&empty[t], 64);
    __syncthreads();
    if (t < 32)
        for (int k = 0; k < 8; k++) {
            if (k >= 2) empty[k % 2].arrive_and_wait();
            s[k % 2][t] = in[32 * k + t];
            (void)full[k % 2].arrive();
        }
    else
        for (int k = 0; k < 8; k++) {
            full[k % 2].arrive_and_wait();
            out[32 * k + t - 32] = s[k % 2][63 - t] - in[32 * k + 63 - t] + in[32 * k + t - 32] + 1;
            if (k < 6) (void)empty[k % 2].arrive();
        }
}

// Copies that a barrier waits for.
//! run   copies block=64
//! arg   in f32[64] = i
//! arg   out f32[64] poison
//! want  out = 63 - i
__global__ void copies(const float *in, float *out)
{
    __shared__ barrier bar;
    __shared__ __align__(16) float s[64];
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, 64);
    block.sync();
    cuda::memcpy_async(block, s, in, sizeof(float) * 64, bar);
    bar.arrive_and_wait();
    out[threadIdx.x] = s[63 - threadIdx.x];
}

// The same without the wait: what another thread copies may not be there.
//! run   no_wait block=64
//! arg   in f32[64] = i
//! arg   out f32[64] poison
//! fault "reads s[63]"
__global__ void no_wait(const float *in, float *out)
{
    __shared__ barrier bar;
    __shared__ __align__(16) float s[64];
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&bar, 64);
    block.sync();
    cuda::memcpy_async(block, s, in, sizeof(float) * 64, bar);
    auto token = bar.arrive();
    out[threadIdx.x] = s[63 - threadIdx.x]; // fault no_wait
    bar.wait(cuda::std::move(token));
}

// Stages of a pipeline that the block shares.
//! run   shared_stages block=64
//! arg   in i32[512] = i
//! arg   out i32[64] poison
//! want  out = 8 * (63 - i) + 64 * 28
__global__ void shared_stages(const int *in, int *out)
{
    __shared__ __align__(16) int s[3][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int use = 0, fill = 0; use < 8; use++) {
        for (; fill < 8 && fill < use + 3; fill++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[fill % 3], in + 64 * fill, sizeof(int) * 64, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += s[use % 3][63 - threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

// One half of the block fills, the other uses.
//! run   partitioned block=128
//! arg   in i32[512] = i
//! arg   out i32[64] poison
//! want  out = 8 * (63 - i) + 64 * 28
__global__ void partitioned(const int *in, int *out)
{
    __shared__ int s[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    bool fills = threadIdx.x < 64;
    auto pipe = cuda::make_pipeline(block, &state, fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    int t = threadIdx.x % 64, sum = 0;
    if (fills)
        for (int k = 0; k < 8; k++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[k % 2][t], in + 64 * k + t, sizeof(int), pipe);
            pipe.producer_commit();
        }
    else {
        for (int k = 0; k < 8; k++) {
            pipe.consumer_wait();
            sum += s[k % 2][63 - t];
            pipe.consumer_release();
        }
        out[t] = sum;
    }
}

// A thread's own pipeline.
//! run   own_stages block=32
//! arg   in i32[256] = i
//! arg   out i32[32] poison
//! want  out = 8 * i + 32 * 28
__global__ void own_stages(const int *in, int *out)
{
    __shared__ int s[2][32];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x, sum = 0;
    for (int k = 0; k < 9; k++) {
        if (k < 8) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[k % 2][t], in + 32 * k + t, cuda::aligned_size_t<4>(4), pipe);
            pipe.producer_commit();
        }
        if (k == 0) continue;
        cuda::pipeline_consumer_wait_prior<1>(pipe);
        if (k == 8) cuda::pipeline_consumer_wait_prior<0>(pipe);
        sum += s[(k - 1) % 2][t];
        pipe.consumer_release();
    }
    out[t] = sum;
}

// A group copies; two calls are two groups of copies.
//! run   group_copies block=64
//! arg   in i32[128] = i
//! arg   out i32[64] poison
//! want  out = 63 - i + 127 - i
//! count clang sm__sass_inst_executed_op_ldgsts.sum 2
__global__ void group_copies(const int *in, int *out)
{
    __shared__ __align__(16) int s[2][64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s[0], in, sizeof(int) * 64);
    cg::memcpy_async(block, s[1], in + 64, sizeof(int) * 64);
    cg::wait_prior<1>(block);
    int sum = s[0][63 - threadIdx.x];
    cg::wait(block);
    out[threadIdx.x] = sum + s[1][63 - threadIdx.x];
}

// More arrivals than a barrier expects.
//! run   too_many block=32
//! arg   out i32[32] poison
//! fault "arrives at a barrier more often than it expects: 3 arrivals are left"
__global__ void too_many(int *out)
{
    __shared__ barrier bar;
    if (threadIdx.x == 0) init(&bar, 3);
    __syncthreads();
    unsigned long long state = 0;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.arrive.noComplete.b64 %0, [%1], 4;" : "=l"(state) : "l"(&bar)); // fault too_many
    out[threadIdx.x] = (int)state;
}
