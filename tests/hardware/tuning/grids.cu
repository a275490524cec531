// grids: stencils, filters and enlargement. `lockstep-hardware crosscheck --tuning` compares their times with a GPU's.
#include "lockstep.h"
LAUNCH(x_sobel, BLOCK(32, 8), COVERS(32, 8))
LAUNCH(x_volume27, BLOCK(64, 4), COVERS(64, 4))
LAUNCH(x_volume7, BLOCK(32, 4), COVERS(32, 4))
LAUNCH(x_march, BLOCK(64, 4), COVERS(64, 64))
LAUNCH(x_march_shared, BLOCK(16, 16), COVERS(16, 512))
LAUNCH(x_column, BLOCK(32, 8), COVERS(32, 8))
LAUNCH(x_fir, BLOCK(128, 1), COVERS(128, 1))
LAUNCH(x_box, BLOCK(16, 16), COVERS(16, 16))
LAUNCH(x_max9, BLOCK(32, 8), COVERS(32, 8))
LAUNCH(x_median5, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(x_enlarge, BLOCK(32, 8), COVERS(32, 8))
enum { P = 64 };
__constant__ float taps[64] = {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f, 0.8f, 0.9f, 1.0f, 0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f, 0.8f, 0.9f, 1.0f, 0.1f};
__device__ __forceinline__ int inside(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }
__global__ void x_sobel(const float *in, float *out, int rows, int cols)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    int u = inside(r - 1, rows) * cols, m = r * cols, d = inside(r + 1, rows) * cols, w = inside(c - 1, cols), e = inside(c + 1, cols);
    float gx = in[u + e] - in[u + w] + 2 * (in[m + e] - in[m + w]) + in[d + e] - in[d + w];
    float gy = in[d + w] - in[u + w] + 2 * (in[d + c] - in[u + c]) + in[d + e] - in[u + e];
    out[m + c] = sqrtf(gx * gx + gy * gy);
}
__global__ void x_volume27(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * 64 + threadIdx.x, row = blockIdx.y * 4 + threadIdx.y, y = row % P, z = row / P, i = row * cols + x;
    float sum = 0;
    if (x > 0 && x < cols - 1 && y > 0 && y < P - 1 && z > 0 && z < rows / P - 1)
        for (int a = -1; a <= 1; a++)
            for (int b = -1; b <= 1; b++)
                for (int c = -1; c <= 1; c++) sum += in[i + a * P * cols + b * cols + c];
    out[i] = sum / 27;
}
__global__ void x_volume7(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 4 + threadIdx.y, y = row % P, z = row / P, i = row * cols + x;
    float w = in[x > 0 ? i - 1 : i], e = in[x < cols - 1 ? i + 1 : i], s = in[y > 0 ? i - cols : i], n = in[y < P - 1 ? i + cols : i];
    float b = in[z > 0 ? i - P * cols : i], t = in[z < rows / P - 1 ? i + P * cols : i];
    out[i] = 0.4f * in[i] + 0.1f * (w + e + s + n + b + t);
}
__global__ void x_march(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y % (P / 4) * 4 + threadIdx.y, planes = rows / P, size = P * cols;
    int z = blockIdx.y / (P / 4) * 16, i = z * size + y * cols + x;
    float back = in[z ? i - size : i], now = in[i];
    for (int k = 0; k < 16; k++, z++, i += size) {
        float next = in[z < planes - 1 ? i + size : i];
        float s = in[x ? i - 1 : i] + in[x < cols - 1 ? i + 1 : i] + in[y ? i - cols : i] + in[y < P - 1 ? i + cols : i];
        out[i] = 0.5f * now + 0.08f * (s + back + next);
        back = now, now = next;
    }
}
__global__ void x_march_shared(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[18][18];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y % (P / 16) * 16 + ty, planes = rows / P;
    int size = P * cols, z = blockIdx.y / (P / 16) * 32, i = z * size + y * cols + x;
    float back = in[z ? i - size : i], now = in[i];
    for (int k = 0; k < 32; k++, z++, i += size) {
        float next = in[z < planes - 1 ? i + size : i];
        s[ty + 1][tx + 1] = now;
        if (ty == 0) s[0][tx + 1] = in[y ? i - cols : i];
        if (ty == 15) s[17][tx + 1] = in[y < P - 1 ? i + cols : i];
        if (tx == 0) s[ty + 1][0] = in[x ? i - 1 : i];
        if (tx == 15) s[ty + 1][17] = in[x < cols - 1 ? i + 1 : i];
        __syncthreads();
        out[i] = 0.5f * now + 0.08f * (s[ty][tx + 1] + s[ty + 2][tx + 1] + s[ty + 1][tx] + s[ty + 1][tx + 2] + back + next);
        __syncthreads();
        back = now, now = next;
    }
}
__global__ void x_column(const float *in, float *out, int rows, int cols)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    float sum = 0;
    for (int k = -8; k <= 8; k++) sum += taps[k + 8] * in[inside(r + k, rows) * cols + c];
    out[r * cols + c] = sum;
}
__global__ void x_fir(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[128 + 32];
    int t = threadIdx.x, first = blockIdx.x * 128, row = blockIdx.y * cols;
    s[t] = in[row + first + t];
    if (t < 32) s[128 + t] = in[row + inside(first + 128 + t, cols)];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 33; k++) sum += taps[k] * s[t + k];
    out[row + first + t] = sum;
}
__global__ void x_box(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[20][20];
    int tx = threadIdx.x, ty = threadIdx.y, left = blockIdx.x * 16 - 2, top = blockIdx.y * 16 - 2;
    for (int i = ty * 16 + tx; i < 400; i += 256) s[i / 20][i % 20] = in[inside(top + i / 20, rows) * cols + inside(left + i % 20, cols)];
    __syncthreads();
    float sum = 0;
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < 5; b++) sum += s[ty + a][tx + b];
    out[(top + 2 + ty) * cols + left + 2 + tx] = sum / 25;
}
__global__ void x_max9(const float *in, float *out, int rows, int cols)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    float best = in[r * cols + c];
#pragma unroll
    for (int a = -1; a <= 1; a++)
#pragma unroll
        for (int b = -1; b <= 1; b++) best = fmaxf(best, in[inside(r + a, rows) * cols + inside(c + b, cols)]);
    out[r * cols + c] = best;
}
__device__ __forceinline__ void swapped(float &a, float &b)
{
    float l = fminf(a, b);
    b = fmaxf(a, b), a = l;
}
__global__ void x_median5(const float *in, float *out, int rows, int cols)
{
    int c = blockIdx.x * 256 + threadIdx.x, r = blockIdx.y;
    float v[7];
#pragma unroll
    for (int k = 0; k < 7; k++) v[k] = in[r * cols + inside(c + k - 3, cols)];
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int k = 0; k < 6 - i; k++) swapped(v[k], v[k + 1]);
    out[r * cols + c] = v[3];
}
__global__ void x_enlarge(const float *in, float *out, int rows, int cols)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    float x = c * 0.7f, y = r * 0.7f;
    int x0 = (int)floorf(x), y0 = (int)floorf(y);
    float fx = x - x0, fy = y - y0;
    const float *p = in + y0 * cols + x0;
    out[r * cols + c] = (1 - fy) * ((1 - fx) * p[0] + fx * p[1]) + fy * ((1 - fx) * p[cols] + fx * p[cols + 1]);
}
