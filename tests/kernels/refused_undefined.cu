// A function that is defined nowhere.
#include "lockstep.h"
extern "C" __device__ void *more(size_t);

//! refuse "calls more, which is not defined in this file and not supported"
__global__ void take(int **out)
{
    out[threadIdx.x] = (int *)more(16); // refused
}
