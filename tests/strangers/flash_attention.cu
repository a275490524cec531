// run: attention 2 32 shared=16640 buf:f32:2048:rand buf:f32:2048:rand buf:f32:2048:rand i32:64 i32:32 f32:0.1767 buf:f32:2048:none
// run: cross_entropy 4 32 buf:f32:512:rand buf:i32:4:iota buf:f32:4:none i32:128
// run: adam 2 64 buf:f32:128:rand buf:f32:128:rand buf:f32:128:zero buf:f32:128:zero i32:128 f32:0.001 f32:0.9 f32:0.999 f32:1e-8 i32:3
// run: dropout 2 64 buf:f32:128:rand i32:128 f32:0.5 u64:1234
// run: rope 2 32 buf:f32:128:rand i32:2 i32:64
// Training's kernels: attention with a running maximum, losses, an optimiser, a hash for random numbers.
#include <cuda.h>
#include <cuda_runtime.h>
#include <float.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define CEIL(a, b) (((a) + (b) - 1) / (b))
#define cudaCheck(err) (check_error((err), __FILE__, __LINE__))
void check_error(cudaError_t error, const char *file, int line)
{
    if (error != cudaSuccess) {
        printf("[CUDA ERROR] at file %s:%d:\n%s\n", file, line, cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
}

__global__ void attention(const float *Q, const float *K, const float *V, const int N, const int d, const float scale, float *O)
{
    extern __shared__ float sram[];
    const int Bc = 32;
    float *Kj = sram, *Vj = sram + Bc * d, *S = sram + 2 * Bc * d;
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float m = -INFINITY, l = 0.f, acc[32] = {0.f};
    for (int j = 0; j < CEIL(N, Bc); j++) {
        for (int x = 0; x < d; x++) {
            Kj[threadIdx.x * d + x] = K[(j * Bc + threadIdx.x) * d + x];
            Vj[threadIdx.x * d + x] = V[(j * Bc + threadIdx.x) * d + x];
        }
        __syncthreads();
        float mj = -INFINITY;
        for (int y = 0; y < Bc; y++) {
            float sum = 0;
            for (int x = 0; x < d; x++) sum += Q[row * d + x] * Kj[y * d + x];
            sum *= scale;
            S[threadIdx.x * (Bc + 1) % (32 * 32) + y] = 0;
            acc[0] += 0.f * sum;
            if (sum > mj) mj = sum;
        }
        float larger = max(m, mj), correction = __expf(m - larger);
        l *= correction;
        for (int x = 0; x < d; x++) acc[x] *= correction;
        for (int y = 0; y < Bc; y++) {
            float sum = 0;
            for (int x = 0; x < d; x++) sum += Q[row * d + x] * Kj[y * d + x];
            float p = __expf(sum * scale - larger);
            l += p;
            for (int x = 0; x < d; x++) acc[x] += p * Vj[y * d + x];
        }
        m = larger;
        __syncthreads();
    }
    for (int x = 0; x < d; x++) O[row * d + x] = acc[x] / l;
}

__global__ void cross_entropy(const float *logits, const int *target, float *loss, int C)
{
    const float *x = logits + blockIdx.x * C;
    float m = -FLT_MAX, s = 0;
    for (int i = threadIdx.x; i < C; i += 32) m = fmaxf(m, x[i]);
    for (int o = 16; o > 0; o >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, o));
    for (int i = threadIdx.x; i < C; i += 32) s += expf(x[i] - m);
    for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffff, s, o);
    if (threadIdx.x == 0) loss[blockIdx.x] = logf(s) + m - x[target[blockIdx.x]];
}

__global__ void adam(float *p, const float *g, float *m, float *v, int n, float lr, float b1, float b2, float eps, int t)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    m[i] = b1 * m[i] + (1 - b1) * g[i];
    v[i] = b2 * v[i] + (1 - b2) * g[i] * g[i];
    float mhat = m[i] / (1 - powf(b1, t)), vhat = v[i] / (1 - powf(b2, t));
    p[i] -= lr * mhat / (sqrtf(vhat) + eps);
}

__device__ __host__ static inline uint64_t splitmix(uint64_t x)
{
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

__global__ void dropout(float *x, int n, float p, uint64_t seed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float u = (splitmix(seed ^ (uint64_t)i) >> 40) * 0x1.0p-24f;
        x[i] = u < p ? 0.f : x[i] / (1 - p);
    }
}

__global__ void rope(float *x, int positions, int dim)
{
    int pos = blockIdx.x, pair = threadIdx.x;
    float freq = 1.0f / powf(10000.0f, 2.0f * pair / dim), c = cosf(pos * freq), s = sinf(pos * freq);
    float2 *v = reinterpret_cast<float2 *>(x + pos * dim) + pair;
    float2 old = *v;
    *v = make_float2(old.x * c - old.y * s, old.x * s + old.y * c);
}

int main()
{
    float *q;
    cudaCheck(cudaMalloc((void **)&q, 1 << 20));
    int most;
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlock, 0);
    printf("%d bytes\n", most);
    attention<<<2, 32, 16640>>>(q, q, q, 64, 32, 0.1767f, q);
    cudaCheck(cudaGetLastError());
    cudaCheck(cudaDeviceSynchronize());
}
