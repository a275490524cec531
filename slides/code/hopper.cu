// Worked examples of deck 10: problems that no lab asks for.
#include "lockstep.h"
#include "lockstep_tma.h"

//! run   largest grid=2 block=256
//! arg   in f32[2048] = i
//! arg   out f32[2] poison
//! want  out = 1024 * i + 1023
//! count lockstep__bulk_ld_copies.sum 2
//! count gld_requests 0
__global__ void largest(const float *in, float *out)
{
// [one_copy]
    __shared__ __align__(16) float part[1024];
    __shared__ barrier_t full;
    if (threadIdx.x == 0) {
        barrier_init(&full, 1); // one thread arrives
        barrier_init_fence();
        barrier_expect(&full, sizeof part);
        tma_load(part, in + 1024 * blockIdx.x, sizeof part, &full);
    }
    __syncthreads(); // the barrier has begun
    barrier_wait(&full, 0);
// [/one_copy]
    for (int n = 512; n > 0; n /= 2) {
        for (int i = threadIdx.x; i < n; i += 256)
            part[i] = fmaxf(part[i], part[i + n]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}

//! run   squares grid=1 block=128
//! arg   out f32[128] poison
//! want  out = i * i
//! count gst_requests 0
__global__ void squares(float *out)
{
    __shared__ __align__(16) float part[128];
    part[threadIdx.x] = threadIdx.x * threadIdx.x;
    fence_async(); // each thread that has stored
    __syncthreads();
    if (threadIdx.x == 0) {
        tma_store(out, part, sizeof part);
        tma_commit();
        tma_wait_read<0>(); // shared memory goes with the block
    }
}
