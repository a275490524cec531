// run: dot 4 256 buf:f32:1000:iota buf:f32:1000:fill=1 buf:f32:4:none
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <iostream>
#define imin(a, b) (a < b ? a : b)
const int N = 1000;
const int threadsPerBlock = 256;
const int blocksPerGrid = imin(32, (N + threadsPerBlock - 1) / threadsPerBlock);

static void HandleError(cudaError_t err, const char *file, int line)
{
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))

__global__ void dot(float *a, float *b, float *c)
{
    __shared__ float cache[threadsPerBlock];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cacheIndex = threadIdx.x;
    float temp = 0;
    while (tid < N) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[cacheIndex] = temp;
    __syncthreads();
    int i = blockDim.x / 2;
    while (i != 0) {
        if (cacheIndex < i)
            cache[cacheIndex] += cache[cacheIndex + i];
        __syncthreads();
        i /= 2;
    }
    if (cacheIndex == 0)
        c[blockIdx.x] = cache[0];
}

int main(void)
{
    float *a = new float[N], *dev_a, *dev_c, partial[blocksPerGrid], c = 0;
    HANDLE_ERROR(cudaMalloc((void **)&dev_a, N * sizeof(float)));
    HANDLE_ERROR(cudaMalloc((void **)&dev_c, blocksPerGrid * sizeof(float)));
    HANDLE_ERROR(cudaMemcpy(dev_a, a, N * sizeof(float), cudaMemcpyHostToDevice));
    dot<<<blocksPerGrid, threadsPerBlock>>>(dev_a, dev_a, dev_c);
    HANDLE_ERROR(cudaMemcpy(partial, dev_c, sizeof partial, cudaMemcpyDeviceToHost));
    for (int i = 0; i < blocksPerGrid; i++)
        c += partial[i];
    std::cout << c << std::endl;
    delete[] a;
}
