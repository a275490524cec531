// malloc, free, new and delete in kernels; memory of one launch in the next; memcpy and memset of a kernel's own arrays.
#include <cstdio>
#include <cstring>

struct node {
    int value;
    node *next;
    __device__ node(int v, node *n) : value(v), next(n) {}
};
__global__ void lists(int *out)
{
    node *list = nullptr;
    int t = threadIdx.x + blockIdx.x * blockDim.x, sum = 0;
    for (int i = 0; i <= t % 7; i++) list = new node(t + i, list);
    while (list) {
        node *next = list->next;
        sum += list->value;
        delete list;
        list = next;
    }
    int *a = (int *)malloc(40), b[10];
    memset(a, 0, 40);
    a[3] = sum;
    memcpy(b, a, t % 2 ? 40 : 20);
    out[t] = b[3] + b[0];
    free(a);
}

__device__ int *kept[64];
__global__ void make()
{
    kept[threadIdx.x] = new int[4];
    for (int i = 0; i < 4; i++) kept[threadIdx.x][i] = threadIdx.x * i;
}
__global__ void use(int *out)
{
    out[threadIdx.x] = kept[63 - threadIdx.x][2];
    delete[] kept[63 - threadIdx.x];
}

int main()
{
    int *d, h[256];
    long long sum = 0;
    cudaMalloc(&d, sizeof h);
    lists<<<4, 64>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; i++) sum += (long long)h[i] * (i + 1);
    printf("%lld %d %d\n", sum, h[0], h[255]);
    make<<<1, 64>>>();
    use<<<1, 64>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %s\n", h[0], h[63], cudaGetErrorName(cudaGetLastError()));
}
