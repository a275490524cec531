// Templates: of types, of numbers, specialised, with an operation as a parameter.
#include <cstdio>

template <class T> struct Add {
    __device__ T operator()(T a, T b) const { return a + b; }
    static __device__ T start() { return T(0); }
};
template <class T> struct Max {
    __device__ T operator()(T a, T b) const { return a > b ? a : b; }
    static __device__ T start() { return T(-1000); }
};

template <class T, int N, template <class> class Op> __global__ void reduce(const T *in, T *out)
{
    __shared__ T part[N];
    Op<T> op;
    T v = Op<T>::start();
#pragma unroll
    for (int i = 0; i < 4; i++) v = op(v, in[i * N + threadIdx.x]);
    part[threadIdx.x] = v;
    __syncthreads();
    for (int half = N / 2; half; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] = op(part[threadIdx.x], part[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = part[0];
}

template <class T> __device__ const char *name() { return "another"; }
template <> __device__ const char *name<int>() { return "int"; }
template <> __device__ const char *name<double>() { return "double"; }
template <class T> __global__ void tell() { printf("%s of %d bytes\n", name<T>(), (int)sizeof(T)); }

template <class T, int N, template <class> class Op> T run()
{
    T h[4 * N], *in, *out, result;
    for (int i = 0; i < 4 * N; i++) h[i] = T(i % 19) / T(2);
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof(T));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    reduce<T, N, Op><<<1, N>>>(in, out);
    cudaMemcpy(&result, out, sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    return result;
}

int main()
{
    printf("%d %d\n", run<int, 32, Add>(), run<int, 64, Max>());
    printf("%g %g\n", run<float, 128, Add>(), run<double, 32, Max>());
    tell<int><<<1, 1>>>();
    tell<float><<<1, 1>>>();
    tell<double><<<1, 1>>>();
    cudaDeviceSynchronize();
}
