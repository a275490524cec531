// Global access patterns, their sectors counted by hand: a sector is 32 bytes, a float 4.
#include "lockstep.h"

//! run   copy grid=2 block=64
//! arg   in f32[128] = i
//! arg   out f32[128] poison
//! arg   n i32 128
//! want  out = in[i]
//! count gld_requests 4
//! count gld_transactions 16
//! count gst_requests 4
//! count gst_transactions 16
//! count gld_requested_bytes 512
//! count gst_requested_bytes 512
//! count gld_efficiency 100
//! count gld_transactions_per_request 4
//! run   copy grid=2 block=50
//! arg   in f32[90] = i
//! arg   out f32[90] poison
//! arg   n i32 90
//! want  out = in[i]
// 32 + 18 threads a block, the second starts at element 50, byte 200: sectors 6..10, and 10..11 for the 8 that are left
//! count gld_requests 4
//! count gld_transactions 4+3+5+2
//! count gld_requested_bytes 360
__global__ void copy(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

//! run   strided block=32
//! arg   in f32[64] = i
//! arg   out f32[32] poison
//! arg   stride i32 2
//! arg   offset i32 0
//! want  out = in[2 * i]
//! count gld_transactions 8
//! count gst_transactions 4
//! count gld_efficiency 50
//! run   strided block=32
//! arg   in f32[256] = i
//! arg   out f32[32] poison
//! arg   stride i32 8
//! arg   offset i32 0
//! want  out = in[8 * i]
//! count gld_transactions 32
//! count gld_efficiency 12.5
//! run   strided block=32
//! arg   in f32[1024] = i
//! arg   out f32[32] poison
//! arg   stride i32 32
//! arg   offset i32 5
//! want  out = in[32 * i + 5]
//! count gld_transactions 32
//! run   strided block=32
//! arg   in f32[33] = i
//! arg   out f32[32] poison
//! arg   stride i32 1
//! arg   offset i32 1
//! want  out = in[i + 1]
//! count gld_transactions 5
//! count gld_efficiency 80
//! run   strided block=32
//! arg   in f32[8] = i
//! arg   out f32[32] poison
//! arg   stride i32 0
//! arg   offset i32 3
//! want  out = 3
//! count gld_requests 1
//! count gld_transactions 1
// all lanes want one float: its bytes count once, as an H200 counts them
//! count gld_requested_bytes 4
//! run   strided block=32
//! arg   in f32[32] = i
//! arg   out f32[32] poison
//! arg   stride i32 -1
//! arg   offset i32 31
//! want  out = 31 - i
//! count gld_transactions 4
__global__ void strided(const float *in, float *out, int stride, int offset)
{
    out[threadIdx.x] = in[(int)threadIdx.x * stride + offset];
}

//! run   gather block=64
//! arg   in f32[512] = i * 3
//! arg   index i32[64] = i * 37 % 64 * 8
//! arg   out f32[64] poison
//! want  out = in[index[i]]
// every lane a sector of its own
//! count gld_requests 4
//! count gld_transactions 8+64
//! run   gather block=64
//! arg   in f32[512] = i * 3
//! arg   index i32[64] = i // 4 * 8
//! arg   out f32[64] poison
//! want  out = in[index[i]]
// groups of four lanes at one float: 8 sectors a warp
//! count gld_transactions 8+16
//! run   gather block=64
//! arg   in f32[512] = i * 3
//! arg   index i32[64] = (i * 5) % 32
//! arg   out f32[64] poison
//! want  out = in[index[i]]
// all of 32 floats, in another order
//! count gld_transactions 8+8
__global__ void gather(const float *in, const int *index, float *out)
{
    out[threadIdx.x] = in[index[threadIdx.x]];
}

//! run   rows grid=2,2 block=16,16
//! arg   in f32[1024] = i
//! arg   out f32[1024] poison
//! arg   width i32 32
//! want  out = in[i]
// a warp is two rows of 16 floats: 64 bytes each, 2 x 2 sectors
//! count gld_requests 32
//! count gld_transactions 128
//! count gst_transactions 128
//! run   rows grid=4,4 block=8,8
//! arg   in f32[1024] = i
//! arg   out f32[1024] poison
//! arg   width i32 32
//! want  out = in[i]
// four rows of 8 floats: 4 sectors
//! count gld_requests 32
//! count gld_transactions 128
//! run   rows grid=1,1 block=20,10
//! arg   in f32[200] = i
//! arg   out f32[200] poison
//! arg   width i32 20
//! want  out = in[i]
// rows of 20 one after the other: 200 floats in a line, 7 warps, 25 sectors
//! count gld_requests 7
//! count gld_transactions 25
//! run   rows grid=1,1 block=1,70
//! arg   in f32[560] = i
//! arg   out f32[560] poison
//! arg   width i32 8
//! want  out = i % 8 == 0 ? i : nan
// a column: every lane a sector
//! count gld_transactions 70
__global__ void rows(const float *in, float *out, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * width + x] = in[y * width + x];
}

//! run   wide block=32
//! arg   in f64[32] = i / 2
//! arg   out f64[32] poison
//! want  out = in[i]
//! count gld_requests 1
//! count gld_transactions 8
//! count gld_requested_bytes 256
__global__ void wide(const double *in, double *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}

//! run   narrow block=64
//! arg   in u8[64] = i + 200
//! arg   out u8[64] poison
//! want  out = (i + 200) & 255
//! count gld_requests 2
//! count gld_transactions 2
//! count gst_transactions 2
//! count gld_efficiency 100
__global__ void narrow(const unsigned char *in, unsigned char *out)
{
    out[threadIdx.x] = in[threadIdx.x];
}
