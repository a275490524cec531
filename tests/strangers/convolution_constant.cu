// run: convolve 4,4 16,16 buf:f32:4096:iota buf:f32:4096:none i32:64 i32:64
// A 5 x 5 filter in constant memory over a tile with its halo in shared memory.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#define R 2
#define TILE 16
__constant__ float filter[(2 * R + 1) * (2 * R + 1)];

__global__ void __launch_bounds__(TILE * TILE) convolve(const float *in, float *out, int width, int height)
{
    __shared__ float tile[TILE + 2 * R][TILE + 2 * R];
    const int x0 = blockIdx.x * TILE - R, y0 = blockIdx.y * TILE - R;
    for (int k = threadIdx.y * TILE + threadIdx.x; k < (TILE + 2 * R) * (TILE + 2 * R); k += TILE * TILE) {
        int ty = k / (TILE + 2 * R), tx = k % (TILE + 2 * R);
        int x = min(max(x0 + tx, 0), width - 1), y = min(max(y0 + ty, 0), height - 1);
        tile[ty][tx] = in[y * width + x];
    }
    __syncthreads();
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0.f;
#pragma unroll
    for (int dy = 0; dy <= 2 * R; dy++)
#pragma unroll
        for (int dx = 0; dx <= 2 * R; dx++)
            sum += filter[dy * (2 * R + 1) + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
    if (x < width && y < height)
        out[y * width + x] = sum;
}

int main(void)
{
    float h_filter[25], *in, *out;
    size_t pitch;
    for (int i = 0; i < 25; i++)
        h_filter[i] = expf(-(float)((i % 5 - 2) * (i % 5 - 2) + (i / 5 - 2) * (i / 5 - 2)) / 2.0f);
    cudaMemcpyToSymbol(filter, h_filter, sizeof h_filter);
    cudaMallocPitch((void **)&in, &pitch, 640 * sizeof(float), 480);
    cudaMalloc((void **)&out, 640 * 480 * sizeof(float));
    cudaMemcpy2D(in, pitch, out, 640 * sizeof(float), 640 * sizeof(float), 480, cudaMemcpyDeviceToDevice);
    convolve<<<dim3(40, 30), dim3(TILE, TILE)>>>(in, out, 640, 480);
    return cudaDeviceSynchronize();
}
