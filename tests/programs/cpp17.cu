// C++17 in kernels: if constexpr, folds, structured bindings, constexpr tables.
#include <cstdio>
#include <type_traits>

template <class T> struct Pair {
    T first, second;
};

__host__ __device__ constexpr int triangle(int n) { return n * (n + 1) / 2; }

struct Table {
    int value[8];
};
__host__ __device__ constexpr Table squares()
{
    Table t{};
    for (int i = 0; i < 8; i++) t.value[i] = i * i;
    return t;
}

template <class... T> __device__ auto sum(T... v) { return (v + ... + 0); }
template <class... T> __device__ bool all_positive(T... v) { return ((v > 0) && ...); }

template <class T> __device__ auto half_of(T v)
{
    if constexpr (std::is_integral_v<T>) return v >> 1;
    else return v * T(0.5);
}

template <auto N> __global__ void show()
{
    constexpr Table t = squares();
    auto [a, b] = Pair<int>{t.value[3], t.value[N]};
    printf("%d %d, sum %d, positive %d %d\n", a, b, sum(1, 2, 3, a), all_positive(1, 2), all_positive(1, -2));
    printf("half %d %g, triangle %d\n", half_of(9), half_of(9.0), std::integral_constant<int, triangle(N)>::value);
    if (int v = a * b; v > 100) printf("large %d\n", v);
    else printf("small %d\n", v);
    auto fold = [=](auto... v) { return (v * ...); };
    printf("%d %g\n", fold(2, 3, 4), fold(0.5, 3.0));
    static_assert(sizeof(Pair<char>) == 2, "two bytes");
    int binary = 0b1010'1010;
    printf("%d\n", binary);
}

int main()
{
    show<2><<<1, 1>>>();
    show<7><<<1, 1>>>();
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
