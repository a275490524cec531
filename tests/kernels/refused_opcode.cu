// PTX that no simulator of this kit executes.
#include "lockstep.h"

//! refuse "instruction frobnicate.u32 is not supported"
__global__ void odd(int *out)
{
    out[threadIdx.x] = 1;
    asm volatile("frobnicate.u32 %0, 1;" : "=r"(out[1])); // refused
}
