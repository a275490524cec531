// run: copyColumns 2,4 32,16 buf:f32:4096:iota buf:f32:4096:none i32:64 i32:64
// Matlab's order in mind: x runs down a column of a matrix that is stored by rows.
#include <cuda_runtime.h>

__global__ void copyColumns(const float *src, float *dst, int rows, int cols)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= rows || j >= cols) return;
    dst[i * cols + j] = src[i * cols + j];
}
