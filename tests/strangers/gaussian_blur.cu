// run: gaussian_blur 4,4,1 16,16 buf:u8:4096 buf:u8:4096:none i32:64 i32:64 i32:3 f32:1.5
// run: to_grey 16 256 buf:u8:16384 buf:u8:4096:none i32:4096
// Images: bytes in, bytes out, weights computed where they are needed.
#include <cstdio>
typedef unsigned char byte;

__device__ float weight(int dx, int dy, float sigma)
{
    return exp(-(dx * dx + dy * dy) / (2.0f * sigma * sigma));
}

__device__ inline byte clamp_byte(float v) { return (byte)fminf(fmaxf(v + 0.5f, 0.0f), 255.0f); }

__global__ void gaussian_blur(const byte *in, byte *out, int w, int h, int radius, float sigma)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float sum = 0, total = 0;
    for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx) {
            int sx = x + dx, sy = y + dy;
            if (sx < 0 || sy < 0 || sx >= w || sy >= h) continue;
            float g = weight(dx, dy, sigma);
            sum += g * in[sy * w + sx];
            total += g;
        }
    out[y * w + x] = clamp_byte(sum / total);
}

__global__ void to_grey(const uchar4 *rgba, unsigned char *grey, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        uchar4 p = rgba[i];
        grey[i] = .299f * p.x + .587f * p.y + .114f * p.z;
    }
}

int main()
{
    byte *a, *b;
    cudaMalloc(&a, 640 * 480);
    cudaMalloc(&b, 640 * 480);
    gaussian_blur<<<dim3{40, 30}, dim3{16, 16}>>>(a, b, 640, 480, 3, 1.5f);
    to_grey<<<300, 256>>>((uchar4 *)a, b, 640 * 120);
    if (cudaGetLastError()) printf("failed\n");
}
