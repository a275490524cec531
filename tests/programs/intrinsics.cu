// Intrinsics and functions that few kernels call.
#include <stdio.h>

__constant__ int table[2] = {5, 6};
__device__ int kept = 7;

__global__ void addresses()
{
    __shared__ int s[32];
    int local = 3;
    s[threadIdx.x] = 2 * (int)threadIdx.x;
    __barrier_sync(0);
    unsigned at = (unsigned)__cvta_generic_to_shared(&s[9]);
    int loaded;
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(loaded) : "r"(at));
    int *same = (int *)__cvta_shared_to_generic(at), *other = (int *)__cvta_global_to_generic(__cvta_generic_to_global(&kept));
    local += loaded;
    int *mine = (int *)__cvta_local_to_generic(__cvta_generic_to_local(&local));
    const int *fixed = (const int *)__cvta_constant_to_generic(__cvta_generic_to_constant(&table[1]));
    if (threadIdx.x) return;
    printf("%d %d %d %d %d\n", loaded, *same, *other, *mine, *fixed);
    printf("%d%d%d %d%d%d %d%d%d\n", __isShared(s), __isGlobal(s), __isLocal(s), __isShared(&kept), __isGlobal(&kept),
        __isLocal(&kept), __isShared(&local), __isGlobal(&local), __isLocal(&local));
}

__global__ void numbers(const char4 *c, const ushort2 *u, int *all)
{
    int same, other;
    unsigned lanes = __match_all_sync(0xffffffff, 3.5, &same), none = __match_all_sync(0xffffffff, (long long)threadIdx.x, &other);
    if (threadIdx.x) return;
    printf("%x %d %x %d\n", lanes, same, none, other);
    printf("%d %d %d %u\n", __dp4a(*c, *c, 1), __dp2a_lo(make_short2(-2, 3), *c, 10), __dp2a_hi(0x0002fffd, 0x04050607, 1),
        __dp2a_lo(*u, make_uchar4(1, 2, 3, 4), 5u));
    printf("%d %u\n", __ldg(c).z, __ldg(u).y);
    int q;
    double x = 3, r = remquo(29.0, -3.0, &q), v[] = {1, 2, 3, 4, 5};
    printf("%g %d %a %a %g\n", r, q, nextafter(1.0, 2.0), nextafterf(1.0f, 0.0f), scalbln(3.0, -2L));
    printf("%.5f %.5f %.5f %.5f\n", norm(5, v), rnorm(5, v), norm4df(1, 2, 3, 4), rnorm3d(1.0, 2.0, 2.0));
    printf("%.5f %.5f %.5f %.5f %.5f %.5f\n", j0(2.5), j1f(2.5f), jn(3, 30.0), y0(2.5), y1(30.0), ynf(3, 2.5f));
    printf("%g %g %.5f\n", __fmaf_ieee_rn(2, 3, 4), fdivide(x, 4.0), cyl_bessel_i0(x));
    *all = 1;
}

int main()
{
    char4 *c;
    ushort2 *u;
    int *all;
    cudaMallocManaged(&c, sizeof *c);
    cudaMallocManaged(&u, sizeof *u);
    cudaMallocManaged(&all, sizeof *all);
    *c = make_char4(1, -2, 3, -4);
    *u = make_ushort2(1000, 60000);
    addresses<<<1, 32>>>();
    numbers<<<1, 32>>>(c, u, all);
    return cudaDeviceSynchronize() != cudaSuccess || *all != 1;
}
