// products: register tiles, sums of rows and columns, bodies, sparse rows. `crosscheck --tuning` compares their times with a GPU's.
#include "lockstep.h"
LAUNCH(x_tile16, BLOCK(16, 16), COVERS(16, 16))
LAUNCH(x_tile32, BLOCK(32, 32), COVERS(32, 32))
LAUNCH(x_tile_4x4, BLOCK(16, 16), COVERS(64, 64))
LAUNCH(x_tile_8x4, BLOCK(16, 8), COVERS(64, 64))
LAUNCH(x_tile_double4, BLOCK(16, 16), COVERS(32, 32))
LAUNCH(x_col_sums, BLOCK(128, 1), COVERS(128, 512))
LAUNCH(x_vec_block, BLOCK(128, 1), COVERS(2048, 1))
LAUNCH(x_vec_row4, BLOCK(64, 1), COVERS(1024, 64))
LAUNCH(x_bodies, BLOCK(128, 1), COVERS(512, 1))
LAUNCH(x_pairs, BLOCK(128, 1), COVERS(128, 1))
LAUNCH(x_minplus, BLOCK(16, 16), COVERS(16, 16))
LAUNCH(x_ell, BLOCK(128, 1), COVERS(1024, 1))
__global__ void x_tile16(const float *in, float *out, int rows, int cols)
{
    __shared__ float a[16][16], b[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    float sum = 0;
    for (int k = 0; k < cols; k += 16) {
        a[y][x] = in[row * cols + k + x];
        b[y][x] = in[(k + y) * cols + col];
        __syncthreads();
        for (int j = 0; j < 16; j++) sum += a[y][j] * b[j][x];
        __syncthreads();
    }
    out[row * cols + col] = sum;
}
__global__ void x_tile32(const float *in, float *out, int rows, int cols)
{
    __shared__ float a[32][32], b[32][33];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32 + y, col = blockIdx.x * 32;
    float sum = 0;
    for (int k = 0; k < cols; k += 32) {
        a[y][x] = in[row * cols + k + x];
        b[y][x] = in[(col + y) * cols + k + x];
        __syncthreads();
        for (int j = 0; j < 32; j++) sum += a[y][j] * b[x][j];
        __syncthreads();
    }
    out[row * cols + col + x] = sum;
}
__global__ void x_tile_4x4(const float *in, float *out, int rows, int cols)
{
    __shared__ float a[16][64], b[16][64];
    int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x, row = blockIdx.y * 64, col = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int k = 0; k < cols; k += 16) {
        for (int i = t; i < 1024; i += 256) {
            a[i % 16][i / 16] = in[(row + i / 16) * cols + k + i % 16];
            b[i / 64][i % 64] = in[(k + i / 64) * cols + col + i % 64];
        }
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 16; j++)
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int q = 0; q < 4; q++) sum[p][q] += a[j][y * 4 + p] * b[j][x + 16 * q];
        __syncthreads();
    }
    for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++) out[(row + y * 4 + p) * cols + col + x + 16 * q] = sum[p][q];
}
__global__ void x_tile_8x4(const float *in, float *out, int rows, int cols)
{
    __shared__ __align__(16) float a[16][64], b[16][64];
    int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x, row = blockIdx.y * 64, col = blockIdx.x * 64;
    float sum[8][4] = {};
    for (int k = 0; k < cols; k += 16) {
#pragma unroll
        for (int i = 0; i < 8; i++) {
            int n = t + 128 * i;
            a[n / 64][n % 64] = in[(k + n / 64) * cols + row + n % 64];
            b[n / 64][n % 64] = in[(k + n / 64) * cols + col + n % 64];
        }
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 16; j++) {
            float4 l0 = *(float4 *)&a[j][y * 8], l1 = *(float4 *)&a[j][y * 8 + 4], r = *(float4 *)&b[j][x * 4];
            float l[8] = {l0.x, l0.y, l0.z, l0.w, l1.x, l1.y, l1.z, l1.w}, m[4] = {r.x, r.y, r.z, r.w};
#pragma unroll
            for (int i = 0; i < 32; i++) sum[i / 4][i % 4] += l[i / 4] * m[i % 4];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
        *(float4 *)&out[(row + y * 8 + i) * cols + col + x * 4] = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}
__global__ void x_tile_double4(const float *in, float *out, int rows, int cols)
{
    __shared__ double a[32][17], b[16][32];
    int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x, row = blockIdx.y * 32, col = blockIdx.x * 32;
    double s00 = 0, s01 = 0, s10 = 0, s11 = 0;
    for (int k = 0; k < cols; k += 16) {
        for (int i = t; i < 512; i += 256) {
            a[i / 16][i % 16] = in[(row + i / 16) * cols + k + i % 16];
            b[i / 32][i % 32] = in[(k + i / 32) * cols + col + i % 32];
        }
        __syncthreads();
        for (int j = 0; j < 16; j++) {
            s00 += a[y][j] * b[j][x];
            s01 += a[y][j] * b[j][x + 16];
            s10 += a[y + 16][j] * b[j][x];
            s11 += a[y + 16][j] * b[j][x + 16];
        }
        __syncthreads();
    }
    float *o = out + (row + y) * cols + col + x;
    o[0] = (float)s00, o[16] = (float)s01, o[16 * cols] = (float)s10, o[16 * cols + 16] = (float)s11;
}
__device__ float sums_of[2048];
__global__ void x_col_sums(const float *in, float *out, int rows, int cols)
{
    int c = blockIdx.x * 128 + threadIdx.x, first = blockIdx.y * 512;
    float sum = 0;
    for (int r = 0; r < 512; r++) sum += in[(first + r) * cols + c] * in[r];
    atomicAdd(&sums_of[c], sum);
}
__global__ void x_vec_block(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    float sum = 0;
    for (int k = t; k < cols; k += 128) sum += in[blockIdx.y * cols + k] * in[k];
    s[t] = sum;
    __syncthreads();
    for (int h = 64; h; h /= 2) {
        if (t < h) s[t] += s[t + h];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.y] = s[0];
}
__global__ void x_vec_row4(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * 64 + threadIdx.x;
    const float4 *a = (const float4 *)(in + row * cols), *v = (const float4 *)in;
    float sum = 0;
    for (int k = 0; k < cols / 4; k++) {
        float4 p = a[k], q = v[k];
        sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    }
    out[row] = sum;
}
__global__ void x_bodies(const float *in, float *out, int rows, int cols)
{
    const float4 *all = (const float4 *)in;
    int i = (blockIdx.y * gridDim.x + blockIdx.x) * 128 + threadIdx.x, n = rows * cols / 4;
    float4 me = all[i];
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j++) {
        float4 o = all[j];
        float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z, r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = o.w * r * r * r;
        ax += dx * f, ay += dy * f, az += dz * f;
    }
    ((float4 *)out)[i] = make_float4(ax, ay, az, me.w);
}
__global__ void x_pairs(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[128];
    int t = threadIdx.x, i = (blockIdx.y * gridDim.x + blockIdx.x) * 128 + t, n = rows * cols;
    float me = in[i], energy = 0;
    for (int first = 0; first < n; first += 128) {
        s[t] = in[first + t];
        __syncthreads();
        for (int j = 0; j < 128; j++) {
            float d = me - s[j], r2 = 1.0f / (d * d + 0.1f), r6 = r2 * r2 * r2;
            energy += r6 * (r6 - 1.0f);
        }
        __syncthreads();
    }
    out[i] = energy;
}
__global__ void x_minplus(const float *in, float *out, int rows, int cols)
{
    __shared__ float a[16][16], b[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    float best = 1e30f;
    for (int k = 0; k < cols; k += 16) {
        a[y][x] = in[row * cols + k + x];
        b[y][x] = in[(k + y) * cols + col];
        __syncthreads();
        for (int j = 0; j < 16; j++) best = fminf(best, a[y][j] + b[j][x]);
        __syncthreads();
    }
    out[row * cols + col] = best;
}
__global__ void x_ell(const float *in, float *out, int rows, int cols)
{
    int row = (blockIdx.y * gridDim.x + blockIdx.x) * 128 + threadIdx.x, n = rows * cols / 8;
    const float *value = in, *column = in + rows * cols / 2, *vector = in;
    float sum = 0;
    for (int k = 0; k < 4; k++) sum += value[k * n + row] * vector[__float_as_uint(column[k * n + row]) % (unsigned)n];
    out[row] = sum;
}
