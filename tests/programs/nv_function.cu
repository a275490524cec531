// nvstd::function in kernels and on the host: lambdas that capture, functions, copies, and one of another
// signature's function.
#include <nvfunctional>
#include <stdio.h>

__host__ __device__ int twice(int x) { return 2 * x; }

static __device__ nvstd::function<int(int)> then(nvstd::function<int(int)> f, nvstd::function<int(int)> g)
{
    return [=](int x) { return g(f(x)); };
}

__global__ void apply(int n)
{
    nvstd::function<int(int)> add = [=](int x) { return x + n; }, none, copy = add;
    nvstd::function<float(const float &, int)> mixed = [](float x, int y) { return x * y; };
    none = nullptr;
    printf("%d %d %d %d %g\n", add(3), copy(4), (bool)none, none == nullptr, mixed(1.5f, 4));
    copy = twice;
    copy.swap(none);
    printf("%d %d %d\n", none(21), (bool)copy, then(add, twice)(1));
}

int main()
{
    apply<<<1, 1>>>(4);
    int status = cudaDeviceSynchronize();
    nvstd::function<int(int)> f = twice, g = f;
    printf("%d %d\n", g(5), f != nullptr);
    return status;
}
