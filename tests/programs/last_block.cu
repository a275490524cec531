// The last block to finish adds up what all have written: a fence, a ticket, volatile reads.
#include <cstdio>

__device__ unsigned ticket;

__global__ void sum(const int *in, int n, volatile int *partial, int *out)
{
    __shared__ int s[128];
    __shared__ bool last;
    int v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
    s[threadIdx.x] = v;
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int total = 0;
        for (int b = 0; b < gridDim.x; b++) total += partial[b];
        *out += total;
    }
}

int main()
{
    const int n = 10000, blocks = 12;
    static int h[n];
    int *in, *partial, *out, result, want = 0;
    for (int i = 0; i < n; i++) want += h[i] = i % 101 - 20;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&partial, blocks * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof(int));
    sum<<<blocks, 128>>>(in, n, partial, out);
    sum<<<blocks, 128>>>(in, n, partial, out); // the ticket has gone back to 0
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d, want twice %d\n", result, want);
    cudaFree(in), cudaFree(partial), cudaFree(out);
}
