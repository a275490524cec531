// Kernels in a table, launched by cudaLaunchKernel with their arguments as pointers.
#include <cstdio>

__global__ void add(int *p, int v) { p[threadIdx.x] += v; }
__global__ void scale(int *p, int v) { p[threadIdx.x] *= v; }
__global__ void mixed(char c, double d, int *p, short s, float2 f) { p[threadIdx.x] += (int)(c * d + s + f.x + f.y); }
template <int N> __global__ void shift(int *p, int v) { p[threadIdx.x] = (p[threadIdx.x] << N) + v; }

typedef void (*kernel)(int *, int);

int main()
{
    const struct {
        const char *name;
        kernel run;
    } table[] = {{"add", add}, {"scale", scale}, {"shift by 1", shift<1>}, {"shift by 4", shift<4>}};
    int h[4] = {1, 2, 3, 4}, *d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    for (const auto &row : table) {
        int v = 3;
        void *args[] = {&d, &v};
        cudaError_t e = cudaLaunchKernel((const void *)row.run, dim3(1), dim3(4), args, 0, 0);
        cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
        printf("%s: %s, %d %d %d %d\n", row.name, cudaGetErrorString(e), h[0], h[1], h[2], h[3]);
    }
    char c = 2;
    double x = 1.5;
    short s = -7;
    float2 f = make_float2(0.5f, 0.5f);
    void *args[] = {&c, &x, &d, &s, &f};
    cudaLaunchKernel((const void *)mixed, dim3(1, 1, 1), dim3(2, 2, 1), args, 0, nullptr);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("mixed: %d %d %d %d\n", h[0], h[1], h[2], h[3]);
    kernel k = table[0].run;
    k<<<1, 2>>>(d, 1000);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("by <<<>>>: %d %d %d %d\n", h[0], h[1], h[2], h[3]);
    cudaFree(d);
}
