// Kernels that print, and one whose assertion fails, for test_profile.c.
#include <assert.h>
#include <stdio.h>

__global__ void conversions(const char *text, double d)
{
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        printf("%d %5d|%-5d|%05d|%+d %i\n", -1, 42, 42, 42, 42, 7);
        printf("%u %x %X %o %#x %hhd %hu\n", 4000000000u, 255, 255, 8, 255, 300, 70000);
        printf("%ld %llu %zu %p\n", -5000000000L, 18000000000000000000ull, sizeof(int), (void *)0x1234);
        printf("%f %.2f %8.3e %g %G\n", d, d, d, d, 1e-10);
        printf("[%s] [%8s] [%-8s] [%.2s] %c%c\n", "abc", "abc", "abc", "abc", 'x', 'y');
        printf("%*d|%-*d|%.*f\n", 6, 42, 6, 42, 3, d);
        printf("100%% %y %");
        printf("\n%s%s\n", "", text);
    }
}

__global__ void threads() { printf("%d.%d ", blockIdx.x, threadIdx.x); }

__global__ void flood() { printf("block %05d thread %04d prints a line of some length\n", blockIdx.x, threadIdx.x); }

__global__ void quiet()
{
    if (threadIdx.x > 1000) printf("never\n");
}

__global__ void asserts(int n)
{
    if (blockIdx.x == 1)
        assert(threadIdx.x + 1 < n && "too many threads");
}

__global__ void takes(void **p) { asm volatile("griddepcontrol.wait;"); p[threadIdx.x] = p; }

__global__ void lost() { printf("%s\n", (const char *)8); }
