// A function that is defined nowhere.
#include "lockstep.h"
#ifdef __clang__
extern "C" __device__ void *malloc(size_t);
#endif

//! refuse "calls malloc, which is not defined in this file and not supported"
__global__ void take(int **out)
{
    out[threadIdx.x] = (int *)malloc(16); // refused
}
