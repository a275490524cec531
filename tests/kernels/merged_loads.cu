// Loads of a row of shared memory, merged as ptxas does it. The counts are those of LDS, LDS.64 and LDS.128 in what ptxas
// 13.0 makes of this file's PTX for compute capability 9.0, times the rounds of the loop. A warp a block row: 2 warps.
#include "lockstep.h"

#define ROW 32

// the sum of a row, the loop unrolled by FACTOR
#define SUM_OF_A_ROW(name, FACTOR)                                             \
    __global__ void name(const float *in, float *out)                          \
    {                                                                          \
        __shared__ float tile[2][ROW];                                         \
        int x = threadIdx.x, y = threadIdx.y;                                  \
        float sum = 0;                                                         \
        tile[y][x] = in[y * ROW + x];                                          \
        __syncthreads();                                                       \
        _Pragma(FACTOR) for (int i = 0; i < ROW; i++)                          \
            sum += tile[y][i];                                                 \
        out[y * ROW + x] = sum;                                                \
    }

// every load alone
//! run   by_1 block=32,2
//! arg   in f32[64] = i
//! arg   out f32[64] poison
//! want  out[0..31] = 496
//! want  out[32..63] = 1520
//! count shared_load 64
SUM_OF_A_ROW(by_1, "unroll 1")

//! run   by_2 block=32,2
//! arg   in f32[64] = i
//! arg   out f32[64] poison
//! want  out[0..31] = 496
//! want  out[32..63] = 1520
//! count shared_load 32
SUM_OF_A_ROW(by_2, "unroll 2")

// clang's address is the loop's register and a constant, which ptxas follows; nvcc's register itself starts 8 bytes on
//! run   by_4 block=32,2
//! arg   in f32[64] = i
//! arg   out f32[64] poison
//! want  out[0..31] = 496
//! want  out[32..63] = 1520
//! count clang shared_load 16
//! count nvcc shared_load 32
SUM_OF_A_ROW(by_4, "unroll 4")

//! run   by_8 block=32,2
//! arg   in f32[64] = i
//! arg   out f32[64] poison
//! want  out[0..31] = 496
//! want  out[32..63] = 1520
//! count shared_load 16
SUM_OF_A_ROW(by_8, "unroll 8")

//! run   altogether block=32,2
//! arg   in f32[64] = i
//! arg   out f32[64] poison
//! want  out[0..31] = 496
//! want  out[32..63] = 1520
//! count shared_load 16
//! count shared_load_transactions 32
SUM_OF_A_ROW(altogether, "unroll 32")

// rows of 33 words: no group of four is aligned in every row
//! run   padded block=32,2
//! arg   in f32[64] = i
//! arg   out f32[64] poison
//! want  out[0..31] = 496
//! want  out[32..63] = 1520
//! count shared_load 64
__global__ void padded(const float *in, float *out)
{
    __shared__ float tile[2][ROW + 1];
    int x = threadIdx.x, y = threadIdx.y;
    float sum = 0;
    tile[y][x] = in[y * ROW + x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ROW; i++)
        sum += tile[y][i];
    out[y * ROW + x] = sum;
}

// A float4 of a row of floats. clang takes the alignment of a float, and its address in the loop is a constant that no
// multiple of 16 bytes is: four loads.
#define SUM_OF_FOURS(name, TAKE)                                               \
    __global__ void name(const float *in, float *out)                          \
    {                                                                          \
        __shared__ __align__(16) float tile[16][ROW + 4];                      \
        int x = threadIdx.x;                                                   \
        float sum = 0;                                                         \
        for (int i = 0; i < 16; i++) tile[i][x] = in[i * ROW + x];             \
        __syncthreads();                                                       \
        _Pragma("unroll 8") for (int i = 0; i < 16; i++)                       \
        {                                                                      \
            TAKE;                                                              \
            sum += v.x * 1 + v.y * 2 + v.z * 3 + v.w * 4;                      \
        }                                                                      \
        out[x] = sum;                                                          \
    }

//! run   initialized block=32
//! arg   in f32[512] = i
//! arg   out f32[32] poison
//! want  out = 16 * (10 * (240 + i % 8 * 4) + 20)
//! count clang shared_load 64
//! count nvcc shared_load 16
SUM_OF_FOURS(initialized, float4 v = *(const float4 *)&tile[i][x % 8 * 4])

// assigned it is one
//! run   assigned block=32
//! arg   in f32[512] = i
//! arg   out f32[32] poison
//! want  out = 16 * (10 * (240 + i % 8 * 4) + 20)
//! count shared_load 16
SUM_OF_FOURS(assigned, float4 v; v = *(const float4 *)&tile[i][x % 8 * 4])
