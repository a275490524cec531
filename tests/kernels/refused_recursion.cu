// A function that calls itself cannot be inlined.
#include "lockstep.h"

//! refuse "recursion"
static __device__ __noinline__ int fibonacci(int n)
{
    if (n < 2)
        return n;
    int a = fibonacci(n - 1); // refused
    return a + fibonacci(n - 2) * (a + 1);
}

__global__ void recursion(int *out)
{
    out[threadIdx.x] = fibonacci(threadIdx.x % 8);
}
