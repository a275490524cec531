// Pieces of an array in four streams: copy in, kernel, copy out, each stream in its own order.
#include <cstdio>

__global__ void step(int *p, int n, int add)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = 3 * p[i] + add;
}

int main()
{
    const int streams = 4, piece = 2500, n = streams * piece;
    int *h, *d;
    cudaStream_t s[streams];
    cudaMallocHost(&h, n * sizeof(int));
    cudaMalloc(&d, n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i;
    for (int k = 0; k < streams; k++) cudaStreamCreateWithFlags(&s[k], k % 2 ? cudaStreamNonBlocking : cudaStreamDefault);
    for (int k = 0; k < streams; k++) {
        int at = k * piece;
        cudaMemcpyAsync(d + at, h + at, piece * sizeof(int), cudaMemcpyHostToDevice, s[k]);
        step<<<(piece + 127) / 128, 128, 0, s[k]>>>(d + at, piece, k);
        step<<<(piece + 127) / 128, 128, 0, s[k]>>>(d + at, piece, 10 * k);
        cudaMemcpyAsync(h + at, d + at, piece * sizeof(int), cudaMemcpyDeviceToHost, s[k]);
    }
    int wrong = 0;
    for (int k = 0; k < streams; k++) {
        unsigned flags;
        cudaStreamSynchronize(s[k]);
        cudaStreamGetFlags(s[k], &flags);
        printf("stream %d: flags %u, %s, first %d\n", k, flags, cudaGetErrorString(cudaStreamQuery(s[k])), h[k * piece]);
        for (int i = k * piece; i < (k + 1) * piece; i++) wrong += h[i] != 9 * i + 13 * k;
    }
    printf("%d wrong\n", wrong);
    for (cudaStream_t x : s) cudaStreamDestroy(x);
    cudaFreeHost(h);
    cudaFree(d);
}
