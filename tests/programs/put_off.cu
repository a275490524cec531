// A program that launches the same kernels again and again and reads their results now and then: between the launches it sets, frees and
// copies memory, changes a constant, and launches other kernels, and each result counts all launches before it.
#include <cstdio>

__constant__ int step = 1;

__global__ void add(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += step;
}
__global__ void doubled(int *x) { x[threadIdx.x] *= 2; }

static void show(const char *what, const int *x)
{
    int h[4];
    cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    printf("%-28s %d %d %d %d\n", what, h[0], h[1], h[2], h[3]);
}

int main()
{
    const int n = 1000;
    int *x, *y, *z, two = 2;
    cudaMalloc(&x, n * sizeof *x);
    cudaMalloc(&y, n * sizeof *y);
    cudaMemset(x, 0, n * sizeof *x);
    for (int i = 0; i < 10; i++) add<<<4, 256>>>(x, n);
    show("ten launches", x);

    for (int i = 0; i < 10; i++) {
        add<<<4, 256>>>(x, n);
        cudaMemset(x, 0, 2 * sizeof *x);
    }
    show("memory set between them", x);

    for (int i = 0; i < 5; i++) add<<<4, 256>>>(x, n);
    cudaMemcpyToSymbol(step, &two, sizeof two);
    for (int i = 0; i < 5; i++) add<<<4, 256>>>(x, n);
    show("a constant that changes", x);

    for (int i = 0; i < 3; i++) add<<<4, 256>>>(x, n);
    doubled<<<1, 2>>>(x);
    for (int i = 0; i < 3; i++) add<<<4, 256>>>(x, n);
    doubled<<<1, 2>>>(x);
    show("another kernel between", x);

    cudaMemset(y, 0, n * sizeof *y);
    for (int i = 0; i < 3; i++) add<<<4, 256>>>(y, n);
    cudaMemcpy(x, y, 2 * sizeof *x, cudaMemcpyDeviceToDevice);
    for (int i = 0; i < 3; i++) add<<<4, 256>>>(y, n);
    cudaFree(y);
    cudaMalloc(&z, n * sizeof *z);
    cudaMemset(z, 0, n * sizeof *z);
    for (int i = 0; i < 3; i++) add<<<4, 256>>>(z, n);
    show("memory that is freed: x", x);
    show("memory that is freed: z", z);

    cudaStream_t stream;
    cudaEvent_t begin, end;
    float ms = 0;
    cudaStreamCreate(&stream);
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin, stream);
    for (int i = 0; i < 20; i++) add<<<4, 256, 0, stream>>>(z, n);
    cudaEventRecord(end, stream);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    cudaStreamDestroy(stream);
    show("a stream that is gone", z);
    printf("time %s\n", ms > 0 ? "passed" : "stood still");

    const size_t big = (3 << 20) + 5;
    unsigned char *bytes, *host = new unsigned char[big];
    size_t right = 0;
    cudaMalloc(&bytes, big);
    cudaMemset(bytes, 7, big);
    cudaMemset(bytes + 1, 9, big - 2);
    cudaMemcpy(host, bytes, big, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < big; i++) right += host[i] == (i == 0 || i == big - 1 ? 7 : 9);
    printf("%-28s %zu of %zu\n", "a long memset", right, big);
    cudaFree(bytes);
    delete[] host;

    int *shared;
    cudaMallocManaged(&shared, n * sizeof *shared);
    for (int i = 0; i < n; i++) shared[i] = i;
    for (int i = 0; i < 4; i++) add<<<4, 256>>>(shared, n);
    cudaDeviceSynchronize();
    printf("%-28s %d %d\n", "memory that the host shares", shared[0], shared[n - 1]);
    cudaFree(shared);
    cudaDeviceReset();
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
