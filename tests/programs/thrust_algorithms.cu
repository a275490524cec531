// Thrust's vectors and algorithms, with functors, lambdas and iterators.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

struct square {
    __host__ __device__ long operator()(int x) const { return (long)x * x; }
};
struct axpy {
    float a;
    __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};

__global__ void times(int *p, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= by;
}

int main()
{
    const int n = 5000;
    thrust::host_vector<int> h(n);
    for (int i = 0; i < n; i++) h[i] = (int)((i * 7919L) % 4999);
    thrust::device_vector<int> d = h;
    std::printf("sum %d\n", thrust::reduce(d.begin(), d.end()));
    std::printf("squares %ld\n", thrust::transform_reduce(d.begin(), d.end(), square(), 0L, thrust::plus<long>()));
    thrust::device_vector<int> sums(n);
    thrust::exclusive_scan(thrust::counting_iterator<int>(1), thrust::counting_iterator<int>(n + 1), sums.begin());
    std::printf("sum of 1 to %d is %d\n", n - 1, (int)sums[n - 1]);
    times<<<(n + 255) / 256, 256>>>(thrust::raw_pointer_cast(sums.data()), n, 2);
    std::printf("twice that is %d\n", (int)sums[n - 1]);

    thrust::device_vector<float> x(n, 0.5f), y(n);
    thrust::sequence(y.begin(), y.end());
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), axpy{4});
    std::printf("%g, greatest %g\n", (float)y[2],
        (float)*thrust::max_element(y.begin(), y.end()));
}
