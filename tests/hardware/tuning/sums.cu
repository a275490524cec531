// sums: reductions, prefixes, softmax and normalisation. `lockstep-hardware crosscheck --tuning` compares their times with a GPU's.
#include "lockstep.h"
#define ALL 0xffffffffu
LAUNCH(x_halves, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(x_modulo, BLOCK(128, 1), COVERS(256, 1))
LAUNCH(x_warps, BLOCK(256, 1), COVERS(1024, 1))
LAUNCH(x_farthest, BLOCK(256, 1), COVERS(256, 1))
LAUNCH(x_prefix, BLOCK(512, 1), COVERS(512, 1))
LAUNCH(x_online, BLOCK(128, 1), COVERS(512, 1))
LAUNCH(x_layer, BLOCK(256, 1), COVERS(1024, 1))
LAUNCH(x_rowsum, BLOCK(128, 1), COVERS(512, 128))
LAUNCH(x_dot_double, BLOCK(256, 1), COVERS(256, 1))

__global__ void x_halves(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[blockIdx.y * cols + blockIdx.x * 256 + t];
    __syncthreads();
    for (int h = 128; h > 0; h /= 2) {
        if (t < h) s[t] += s[t + h];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.y * gridDim.x + blockIdx.x] = s[0];
}
__global__ void x_modulo(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[128];
    int t = threadIdx.x, i = blockIdx.y * cols + blockIdx.x * 256 + t;
    s[t] = in[i] + in[i + 128];
    for (int h = 1; h < 128; h *= 2) {
        __syncthreads();
        if (t % (2 * h) == 0) s[t] += s[t + h];
    }
    if (t == 0) out[blockIdx.y * gridDim.x + blockIdx.x] = s[0];
}
__global__ void x_warps(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[8];
    int t = threadIdx.x;
    float4 v = ((const float4 *)(in + blockIdx.y * cols + blockIdx.x * 1024))[t];
    float sum = v.x + v.y + v.z + v.w;
    for (int m = 16; m; m /= 2) sum += __shfl_xor_sync(ALL, sum, m);
    if (t % 32 == 0) s[t / 32] = sum;
    __syncthreads();
    if (t < 8) {
        sum = s[t];
        for (int m = 4; m; m /= 2) sum += __shfl_xor_sync(0xff, sum, m);
        if (t == 0) out[blockIdx.y * gridDim.x + blockIdx.x] = sum;
    }
}
__global__ void x_farthest(const float *in, float *out, int rows, int cols)
{
    __shared__ float far[8];
    __shared__ int where[8];
    int t = threadIdx.x, at = blockIdx.x * 256 + t;
    float best = fabsf(in[blockIdx.y * cols + at]);
    for (int m = 1; m < 32; m *= 2) {
        float other = __shfl_xor_sync(ALL, best, m);
        int from = __shfl_xor_sync(ALL, at, m);
        if (other > best || (other == best && from < at)) best = other, at = from;
    }
    if (t % 32 == 0) far[t / 32] = best, where[t / 32] = at;
    __syncthreads();
    if (t == 0) {
        for (int w = 1; w < 8; w++) if (far[w] > best) best = far[w], at = where[w];
        out[(blockIdx.y * gridDim.x + blockIdx.x) * 2] = best;
        out[(blockIdx.y * gridDim.x + blockIdx.x) * 2 + 1] = (float)at;
    }
}
__global__ void x_prefix(const float *in, float *out, int rows, int cols)
{
    __shared__ float ends[16];
    int t = threadIdx.x, lane = t % 32, w = t / 32, i = blockIdx.y * cols + blockIdx.x * 512 + t;
    float v = in[i];
    for (int d = 1; d < 32; d *= 2) {
        float o = __shfl_up_sync(ALL, v, d);
        if (lane >= d) v += o;
    }
    if (lane == 31) ends[w] = v;
    __syncthreads();
    float before = 0;
    for (int k = 0; k < w; k++) before += ends[k];
    out[i] = v + before;
}
__global__ void x_online(const float *in, float *out, int rows, int cols)
{
    __shared__ float ms[4], ss[4];
    int t = threadIdx.x;
    const float *row = in + blockIdx.y * cols + blockIdx.x * 512;
    float m = -1e30f, s = 0, v[4];
    for (int k = 0; k < 4; k++) {
        v[k] = row[t + 128 * k];
        float next = fmaxf(m, v[k]);
        s = s * __expf(m - next) + __expf(v[k] - next);
        m = next;
    }
    for (int d = 16; d; d /= 2) {
        float om = __shfl_xor_sync(ALL, m, d), os = __shfl_xor_sync(ALL, s, d), next = fmaxf(m, om);
        s = s * __expf(m - next) + os * __expf(om - next);
        m = next;
    }
    if (t % 32 == 0) ms[t / 32] = m, ss[t / 32] = s;
    __syncthreads();
    float gm = fmaxf(fmaxf(ms[0], ms[1]), fmaxf(ms[2], ms[3])), gs = 0;
    for (int w = 0; w < 4; w++) gs += ss[w] * __expf(ms[w] - gm);
    for (int k = 0; k < 4; k++) out[blockIdx.y * cols + blockIdx.x * 512 + t + 128 * k] = __expf(v[k] - gm) / gs;
}
__global__ void x_layer(const float *in, float *out, int rows, int cols)
{
    __shared__ float s[256];
    int t = threadIdx.x;
    const float *row = in + blockIdx.y * cols + blockIdx.x * 1024;
    float sum = 0;
    for (int k = t; k < 1024; k += 256) sum += row[k];
    s[t] = sum;
    __syncthreads();
    for (int h = 128; h > 0; h /= 2) {
        if (t < h) s[t] += s[t + h];
        __syncthreads();
    }
    float mean = s[0] / 1024, var = 0;
    __syncthreads();
    for (int k = t; k < 1024; k += 256) var += (row[k] - mean) * (row[k] - mean);
    s[t] = var;
    __syncthreads();
    for (int h = 128; h > 0; h /= 2) {
        if (t < h) s[t] += s[t + h];
        __syncthreads();
    }
    float scale = rsqrtf(s[0] / 1024 + 1e-5f);
    for (int k = t; k < 1024; k += 256) out[blockIdx.y * cols + blockIdx.x * 1024 + k] = (row[k] - mean) * scale;
}
__global__ void x_rowsum(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * 128 + threadIdx.x;
    float least = 1e30f, most = -1e30f;
    for (int k = 0; k < cols; k++) {
        least = fminf(least, in[row * cols + k]);
        most = fmaxf(most, in[row * cols + k]);
    }
    out[row] = most - least;
}
__global__ void x_dot_double(const float *in, float *out, int rows, int cols)
{
    __shared__ double s[256];
    int t = threadIdx.x, n = gridDim.x * 256, half = rows / 2 * cols;
    double sum = 0;
    for (int i = blockIdx.y * n + blockIdx.x * 256 + t; i < half; i += n * gridDim.y) sum += (double)in[i] * in[i + half];
    s[t] = sum;
    __syncthreads();
    for (int h = 128; h > 0; h /= 2) {
        if (t < h) s[t] += s[t + h];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.y * gridDim.x + blockIdx.x] = (float)s[0];
}
