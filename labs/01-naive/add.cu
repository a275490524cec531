// add: out[i] = a[i] + b[i], one thread per element
//   Given:   a, b and out hold n floats each, any n
//   Launch:  a block has 256 threads; the number of blocks is rounded up, so some threads have no element
//   Example: n = 3: {1,2,3} and {10,20,30} -> {11,22,33}
//   Budget:  at most 4 sectors a global request, loads and stores; each thread has an element of its own
//   Read:    README.md step 1, slides/01-naive.md "Which element is mine?"
#include "lockstep.h"

LAUNCH(add, BLOCK(256, 1), COVERS(256, 1))

__global__ void add(const float *a, const float *b, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x; // given: threads in the blocks before mine, and my place
    // TODO: two lines: if element i exists, store the sum.
}
