// run: stencil 4 256 buf:i32:1030:fill=1 buf:i32:1024:none
#include <iostream>
#define RADIUS 3
#define BLOCK_SIZE 256

__global__ void stencil(int *in, int *out)
{
    __shared__ int temp[BLOCK_SIZE + 2 * RADIUS];
    int gindex = threadIdx.x + blockIdx.x * blockDim.x + RADIUS;
    int lindex = threadIdx.x + RADIUS;
    temp[lindex] = in[gindex];
    if (threadIdx.x < RADIUS) {
        temp[lindex - RADIUS] = in[gindex - RADIUS];
        temp[lindex + BLOCK_SIZE] = in[gindex + BLOCK_SIZE];
    }
    __syncthreads();
    int result = 0;
    for (int offset = -RADIUS; offset <= RADIUS; offset++)
        result += temp[lindex + offset];
    out[gindex - RADIUS] = result;
}

int main()
{
    int *d_in, *d_out;
    cudaMalloc(&d_in, (1024 + 2 * RADIUS) * sizeof(int));
    cudaMalloc(&d_out, 1024 * sizeof(int));
    stencil<<<1024 / BLOCK_SIZE, BLOCK_SIZE>>>(d_in, d_out);
    if (cudaPeekAtLastError() != cudaSuccess)
        std::cerr << "launch failed: " << cudaGetErrorName(cudaGetLastError()) << '\n';
}
