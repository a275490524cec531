// A function that is defined nowhere.
#include "lockstep.h"
#ifdef __clang__
extern "C" __device__ int printf(const char *, ...);
#else
#include <stdio.h>
#endif

//! refuse "calls vprintf, which is not defined in this file and not supported"
__global__ void say(int *out)
{
    out[threadIdx.x] = 1;
    printf("%d\n", out[0]); // refused
}
