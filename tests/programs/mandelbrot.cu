// The Mandelbrot set as characters. Each operation is rounded by itself, so every compiler draws the same.
#include <cstdio>

const int WIDTH = 64, HEIGHT = 24, LIMIT = 200;

__global__ void mandelbrot(unsigned char *out)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= WIDTH || row >= HEIGHT) return;
    float x0 = -2.1f + col * 0.046875f, y0 = -1.2f + row * 0.1015625f, x = 0, y = 0;
    int i = 0;
    for (; i < LIMIT; i++) {
        float xx = __fmul_rn(x, x), yy = __fmul_rn(y, y);
        if (__fadd_rn(xx, yy) > 4) break;
        y = __fadd_rn(__fmul_rn(__fadd_rn(x, x), y), y0);
        x = __fadd_rn(__fadd_rn(xx, -yy), x0);
    }
    out[row * WIDTH + col] = i == LIMIT ? '#' : i > 12 ? '+' : i > 6 ? '-' : i > 3 ? '.' : ' ';
}

int main()
{
    unsigned char h[WIDTH * HEIGHT], *d;
    cudaMalloc(&d, sizeof h);
    dim3 block(16, 8), grid((WIDTH + 15) / 16, (HEIGHT + 7) / 8);
    mandelbrot<<<grid, block>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int row = 0; row < HEIGHT; row++) printf("|%.*s|\n", WIDTH, (const char *)h + row * WIDTH);
    cudaFree(d);
}
