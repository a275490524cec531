// run: transposeNoBankConflicts 2,2 32,8 buf:f32:4096:none buf:f32:4096:iota
#include <stdio.h>
#include <assert.h>
const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

inline cudaError_t checkCuda(cudaError_t result)
{
#if defined(DEBUG) || defined(_DEBUG)
    if (result != cudaSuccess) {
        fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
        assert(result == cudaSuccess);
    }
#endif
    return result;
}

__global__ void transposeNoBankConflicts(float *odata, const float *idata)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    int width = gridDim.x * TILE_DIM;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        odata[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main(int argc, char **argv)
{
    const int nx = 1024, ny = 1024;
    dim3 dimGrid(nx / TILE_DIM, ny / TILE_DIM, 1), dimBlock(TILE_DIM, BLOCK_ROWS, 1);
    int devId = 0;
    if (argc > 1) devId = atoi(argv[1]);
    cudaDeviceProp prop;
    checkCuda(cudaGetDeviceProperties(&prop, devId));
    printf("Device: %s, cc %d.%d\n", prop.name, prop.major, prop.minor);
    checkCuda(cudaSetDevice(devId));
    float *in, *out;
    checkCuda(cudaMallocHost((void **)&in, nx * ny * sizeof(float)));
    checkCuda(cudaHostAlloc((void **)&out, nx * ny * sizeof(float), cudaHostAllocMapped));
    transposeNoBankConflicts<<<dimGrid, dimBlock>>>(out, in);
    checkCuda(cudaDeviceSynchronize());
    checkCuda(cudaFreeHost(in));
    checkCuda(cudaDeviceReset());
}
