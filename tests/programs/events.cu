// Events: one stream waits for another, times that only grow, an event that was never recorded.
#include <cstdio>
#include <initializer_list>

__global__ void append(int *list, int v) { list[++list[0]] = v; }

int main()
{
    int *d, h[8];
    cudaStream_t a, b;
    cudaEvent_t first, second, start, stop, quiet;
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    cudaStreamCreate(&a), cudaStreamCreate(&b);
    cudaEventCreate(&start), cudaEventCreate(&stop);
    cudaEventCreateWithFlags(&first, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&second, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&quiet, cudaEventDisableTiming);
    cudaEventRecord(start);
    append<<<1, 1, 0, a>>>(d, 1);
    cudaEventRecord(first, a);
    cudaStreamWaitEvent(b, first, 0);
    append<<<1, 1, 0, b>>>(d, 2);
    cudaEventRecord(second, b);
    cudaStreamWaitEvent(a, second, 0);
    append<<<1, 1, 0, a>>>(d, 3);
    cudaEventRecord(stop);
    printf("waited: %s\n", cudaGetErrorString(cudaEventSynchronize(stop)));
    printf("query: %s\n", cudaGetErrorString(cudaEventQuery(stop)));
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d: %d %d %d\n", h[0], h[1], h[2], h[3]);
    float ms = -1, none = -1;
    cudaError_t timed = cudaEventElapsedTime(&ms, start, stop);
    printf("time: %s, positive: %d\n", cudaGetErrorString(timed), ms > 0);
    printf("without timing: %s\n", cudaGetErrorName(cudaEventElapsedTime(&none, first, second)));
    printf("never recorded: %s\n", cudaGetErrorName(cudaEventQuery(quiet)));
    for (cudaEvent_t e : {first, second, start, stop, quiet}) cudaEventDestroy(e);
    cudaStreamDestroy(a), cudaStreamDestroy(b);
    cudaFree(d);
}
