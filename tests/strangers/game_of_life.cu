// run: life 4,4 16,16 buf:u8:4096 buf:u8:4096:none i32:64
// run: life_bool 16 256 buf:u8:4096:fill=1 buf:u8:4096:none i32:64 i32:64
#include <stdio.h>
#include <string.h>
#include <unistd.h>

__global__ void life(const unsigned char *src, unsigned char *dst, int dim)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                alive += src[(y + dy + dim) % dim * dim + (x + dx + dim) % dim] & 1;
    unsigned char me = src[y * dim + x] & 1;
    dst[y * dim + x] = alive == 3 || (me && alive == 2) ? 1 : 0;
}

__global__ void life_bool(const bool *src, bool *dst, int w, int h)
{
    int cell = blockIdx.x * blockDim.x + threadIdx.x, x = cell % w, y = cell / w;
    int left = (x + w - 1) % w, right = (x + 1) % w, up = (y + h - 1) % h * w, down = (y + 1) % h * w;
    int n = src[left + up] + src[x + up] + src[right + up] + src[left + y * w] + src[right + y * w] + src[left + down] + src[x + down] +
            src[right + down];
    dst[cell] = n == 3 || (n == 2 && src[cell]);
}

int main()
{
    unsigned char *a, *b, grid[64 * 64];
    memset(grid, 0, sizeof grid);
    cudaMalloc(&a, sizeof grid);
    cudaMalloc(&b, sizeof grid);
    cudaMemcpy(a, grid, sizeof grid, cudaMemcpyHostToDevice);
    for (int t = 0; t < 100; t++) {
        life<<<dim3(4, 4), dim3(16, 16)>>>(a, b, 64);
        unsigned char *s = a;
        a = b;
        b = s;
        usleep(1000);
    }
}
