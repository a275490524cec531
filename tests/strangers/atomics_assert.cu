// run: checked 2 32 buf:i32:64:iota i32:64
// assert() that holds, in a kernel.
#include <assert.h>
#include <stdlib.h>

__global__ void checked(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(i < n);
    assert(x[i] >= 0 && "input must not be negative");
    x[i] = 2 * x[i];
}
