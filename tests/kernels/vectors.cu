// Vector loads and stores: one access of 8 or 16 bytes a lane.
#include "lockstep.h"

//! run   fours block=32
//! arg   in f32[128] = i
//! arg   out f32[128] poison
//! want  out = in[i] * (i % 4 + 1)
//! count gld_requests 1
//! count gld_transactions 16
//! count gld_requested_bytes 512
//! count gst_requests 1
//! count gst_transactions 16
__global__ void fours(const float4 *in, float4 *out)
{
    float4 v = in[threadIdx.x];
    out[threadIdx.x] = make_float4(v.x, v.y * 2, v.z * 3, v.w * 4);
}

//! run   twos block=48
//! arg   in f32[96] = i
//! arg   out f32[96] poison
//! want  out = in[i] + (i % 2 ? 0.5 : 0.25)
//! count gld_requests 2
//! count gld_transactions 12
//! count gst_transactions 12
__global__ void twos(const float2 *in, float2 *out)
{
    float2 v = in[threadIdx.x];
    v.x += 0.25f;
    v.y += 0.5f;
    out[threadIdx.x] = v;
}

// Three floats are no power of two: three loads, each 4 bytes at a stride of 12. 32 points lie in 12 sectors.
//! run   threes block=32
//! arg   in f32[96] = i
//! arg   out f32[32] poison
//! want  out = 9 * i + 3
//! count gld_requests 3
//! count gld_transactions 36
__global__ void threes(const float3 *in, float *out)
{
    float3 v = in[threadIdx.x];
    out[threadIdx.x] = v.x + v.y + v.z;
}

//! run   integers block=16
//! arg   in i32[64] = i - 30
//! arg   two i32[32] = i
//! arg   out i32[64] poison
//! want  out = i % 4 == 0 ? -in[i] : i % 4 == 3 ? in[i] + two[i // 4 * 2] : in[i] * two[i // 4 * 2 + 1]
//! count gld_requests 2
__global__ void integers(const int4 *in, const int2 *two, int4 *out)
{
    int4 v = in[threadIdx.x];
    int2 w = two[threadIdx.x];
    out[threadIdx.x] = make_int4(-v.x, v.y * w.y, v.z * w.y, v.w + w.x);
}

//! run   doubles block=32
//! arg   in f64[64] = i / 4
//! arg   points f64[96] = i
//! arg   out f64[64] poison
//! want  out = in[i ^ 1] + points[i // 2 * 3 + i % 2 * 2]
//! count gst_requests 1
//! count gst_transactions 16
__global__ void doubles(const double2 *in, const double3 *points, double2 *out)
{
    double2 v = in[threadIdx.x];
    double3 p = points[threadIdx.x];
    out[threadIdx.x] = make_double2(v.y + p.x, v.x + p.z);
}

//! run   readonly block=32
//! arg   in f32[128] = i
//! arg   one f32[32] = i * 2
//! arg   out f32[32] poison
//! want  out = in[4 * i] + in[4 * i + 3] + one[i]
//! count gld_requests 2
//! count tex_requests 2
__global__ void readonly(const float4 *in, const float *one, float *out)
{
    float4 v = __ldg(&in[threadIdx.x]);
    out[threadIdx.x] = v.x + v.w + __ldg(one + threadIdx.x);
}

//! run   bytes block=32
//! arg   in u8[128] = i * 3
//! arg   out u8[128] poison
//! want  out = in[i ^ 3]
//! count gld_requests 1
//! count gld_transactions 4
__global__ void bytes(const uchar4 *in, uchar4 *out)
{
    uchar4 v = in[threadIdx.x];
    out[threadIdx.x] = make_uchar4(v.w, v.z, v.y, v.x);
}

// Rows of 16-byte words in shared memory: a quarter of a warp at a time, 4 passes, none of them a conflict.
//! run   shared_fours block=32
//! arg   in f32[128] = i
//! arg   out f32[128] poison
//! want  out = in[127 - i // 4 * 4 - 3 + i % 4]
//! count shared_load 1
//! count shared_store 1
//! count shared_load_transactions 4
//! count shared_store_transactions 4
//! count shared_ld_bank_conflict 0
//! count shared_st_bank_conflict 0
__global__ void shared_fours(const float4 *in, float4 *out)
{
    __shared__ float4 tile[32];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x];
}

// Each part is used behind a branch of its own, and loaded with the others.
//! run   behind_branches block=32
//! arg   in f32[128] = i
//! arg   out f32[128] poison
//! arg   n i32 128
//! want  out = in[i % 32 * 4 + i // 32]
//! count shared_load 1
//! count shared_load_transactions 4
//! count shared_ld_bank_conflict 0
__global__ void behind_branches(const float4 *in, float *out, int n)
{
    __shared__ float4 tile[32];
    int t = threadIdx.x;
    tile[t ^ 1] = in[t];
    __syncthreads();
    float4 v = tile[t ^ 1];
    if (t < n) out[t] = v.x;
    if (t + 32 < n) out[t + 32] = v.y;
    if (t + 64 < n) out[t + 64] = v.z;
    if (t + 96 < n) out[t + 96] = v.w;
}
