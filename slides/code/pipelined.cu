// Worked examples of deck 08: problems that no lab asks for.
#include "lockstep.h"
#include "lockstep_async.h"

//! run   mirror grid=1 block=32
//! arg   in f32[128] = i
//! arg   out f32[128] poison
//! want  out = 127 - i
__global__ void mirror(const float *in, float *out)
{
    __shared__ float4 s[32];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[t], &in[4 * t], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0); // my copy is there
    __syncthreads();          // everybody's is
    float4 v = s[31 - t];
    *(float4 *)&out[4 * t] = make_float4(v.w, v.z, v.y, v.x);
}

//! run   add_rows grid=1 block=64
//! arg   in f32[512] = 1
//! arg   out f32[64] poison
//! want  out = 8
__global__ void add_rows(const float *in, float *out)
{
    __shared__ float row[2][64];
    int t = threadIdx.x;
    float sum = 0;
    __pipeline_memcpy_async(&row[0][t], &in[t], 4);
    __pipeline_commit();
// [NEXT_ROW]
    for (int i = 0; i < 8; i++) {
        if (i < 7)
            __pipeline_memcpy_async(&row[(i + 1) % 2][t], &in[64 * (i + 1) + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1); // all but the newest group
        __syncthreads();
        sum += row[i % 2][63 - t];
        __syncthreads();
    }
// [/NEXT_ROW]
    out[t] = sum;
}
