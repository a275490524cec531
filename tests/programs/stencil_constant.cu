// A stencil with its coefficients in constant memory and a halo in shared memory.
#include <cstdio>
#include <vector>

#define RADIUS 3
#define BLOCK 64
__constant__ float coefficients[RADIUS + 1];

__global__ void stencil(const float *in, float *out, int n)
{
    __shared__ float s[BLOCK + 2 * RADIUS];
    int i = blockIdx.x * BLOCK + threadIdx.x, l = threadIdx.x + RADIUS;
    s[l] = i < n ? in[i] : 0;
    if (threadIdx.x < RADIUS) {
        s[l - RADIUS] = i >= RADIUS ? in[i - RADIUS] : 0;
        s[l + BLOCK] = i + BLOCK < n ? in[i + BLOCK] : 0;
    }
    __syncthreads();
    if (i >= n) return;
    float v = coefficients[0] * s[l];
    for (int r = 1; r <= RADIUS; r++) v += coefficients[r] * (s[l - r] + s[l + r]);
    out[i] = v;
}

int main()
{
    const int n = 1000;
    const float c[RADIUS + 1] = {0.5f, 0.25f, -0.125f, 2}; // powers of two: exact
    std::vector<float> in(n), out(n);
    for (int i = 0; i < n; i++) in[i] = (i * 37) % 64;
    float *a, *b;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMemcpyToSymbol(coefficients, c, sizeof c);
    cudaMemcpy(a, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    stencil<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(a, b, n);
    cudaMemcpy(out.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        float v = c[0] * in[i];
        for (int r = 1; r <= RADIUS; r++) v += c[r] * ((i >= r ? in[i - r] : 0) + (i + r < n ? in[i + r] : 0));
        wrong += v != out[i];
    }
    printf("%g %g %g, %d wrong\n", out[0], out[500], out[n - 1], wrong);
    cudaFree(a);
    cudaFree(b);
}
