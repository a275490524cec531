// A transpose through a padded tile, with fewer rows of threads than the tile has.
#include <cstdio>
#include <vector>

const int TILE = 32, ROWS = 8;

__global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main()
{
    const int width = 100, height = 70;
    std::vector<float> in(width * height), out(width * height);
    for (int i = 0; i < width * height; i++) in[i] = i;
    float *a, *b;
    cudaMalloc(&a, in.size() * sizeof(float));
    cudaMalloc(&b, in.size() * sizeof(float));
    cudaMemcpy(a, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
    transpose<<<dim3((width + TILE - 1) / TILE, (height + TILE - 1) / TILE), dim3(TILE, ROWS)>>>(b, a, width, height);
    cudaMemcpy(out.data(), b, in.size() * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) wrong += out[x * height + y] != in[y * width + x];
    printf("%g %g %g, %d wrong\n", out[0], out[1], out[height], wrong);
    cudaFree(a);
    cudaFree(b);
}
