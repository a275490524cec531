// mixed: sorts, bits, random numbers, tables and complex numbers. `crosscheck --tuning` compares their times with a GPU's.
#include "lockstep.h"
#define ALL 0xffffffffu
LAUNCH(x_odd_even, BLOCK(256, 1), COVERS(512, 1))
LAUNCH(x_ranks, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(x_bitonic_warp, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(x_distance_bits, BLOCK(128, 1), COVERS(128, 1))
LAUNCH(x_life, BLOCK(32, 8), COVERS(32, 8))
LAUNCH(x_random, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(x_options, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(x_table, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(x_both_ways, BLOCK(32, 8), COVERS(32, 8))
LAUNCH(x_complex, BLOCK(128, 1), COVERS(256, 1))
LAUNCH(x_neighbours, BLOCK(256, 1), COVERS(256, 1))
__global__ void x_odd_even(const float *in, float *out, int rows, int cols)
{
    __shared__ float v[512];
    int t = threadIdx.x, first = (blockIdx.y * gridDim.x + blockIdx.x) * 512;
    v[t] = in[first + t], v[t + 256] = in[first + t + 256];
    for (int pass = 0; pass < 64; pass++) {
        __syncthreads();
        int i = 2 * t + (pass & 1);
        if (i < 511 && v[i] > v[i + 1]) {
            float a = v[i];
            v[i] = v[i + 1], v[i + 1] = a;
        }
    }
    __syncthreads();
    out[first + t] = v[t], out[first + t + 256] = v[t + 256];
}
__global__ void x_ranks(const float *in, float *out, int rows, int cols)
{
    __shared__ float v[256];
    int t = threadIdx.x, first = (blockIdx.y * gridDim.x + blockIdx.x) * 256, rank = 0;
    float me = v[t] = in[first + t];
    __syncthreads();
    for (int j = 0; j < 256; j++) rank += v[j] < me || (v[j] == me && j < t);
    out[first + rank] = me;
}
__global__ void x_bitonic_warp(const float *in, float *out, int rows, int cols)
{
    int i = (blockIdx.y * gridDim.x + blockIdx.x) * 256 + threadIdx.x, lane = threadIdx.x % 32;
    float v = in[i];
    for (int size = 2; size <= 32; size *= 2)
        for (int step = size / 2; step; step /= 2) {
            float o = __shfl_xor_sync(ALL, v, step);
            bool up = (lane & size) == 0, low = (lane & step) == 0;
            v = up == low ? fminf(v, o) : fmaxf(v, o);
        }
    out[i] = v;
}
__global__ void x_distance_bits(const float *in, float *out, int rows, int cols)
{
    __shared__ unsigned k0[128], k1[128];
    int t = threadIdx.x, i = blockIdx.y * cols + blockIdx.x * 128 + t, sum = 0;
    unsigned a = __float_as_uint(in[i]), b = a * 2654435761u;
    k0[t] = __float_as_uint(in[t]), k1[t] = __float_as_uint(in[t + 128]);
    __syncthreads();
    for (int k = 0; k < 128; k++) sum += __popc(a & k0[k]) * 2 + __popc(b | k1[k]);
    out[i] = (float)sum;
}
__global__ void x_life(const float *in, float *out, int rows, int cols)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y, n = 0;
    for (int a = -1; a <= 1; a++)
        for (int b = -1; b <= 1; b++)
            if (a || b) n += in[(r + a & rows - 1) * cols + (c + b & cols - 1)] > 0.0f;
    bool alive = in[r * cols + c] > 0.0f;
    out[r * cols + c] = n == 3 || (alive && n == 2);
}
__global__ void x_random(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.y * cols + blockIdx.x * 256 + threadIdx.x, inside = 0;
    unsigned s = __float_as_uint(in[i]) | 1;
    for (int k = 0; k < 64; k++) {
        s ^= s << 13, s ^= s >> 17, s ^= s << 5;
        float x = (s & 65535) / 65536.0f, y = (s >> 16) / 65536.0f;
        inside += x * x + y * y < 1.0f;
    }
    out[i] = inside / 16.0f;
}
__global__ void x_options(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.y * cols + blockIdx.x * 256 + threadIdx.x;
    float s = 1 + fabsf(in[i]), k = 1.1f, v = 0.3f, t = 1.5f, q = sqrtf(t);
    float d1 = (logf(s / k) + (0.02f + 0.5f * v * v) * t) / (v * q), d2 = d1 - v * q;
    float n1 = 1 / (1 + expf(-1.7f * d1)), n2 = 1 / (1 + expf(-1.7f * d2));
    out[i] = s * n1 - k * expf(-0.02f * t) * n2;
}
__global__ void x_table(const float *in, float *out, int rows, int cols)
{
    __shared__ float table[256];
    int t = threadIdx.x, i = blockIdx.y * cols + blockIdx.x * 256 + t;
    table[t] = in[t];
    __syncthreads();
    unsigned bits = __float_as_uint(in[i]);
    out[i] = table[bits & 255] + table[bits >> 8 & 255] + table[bits >> 16 & 255];
}
__global__ void x_both_ways(const float *in, float *out, int rows, int cols)
{
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    out[r * cols + c] = 0.5f * (in[r * cols + c] + in[c * cols + r]);
}
__global__ void x_complex(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.y * cols / 2 + blockIdx.x * 128 + threadIdx.x;
    float2 z = ((const float2 *)in)[i], w = z;
#pragma unroll 4
    for (int k = 0; k < 32; k++) w = make_float2(w.x * z.x - w.y * z.y + 0.1f, w.x * z.y + w.y * z.x - 0.1f);
    ((float2 *)out)[i] = w;
}
__global__ void x_neighbours(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.y * cols + blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
    float v = in[i];
    for (int k = 0; k < 16; k++) {
        float l = __shfl_sync(ALL, v, (lane + 31) % 32), r = __shfl_sync(ALL, v, (lane + 1) % 32);
        v = 0.5f * v + 0.25f * (l + r);
    }
    out[i] = v;
}
