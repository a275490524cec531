// What CUDA's headers bring to the host without an include: C's mathematical functions for every type of
// number, and CUDA's own. The same functions in a kernel print the same.
#include <stdio.h>

static __host__ __device__ void print(int i, float x)
{
    double s, c;
    sincospi((double)x / 4, &s, &c);
    printf("%d: %g %g | %d %d %d %d | %.5f %.5f %.5f %.5f | %.5f %.5f %.5f | %.5f %.5f\n", i,
        abs(x), max(x, 2.5f), (int)isnan(x), (int)isinf(x / 0.0f), (int)isfinite(x), signbit(x) != 0,
        rsqrt(x * x), rcbrtf(x), normcdf(x), normcdfinv(0.1 * abs(x)), erfinv(0.25 * x), erfcinvf(0.25f * abs(x)),
        erfcx((double)x), s, c);
}

__global__ void by_a_kernel()
{
    for (int i = 0; i < 4; i++) print(i, i == 3 ? 3.5f : 1.25f - 1.5f * i);
}

int main()
{
    for (int i = 0; i < 4; i++) print(i, i == 3 ? 3.5f : 1.25f - 1.5f * i);
    fflush(stdout);
    by_a_kernel<<<1, 1>>>();
    return cudaDeviceSynchronize() != cudaSuccess;
}
