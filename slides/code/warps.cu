// Worked examples of deck 02: problems that no lab asks for.
#include "lockstep.h"

//! run   column_sums grid=1 block=64
//! arg   in f32[2048] = i // 64
//! arg   out f32[64] poison
//! arg   rows i32 32
//! arg   cols i32 64
//! want  out = 496
//! count gld_transactions 4*64
//! count gld_requests 64
__global__ void column_sums(const float *in, float *out, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= cols)
        return;
    float sum = 0;
    for (int row = 0; row < rows; row++)
        sum += in[row * cols + col];
    out[col] = sum;
}

//! run   fill_all grid=2 block=32
//! arg   out f32[300] poison
//! arg   n i32 300
//! arg   value f32 7
//! want  out = 7
__global__ void fill_all(float *out, int n, float value)
{
    int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        out[i] = value;
}

__constant__ float weight[3] = {0.25f, 0.5f, 0.25f};

//! run   smooth grid=1 block=64
//! arg   in f32[66] = i * 4
//! arg   out f32[64] poison
//! arg   n i32 64
//! want  out = in[i + 1]
__global__ void smooth(const float *__restrict__ in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = 0; j < 3; j++)
        sum += weight[j] * in[i + j];
    out[i] = sum;
}

//! run   settle grid=1 block=64
//! arg   in f32[64] = i - 40
//! arg   out f32[64] poison
//! arg   n i32 64
//! want  out = in[i] < 0 ? 0 - in[i] : in[i] * in[i]
__global__ void settle(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (in[i] < 0)
        out[i] = -in[i];
    else
        out[i] = in[i] * in[i];
}
