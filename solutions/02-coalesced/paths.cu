// paths: all threads of a warp read the same coefficient at the same time, and constant memory broadcasts
// such reads. The table is read at random and never written. The compiler may use the read-only path only if
// it knows this.
#include "lockstep.h"

LAUNCH(polynomial, BLOCK(256, 1), COVERS(256, 1))

__constant__ float coef[8];

// const says that this kernel does not write through table. __restrict__ says that no other pointer accesses
// its memory.
__global__ void polynomial(const float *__restrict__ table, const int *__restrict__ index,
                           float *__restrict__ out, int n, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = table[index[i]], sum = 0;
    for (int j = 7; j >= 0; j--)
        sum = sum * x + coef[j];
    out[i] = sum;
}
