// Functions of the host that a stream calls, in the stream's order.
#include <cstdio>

static int *pinned;

__global__ void twice(int *p) { p[threadIdx.x] *= 2; }

static void CUDART_CB after(cudaStream_t, cudaError_t status, void *data)
{
    printf("callback %s: %s, %d\n", (const char *)data, cudaGetErrorString(status), pinned[3]);
}

static void CUDART_CB function(void *data)
{
    int *count = (int *)data;
    printf("host function %d: %d\n", ++*count, pinned[3]);
}

int main()
{
    int *d, count = 0;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMallocHost(&pinned, 4 * sizeof(int));
    cudaMalloc(&d, 4 * sizeof(int));
    for (int i = 0; i < 4; i++) pinned[i] = i + 1;
    cudaMemcpyAsync(d, pinned, 4 * sizeof(int), cudaMemcpyHostToDevice, s);
    for (int i = 0; i < 3; i++) {
        twice<<<1, 4, 0, s>>>(d);
        cudaMemcpyAsync(pinned, d, 4 * sizeof(int), cudaMemcpyDeviceToHost, s);
        cudaLaunchHostFunc(s, function, &count);
    }
    cudaStreamAddCallback(s, after, (void *)"at the end", 0);
    cudaStreamSynchronize(s);
    printf("%d calls\n", count);
    cudaStreamDestroy(s);
    cudaFree(d);
    cudaFreeHost(pinned);
}
