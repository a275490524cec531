// run: mandelbrot 4,4 16,16 buf:u8:12288:none i32:64 i32:64 f32:0.05 f32:-0.6 i32:64
// run: julia_library 4,4 16,16 buf:i32:4096:none i32:64 i32:64
// run: julia 4,4 16,16 buf:i32:4096:none i32:64 i32:64
#include <cuComplex.h>
#include <math.h>
#include <stdio.h>

__device__ uchar3 colour(float t)
{
    uchar3 c;
    c.x = (unsigned char)(9.0f * (1 - t) * t * t * t * 255);
    c.y = (unsigned char)(15.0f * (1 - t) * (1 - t) * t * t * 255);
    c.z = (unsigned char)(255 * sinf(3.14159265f * t));
    return c;
}

__global__ void mandelbrot(uchar3 *image, int width, int height, float scale, float cx0, int max_iter)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    float cx = cx0 + (px - width / 2) * scale, cy = (py - height / 2) * scale, x = 0, y = 0;
    int iter = 0;
    while (x * x + y * y <= 4.0f && iter < max_iter) {
        float t = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = t;
        ++iter;
    }
    // Smooth: fractions of an iteration.
    float mu = iter;
    if (iter < max_iter)
        mu = iter + 1 - log2f(logf(sqrtf(x * x + y * y)));
    image[py * width + px] = colour(mu / max_iter);
}

struct number {
    float r, i;
    __device__ number(float a, float b) : r(a), i(b) {}
    __device__ float magnitude2(void) const { return r * r + i * i; }
    __device__ number operator*(const number &a) const { return number(r * a.r - i * a.i, i * a.r + r * a.i); }
    __device__ number operator+(const number &a) const { return number(r + a.r, i + a.i); }
};

__global__ void julia_library(int *out, int w, int h)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y, n = 0;
    cuFloatComplex z = make_cuFloatComplex(3.0f * x / w - 1.5f, 3.0f * y / h - 1.5f), c = make_cuFloatComplex(-0.8f, 0.156f);
    while (cuCabsf(z) < 4 && n < 100) {
        z = cuCaddf(cuCmulf(z, z), c);
        n++;
    }
    out[x + y * w] = n;
}

__global__ void julia(int *out, int w, int h)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    number c(-0.8f, 0.156f), a(1.5f * (w / 2 - x) / (w / 2), 1.5f * (h / 2 - y) / (h / 2));
    int inside = 1;
    for (int i = 0; i < 200 && inside; i++) {
        a = a * a + c;
        if (a.magnitude2() > 1000)
            inside = 0;
    }
    out[x + y * w] = inside;
}

int main()
{
    uchar3 *image;
    cudaMallocManaged((void **)&image, 1024 * 1024 * sizeof *image);
    mandelbrot<<<dim3(64, 64), dim3(16, 16)>>>(image, 1024, 1024, 0.003f, -0.6f, 256);
    cudaDeviceSynchronize();
    FILE *f = fopen("out.ppm", "wb");
    fprintf(f, "P6\n1024 1024\n255\n");
    fwrite(image, 3, 1024 * 1024, f);
    fclose(f);
}
