// Another way: pointers that walk instead of indices.
#include "lockstep.h"
LAUNCH(matmul, BLOCK(32, 4), COVERS(32, 4))

static __device__ float dot(const float *p, const float *q, int len, int stride)
{
    float s = 0.0f;
    const float *end = p + len;
    while (p != end) {
        s = fmaf(*p++, *q, s);
        q += stride;
    }
    return s;
}

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    const int r = threadIdx.x + blockDim.x * blockIdx.x;
    const int q = threadIdx.y + blockDim.y * blockIdx.y;
    if (r < m && q < n)
        c[(size_t)r * n + q] = dot(a + (size_t)r * k, b + q, k, n);
}
