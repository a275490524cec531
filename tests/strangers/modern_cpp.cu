// run: zip 2 64 buf:f32:128:iota buf:f32:128:fill=2 buf:f32:128:none i32:128
// run: dispatch<true,double> 2 64 buf:f64:128:iota i32:128
// run: rows 1 8 buf:u64:1:zero buf:f32:8:none i32:8
// Later C++: variadic templates, if constexpr, structured bindings, arrays by value, pairs, lambdas, default arguments.
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

template <typename T> __host__ __device__ constexpr T sum_of(T v) { return v; }
template <typename T, typename... Rest> __host__ __device__ constexpr T sum_of(T v, Rest... rest) { return v + sum_of<T>(rest...); }

template <typename T, int N> struct Array {
    T v[N];
    __host__ __device__ constexpr T &operator[](int i) { return v[i]; }
    __host__ __device__ constexpr const T &operator[](int i) const { return v[i]; }
    __host__ __device__ constexpr int size() const { return N; }
};

struct Shape {
    __device__ explicit Shape(float w) : width(w) {}
    __device__ float area() const { return width * width; }
protected:
    float width;
};
struct Box : Shape {
    __device__ Box(float w, float h) : Shape(w), height(h) {}
    __device__ float volume() const { return area() * height; }
private:
    float height;
};

extern "C" __global__ void zip(const float *a, const float *b, float *c, int n)
{
    auto index = [](auto block, auto size, auto thread) { return block * size + thread; };
    if (const int i = index(blockIdx.x, blockDim.x, threadIdx.x); i < n) {
        Array<float, 4> t{{a[i], b[i], 1.0f, 2.0f}};
        float total = 0;
        for (const auto &x : t.v) total += x;
        auto [low, high] = std::pair<float, float>{std::min(a[i], b[i]), std::max(a[i], b[i])};
        c[i] = sum_of(total, low, high) + Box(low, high).volume() + std::numeric_limits<float>::epsilon() +
               std::sqrt(high) + std::abs(-low) + std::pow(high, 2.0f) + std::floor(low) + t.size();
    }
}

template <bool squared, typename T = double> __global__ void dispatch(T *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if constexpr (squared)
        x[i] = x[i] * x[i];
    else
        x[i] = std::exp(x[i]);
    if constexpr (std::is_same_v<T, double>)
        x[i] += 0.5;
}

__global__ void rows(float **lines, float *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = lines[0] == nullptr ? -1.0f : lines[0][threadIdx.x];
}

int main()
{
    double *x;
    std::array<int, 3> sizes{64, 128, 256};
    cudaMalloc(&x, 128 * sizeof(double));
    for (auto s : sizes)
        dispatch<true><<<2, s>>>(x, 128);
    dispatch<false, double><<<2, 64>>>(x, 128);
    auto [code, text] = std::make_tuple(cudaGetLastError(), "done");
    return code == cudaSuccess && text ? 0 : 1;
}
