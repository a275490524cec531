// A call through a pointer that is only known when the kernel runs.
#include "lockstep.h"

static __device__ __noinline__ int one(int x) { return x + 1; }
static __device__ __noinline__ int two(int x) { return x * 2; }

//! refuse "instruction mov.u64 takes the address of a function; calls through pointers are not supported"
__global__ void pick(int *out)
{
    int (*f)(int) = out[0] ? one : two; // refused
    out[threadIdx.x] = f(threadIdx.x);
}
