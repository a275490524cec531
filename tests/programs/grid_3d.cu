// Grids and blocks of three dimensions, none of them a power of two.
#include <cstdio>
#include <vector>

__global__ void number(int *out, int3 size)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= size.x || y >= size.y || z >= size.z) return;
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    out[x + size.x * (y + size.y * z)] = 1000 * block + thread;
}

int main()
{
    int3 size = make_int3(17, 9, 5);
    dim3 block(5, 3, 2), grid((size.x + block.x - 1) / block.x, (size.y + block.y - 1) / block.y, (size.z + block.z - 1) / block.z);
    int n = size.x * size.y * size.z;
    std::vector<int> h(n);
    int *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemset(d, 0xff, n * sizeof(int));
    number<<<grid, block>>>(d, size);
    cudaMemcpy(h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int v : h) sum += v;
    printf("grid %u x %u x %u, sum %lld\n", grid.x, grid.y, grid.z, sum);
    printf("%d %d %d %d\n", h[0], h[16], h[17 * 9 - 1], h[n - 1]);
    cudaFree(d);
}
