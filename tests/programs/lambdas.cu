// Functors as arguments of kernels, lambdas inside them, variadic templates.
#include <cstdio>

template <class F> __global__ void for_each(int n, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f(i);
}

struct Saxpy {
    float a;
    const float *x;
    float *y;
    __device__ void operator()(int i) const { y[i] += a * x[i]; }
};

template <class T, class... F> __device__ T compose(T v, F... f)
{
    ((v = f(v)), ...);
    return v;
}

__global__ void inside(float *y, int n)
{
    auto clamp = [n](int i) { return i < 0 ? 0 : i >= n ? n - 1 : i; };
    auto at = [=](int i) -> float & { return y[clamp(i)]; };
    float v = compose(at(threadIdx.x), [](float x) { return x + 1; }, [](float x) { return x * 2; });
    at(threadIdx.x) = v;
}

int main()
{
    float h[8], *x, *y;
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&y, sizeof h);
    for (int i = 0; i < 8; i++) h[i] = i;
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(y, h, sizeof h, cudaMemcpyHostToDevice);
    for_each<<<1, 32>>>(8, Saxpy{0.5f, x, y});
    inside<<<1, 8>>>(y, 8);
    cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
    for (float v : h) printf("%g ", v);
    printf("\n");
    cudaFree(x);
    cudaFree(y);
}
