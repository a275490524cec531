// printf in a kernel: formats, and lines of several threads.
#include <cstdio>

__global__ void formats()
{
    printf("%d %u %x %X %o %c %s %%\n", -5, 4000000000u, 255, 255, 8, 'x', "text");
    printf("%ld %lld %llu %hd\n", -1234567890123L, -1234567890123LL, 18446744073709551615ULL, (short)-3);
    printf("[%5d] [%-5d] [%05d] [%+d] [%8.3f] [%-8.2f] [%s]\n", 42, 42, 42, 42, 3.14159, 2.5f, "s");
    printf("%f %e %g %g\n", 1.5, 12345.678, 1e-10, 100000.0f);
    printf("three: %d %d %d\n", 1, 2, 3);
}

// One lane after another, one block after another.
__global__ void who(int block)
{
    for (int lane = 0; lane < blockDim.x; lane++) {
        if (threadIdx.x == lane && blockIdx.x == block) printf("block %d thread %d\n", blockIdx.x, threadIdx.x);
        __syncwarp();
    }
}

// Part of a line, and only in the third launch.
__global__ void sometimes(int round)
{
    if (round < 2) return;
    for (int i = 0; i < 50; i++) printf("%d%c", i, i % 20 == 19 ? '\n' : ' ');
    printf("the end");
}

int main()
{
    formats<<<1, 1>>>();
    cudaDeviceSynchronize();
    for (int block = 0; block < 2; block++) who<<<2, 3>>>(block);
    for (int round = 0; round < 3; round++) sometimes<<<1, 1>>>(round);
    cudaDeviceSynchronize();
    printf(" of %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
