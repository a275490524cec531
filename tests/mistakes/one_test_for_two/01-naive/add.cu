// add: out[i] = a[i] + b[i], two pairs a thread
#include "lockstep.h"

#define THREADS 256
LAUNCH(add, BLOCK(THREADS, 1), COVERS(2 * THREADS, 1))

// The two elements of a thread are THREADS apart, so a warp still reads neighbours both times.
__global__ void add(const float *a, const float *b, float *out, int n)
{
    int first = blockIdx.x * 2 * THREADS + threadIdx.x;
    int second = first + THREADS;
    if (second >= n)
        return;
    out[first] = a[first] + b[first];
    out[second] = a[second] + b[second];
}
