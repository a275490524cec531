// A histogram of bytes: each block counts in shared memory, then adds to the whole.
#include <cstdio>
#include <cstring>

__global__ void count(const unsigned char *text, int n, unsigned *bins)
{
    __shared__ unsigned own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&own[text[i]], 1);
    __syncthreads();
    if (own[threadIdx.x]) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

int main()
{
    const char *line = "the quick brown fox jumps over the lazy dog ";
    const int length = (int)strlen(line), n = 200 * length;
    unsigned char *text;
    unsigned *bins, h[256];
    cudaMalloc(&text, n);
    cudaMalloc(&bins, sizeof h);
    for (int i = 0; i < 200; i++) cudaMemcpy(text + i * length, line, length, cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, sizeof h);
    count<<<4, 256>>>(text, n, bins);
    cudaMemcpy(h, bins, sizeof h, cudaMemcpyDeviceToHost);
    unsigned total = 0;
    for (int c = 0; c < 256; c++) {
        if (h[c] > 400) printf("'%c' %u\n", c, h[c]);
        total += h[c];
    }
    printf("%u of %d\n", total, n);
    cudaFree(text);
    cudaFree(bins);
}
