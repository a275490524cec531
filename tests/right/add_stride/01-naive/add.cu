// Another way: a grid-stride loop.
#include "lockstep.h"
// 128 threads, 4 elements each, block-stride so that a warp's accesses stay side by side
constexpr int THREADS = 128, EACH = 4;
LAUNCH(add, BLOCK(THREADS, 1), COVERS(THREADS * EACH, 1))

__global__ void add(const float *a, const float *b, float *out, int n)
{
    const int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        out[i] = a[i] + b[i];
}
