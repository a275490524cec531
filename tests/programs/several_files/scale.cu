// One file of kernels. Its variable and its kernel have the names of those in the other file, and are its own.
#include "vectors.h"

static __constant__ float value;
static __global__ void kernel(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= value;
}

void set_scale(float s) { cudaMemcpyToSymbol(value, &s, sizeof s); }
void scale(float *x, int n) { kernel<<<blocks_of(n, 128), 128>>>(x, n); }
