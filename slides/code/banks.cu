// Worked example of deck 05: each thread adds up its own row of a narrow table in shared memory.
#include "lockstep.h"

#define COLS 16

// [PAD]
template <int PAD>
static __device__ void add_rows(const float *in, float *out)
{
    __shared__ float table[32][COLS + PAD];
    int x = threadIdx.x;
    for (int i = x; i < 32 * COLS; i += 32)
        table[i / COLS][i % COLS] = in[i];
    __syncthreads();
    float sum = 0;
    for (int col = 0; col < COLS; col++)
        sum += table[x][col];
    out[x] = sum;
}
// [/PAD]

//! run   rows_plain grid=1 block=32
//! arg   in f32[512] = i // 16
//! arg   out f32[32] poison
//! want  out = 16 * i
__global__ void rows_plain(const float *in, float *out) { add_rows<0>(in, out); }

//! run   rows_padded grid=1 block=32
//! arg   in f32[512] = i // 16
//! arg   out f32[32] poison
//! want  out = 16 * i
__global__ void rows_padded(const float *in, float *out) { add_rows<1>(in, out); }
