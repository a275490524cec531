// Variables of the module: constant memory, with a pass for each different address, and device globals.
#include "lockstep.h"

__constant__ float table[64] = {0, 1, 4, 9, 16, 25, 36, 49};
__constant__ struct {
    char letter;
    short small;
    int numbers[3];
    double wide;
} mixed = {'x', -2, {3, 4, 5}, 0.5};
__device__ int counter = 40;
__device__ float grid_values[32] = {1.5f, -2.5f};
__device__ int five = 5;
__device__ int *pointer_to_five = &five;
__device__ double untouched[4];

//! run   uniform block=64
//! arg   out f32[64] poison
//! arg   n i32 5
//! want  out = 25 + i
//! count constant_load_requests 2
//! count lockstep__constant_ld_addresses.sum 2
//! count gld_requests 0
__global__ void uniform(float *out, int n)
{
    out[threadIdx.x] = table[n] + threadIdx.x;
}

//! run   divergent block=64
//! arg   out f32[64] poison
//! want  out = (i % 8) * (i % 8)
//! count constant_load_requests 2
//! count lockstep__constant_ld_addresses.sum 16
__global__ void divergent(float *out)
{
    out[threadIdx.x] = table[threadIdx.x % 8];
}

//! run   fields block=4
//! arg   out f64[4] poison
//! want  out = {120.5, 121.5, 122.5, 0.5}
__global__ void fields(double *out)
{
    int i = threadIdx.x;
    out[i] = i == 3 ? mixed.wide + *pointer_to_five - 5 : mixed.letter + mixed.small + mixed.numbers[i] + mixed.wide - 1;
}

//! run   globals block=32
//! arg   out f32[32] poison
//! want  out = i == 0 ? 42.5 : i == 1 ? 38.5 : 41
__global__ void globals(float *out)
{
    int i = threadIdx.x;
    if (i == 0)
        counter++;
    __syncthreads();
    out[i] = counter + grid_values[i] + untouched[i % 4];
}
