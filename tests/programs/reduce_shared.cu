// A sum in shared memory whose size the launch gives, a kernel for each level.
#include <cstdio>
#include <vector>

__global__ void sum(const int *in, int *out, int n)
{
    extern __shared__ int part[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
    part[t] = (i < n ? in[i] : 0) + (i + blockDim.x < n ? in[i + blockDim.x] : 0);
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

int main()
{
    const int n = 30011, threads = 128;
    std::vector<int> h(n);
    long long want = 0;
    for (int i = 0; i < n; i++) want += h[i] = i % 97 - 31;
    int *a, *b;
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    cudaMemcpy(a, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    int levels = 0;
    for (int left = n; left > 1; levels++) {
        int blocks = (left + 2 * threads - 1) / (2 * threads);
        sum<<<blocks, threads, threads * sizeof(int)>>>(a, b, left);
        int *swap = a;
        a = b, b = swap, left = blocks;
    }
    int got;
    cudaMemcpy(&got, a, sizeof got, cudaMemcpyDeviceToHost);
    printf("%d in %d launches, %lld on the host\n", got, levels, want);
    cudaFree(a);
    cudaFree(b);
}
