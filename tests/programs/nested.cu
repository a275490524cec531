// Kernels that launch kernels: by recursion, with results that later work of the stream sees, through an instance
// of a template, from a __device__ function, and after the others by cudaStreamTailLaunch.
// build: -rdc=true -lcudadevrt
#include <stdio.h>

__global__ void nest(int depth, int most)
{
    printf("depth %d: thread %d of %d\n", depth, threadIdx.x, blockDim.x);
    if (threadIdx.x == 0 && depth < most) nest<<<1, blockDim.x / 2>>>(depth + 1, most);
}

struct span {
    char tag;
    int first, count;
};

// The sum of a row: each half by a kernel of its own, until it is short.
__global__ void sum_of(const int *in, span s, unsigned long long *sum)
{
    if (s.count <= 4) {
        for (int i = 0; i < s.count; i++) atomicAdd(sum, (unsigned long long)in[s.first + i]);
        return;
    }
    int half = s.count / 2;
    sum_of<<<1, 1>>>(in, span{'a', s.first, half}, sum);
    sum_of <<<dim3(1), dim3(1, 1), 0 >>> (in, span{'b', s.first + half, s.count - half}, sum);
}

template <class T, int factor> __global__ void scale(T *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= factor;
}
static __global__ void last(float *p) { p[0] += 1000; }
static __device__ void scale_all(float *p, int n)
{
    last<<<1, 1, 0, cudaStreamTailLaunch>>>(p);
    scale<float, 3><<<(n + 63) / 64, 64, 0, cudaStreamFireAndForget>>>(p, n);
}
__global__ void parent(float *p, int n)
{
    p[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    if (threadIdx.x < 1) scale_all(p, n);
}

int main()
{
    nest<<<1, 4>>>(0, 2);
    printf("nest: %d\n", cudaDeviceSynchronize());
    int *in;
    unsigned long long *sum;
    float *p;
    cudaMallocManaged(&in, 1000 * sizeof *in);
    cudaMallocManaged(&sum, sizeof *sum);
    cudaMallocManaged(&p, 100 * sizeof *p);
    *sum = 0;
    for (int i = 0; i < 1000; i++) in[i] = i;
    sum_of<<<1, 1>>>(in, span{'c', 0, 1000}, sum);
    cudaDeviceSynchronize();
    printf("sum: %llu\n", *sum);
    parent<<<1, 100>>>(p, 100);
    scale<float, 2><<<2, 64>>>(p, 100); // after the children
    printf("scaled: %d", cudaDeviceSynchronize());
    printf(" %g %g %g\n", p[0], p[1], p[99]);
    return 0;
}
