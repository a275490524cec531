// Worked examples of deck 01: problems that no lab asks for.
#include "lockstep.h"

//! run   twice grid=1 block=8
//! arg   in f32[8] = i + 1
//! arg   out f32[8] poison
//! want  out = in[i] * 2
__global__ void twice(const float *in, float *out)
{
    int i = threadIdx.x;
    out[i] = 2 * in[i];
}

//! run   twice_all grid=3 block=256
//! arg   in f32[600] = i + 1
//! arg   out f32[600] poison
//! arg   n i32 600
//! want  out = in[i] * 2
__global__ void twice_all(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i];
}

//! run   flip grid=2,3 block=16,16
//! arg   in f32[782] = i
//! arg   out f32[782] poison
//! arg   rows i32 34
//! arg   cols i32 23
//! want  out = in[i // 23 * 23 + 22 - (i - i // 23 * 23)]
__global__ void flip(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols)
        out[row * cols + cols - 1 - col] = in[row * cols + col];
}

//! run   row_sums grid=1 block=64
//! arg   in f32[120] = i - i // 3 * 3
//! arg   out f32[40] poison
//! arg   rows i32 40
//! arg   cols i32 3
//! want  out = 3
__global__ void row_sums(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0;
    for (int col = 0; col < cols; col++)
        sum += in[row * cols + col];
    out[row] = sum;
}
