// run: axpy<float> 8 128 i32:1024 f32:2 buf:f32:1024:iota buf:f32:1024:fill=1
// run: axpy<double> 8 128 i32:1024 f64:2 buf:f64:1024:iota buf:f64:1024:fill=1
#include <algorithm>
#include <chrono>
#include <iostream>
#include <vector>

// A grid-stride loop: any grid covers any n.
template <typename T>
__global__ void axpy(int n, T a, const T *__restrict__ x, T *__restrict__ y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}

template <typename T> void benchmark(int n)
{
    std::vector<T> x(n, T(1)), y(n, T(2));
    T *dx, *dy;
    cudaMalloc(&dx, n * sizeof(T));
    cudaMalloc(&dy, n * sizeof(T));
    cudaMemcpy(dx, x.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    auto begin = std::chrono::high_resolution_clock::now();
    axpy<T><<<8, 128>>>(n, T(2), dx, dy);
    cudaDeviceSynchronize();
    auto end = std::chrono::high_resolution_clock::now();
    cudaMemcpy(y.data(), dy, n * sizeof(T), cudaMemcpyDeviceToHost);
    T worst = 0;
    for (T v : y)
        worst = std::max(worst, std::abs(v - T(4)));
    std::cout << "error " << worst << " in " << std::chrono::duration<double>(end - begin).count() << " s\n";
    cudaFree(dx);
    cudaFree(dy);
}

int main()
{
    benchmark<float>(1 << 20);
    benchmark<double>(1 << 20);
}
