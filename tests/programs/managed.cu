// Memory that host and kernels reach at one address: managed, and pinned.
#include <cstdio>

__global__ void add(int *p) { p[threadIdx.x] += 1; }

int main()
{
    int *managed, *pinned;
    cudaMallocManaged(&managed, 4 * sizeof(int));
    cudaMallocHost(&pinned, 4 * sizeof(int));
    for (int i = 0; i < 4; i++)
        managed[i] = pinned[i] = i * i;
    add<<<1, 4>>>(managed);
    add<<<1, 4>>>(pinned);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", managed[0], managed[3], pinned[2]);
    add<<<1, 2000>>>(managed);
    printf("2000 threads: %s\n", cudaGetLastError() ? "refused" : "run");
    printf("then: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(managed);
    cudaFreeHost(pinned);
}
