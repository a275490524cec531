// Integer and bit intrinsics.
#include <cstdio>

__global__ void bits(unsigned x, unsigned long long y, int s)
{
    printf("popc %d %d clz %d %d ffs %d %d\n", __popc(x), __popcll(y), __clz(x), __clzll(y), __ffs(x), __ffsll(y));
    printf("of zero: %d %d %d\n", __clz(0), __ffs(0), __clzll(0));
    printf("brev %x %llx\n", __brev(x), __brevll(y));
    printf("perm %x %x\n", __byte_perm(x, 0xaabbccdd, 0x0246), __byte_perm(x, 0, 0x0123));
    printf("funnel %x %x\n", __funnelshift_l(x, 0xff, 8), __funnelshift_r(x, 0xff, 8));
    printf("mulhi %d %u %lld %llu\n", __mulhi(s, 1 << 30), __umulhi(x, 1u << 31), __mul64hi(-5, 1LL << 62), __umul64hi(y, y));
    printf("mul24 %d %u\n", __mul24(s, 1000), __umul24(x & 0xffffff, 3));
    printf("sad %u %u hadd %d %d\n", __sad(s, 7, 100u), __usad(3, 10, 5), __hadd(-3, 6), __rhadd(-3, 6));
    printf("min %d max %d abs %d\n", min(s, 3), max(s, -100), abs(s));
    printf("as %x %g %llx %g\n", __float_as_uint(1.5f), __int_as_float(0x40490fdb), (unsigned long long)__double_as_longlong(-2.0),
        __hiloint2double(0x3ff80000, 0));
    printf("shifts %d %u %lld\n", s >> 2, x >> 28, (long long)s << 33);
    printf("division %d %d %u\n", s / 7, s % 7, x % 1000);
}

int main()
{
    bits<<<1, 1>>>(0x12345678, 0x00f0000000000010ull, -1000);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
