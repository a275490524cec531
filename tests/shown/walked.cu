// Kernels that are stepped (test_shown.c). walked.ptx is what clang 14 makes of them without optimisation.
struct point {
    float x, y;
    int tag[2];
};
__device__ int twice(int value)
{
    int doubled = 2 * value;
    return doubled;
}
__global__ void walk(point p, const float *in, float *out)
{
    __shared__ float tile[2][48];
    int i = threadIdx.x, sum = 0;
    bool odd = i % 2;
    unsigned char part[2] = {1, 200};
    point mine = p;
    const float *from = in + i;
    tile[i % 2][i / 2] = *from;
    __syncthreads();
    if (i > 44) return;
    if (odd)
        mine.tag[1] = twice(i);
    else
        for (int k = 0; k <= i / 16; k++) sum += k - part[k % 2];
    out[7 * i] = tile[1][0] + sum + mine.tag[1] / 2.5;
}

__global__ void raced(const float *in, float *out)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void outside(float *out) { out[2 * threadIdx.x] = atomicAdd(&out[threadIdx.x / 8], 1.5f); }
