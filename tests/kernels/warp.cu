// Lanes of a warp together: shuffles with every mode and width, votes, matches.
#include "lockstep.h"

#define ALL 0xffffffffu

//! run   shuffles block=64
//! arg   in i32[64] = i * 3
//! arg   out i32[384] poison
//! want  out[0..63] = in[i // 32 * 32 + 5]
//! want  out[64..127] = in[i % 32 >= 3 ? i - 64 - 3 : i - 64]
//! want  out[128..191] = in[i % 32 < 30 ? i - 128 + 2 : i - 128]
//! want  out[192..255] = in[(i - 192) ^ 9]
//! want  out[256..319] = in[(i - 256) // 32 * 32 + (i * 7 + 3) % 32]
//! want  out[320..383] = in[i - 320] * 0 + (i % 32) * 100
__global__ void shuffles(const int *in, int *out)
{
    int i = threadIdx.x, v = in[i];
    out[i] = __shfl_sync(ALL, v, 5);
    out[64 + i] = __shfl_up_sync(ALL, v, 3);
    out[128 + i] = __shfl_down_sync(ALL, v, 2);
    out[192 + i] = __shfl_xor_sync(ALL, v, 9);
    out[256 + i] = __shfl_sync(ALL, v, (i * 7 + 3) % 32);
    out[320 + i] = __shfl_sync(ALL, (i % 32) * 100, i + 64);
}

//! run   widths block=32
//! arg   out i32[192] poison
//! want  out[0..31] = i // 8 * 8 + 3
//! want  out[32..63] = i % 8 >= 3 ? i - 35 : i - 32
//! want  out[64..95] = i % 16 < 14 ? i - 62 : i - 64
//! want  out[96..127] = (i - 96) ^ 2
//! want  out[128..159] = (i - 128) // 4 * 4 + (i + 1) % 4
//! want  out[160..191] = i % 4 < 2 ? i - 158 : i - 160
__global__ void widths(int *out)
{
    int i = threadIdx.x;
    out[i] = __shfl_sync(ALL, i, 3, 8);
    out[32 + i] = __shfl_up_sync(ALL, i, 3, 8);
    out[64 + i] = __shfl_down_sync(ALL, i, 2, 16);
    out[96 + i] = __shfl_xor_sync(ALL, i, 2, 4);
    out[128 + i] = __shfl_sync(ALL, i, i + 1, 4);
    out[160 + i] = __shfl_down_sync(ALL, i, 2, 4);
}

//! run   kinds block=32
//! arg   f f32[32] poison
//! arg   d f64[32] poison
//! arg   w i64[32] poison
//! want  f = (i ^ 1) + 0.5
//! want  d = (i ^ 4) / 8
//! want  w = i == 0 ? 0 : (i - 1) * 4294967297
__global__ void kinds(float *f, double *d, long long *w)
{
    int i = threadIdx.x;
    f[i] = __shfl_xor_sync(ALL, i + 0.5f, 1);
    d[i] = __shfl_xor_sync(ALL, i / 8.0, 4);
    w[i] = __shfl_up_sync(ALL, i * 4294967297ll, 1);
}

// A warp's sum in five steps, and a sum that stays within the lanes that took the branch.
//! run   sums grid=2 block=96
//! arg   out i32[192] poison
//! want  out = i % 32 < 8 ? 28 : i // 32 * 1024 + 496
__global__ void sums(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = i;
    for (int k = 16; k; k /= 2)
        sum += __shfl_xor_sync(ALL, sum, k);
    if (threadIdx.x % 32 < 8) {
        sum = threadIdx.x % 32;
        for (int k = 4; k; k /= 2)
            sum += __shfl_xor_sync(0xff, sum, k);
    }
    out[i] = sum;
}

//! run   votes block=64
//! arg   out i32[320] poison
//! want  out[0..63] = i < 32 ? 1 : 0
//! want  out[64..127] = i < 96 ? 1 : 0
//! want  out[128..191] = i < 160 ? -1 : 65535
//! want  out[192..255] = i % 2 ? 0x22222222 : 0
//! want  out[256..319] = i % 4 == 3 ? 0x88888888 - 4294967296 : -2
__global__ void votes(int *out)
{
    int i = threadIdx.x;
    out[i] = __all_sync(ALL, i < 48);
    out[64 + i] = __any_sync(ALL, i < 20);
    out[128 + i] = __ballot_sync(ALL, i < 48);
    int picked = 0;
    if (i % 2)
        picked = __ballot_sync(0xaaaaaaaa, i % 4 == 1);
    out[192 + i] = picked;
    int who = -2;
    if (i % 4 == 3)
        who = __activemask();
    out[256 + i] = who;
}

//! run   partial block=40
//! arg   out i32[80] poison
//! want  out[0..39] = i < 32 ? -1 : 255
//! want  out[40..79] = i < 72 ? 1 : 1
__global__ void partial(int *out)
{
    int i = threadIdx.x;
    unsigned mask = i < 32 ? ALL : 0xff;
    out[i] = __ballot_sync(mask, 1);
    out[40 + i] = __all_sync(mask, i >= 0);
}

//! run   matches block=32
//! arg   in i32[32] = i % 3
//! arg   out i32[96] poison
//! want  out[0..31] = i % 3 == 0 ? 0x49249249 : i % 3 == 1 ? 0x92492492 - 4294967296 : 0x24924924
//! want  out[32..63] = 0
//! want  out[64..95] = -1
__global__ void matches(const int *in, int *out)
{
    int i = threadIdx.x, same, all;
    out[i] = __match_any_sync(ALL, in[i]);
    out[32 + i] = __match_all_sync(ALL, in[i], &same) + same;
    out[64 + i] = __match_all_sync(ALL, in[0] + 7, &all) | -all;
}

//! run   synced block=64
//! arg   out i32[64] poison
//! want  out = i ^ 1
__global__ void synced(int *out)
{
    __shared__ volatile int place[64];
    int i = threadIdx.x;
    place[i] = i;
    __syncwarp();
    out[i] = place[i ^ 1];
}
