// 64-bit integers: Collatz sequences, products modulo a prime, division, shifts, mixed signs.
#include <cstdio>

typedef unsigned long long u64;

__global__ void collatz(int n, u64 *longest)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i > n) return;
    long long v = i;
    unsigned steps = 0;
    for (; v != 1; steps++) v = v & 1 ? 3 * v + 1 : v / 2;
    atomicMax(longest, (u64)steps << 32 | i);
}

__device__ u64 power(u64 base, u64 exponent, u64 m)
{
    u64 r = 1;
    for (base %= m; exponent; exponent >>= 1, base = base * base % m)
        if (exponent & 1) r = r * base % m;
    return r;
}

__global__ void arithmetic(long long a, u64 b, u64 *out)
{
    const u64 p = 4294967291ull; // the largest prime below 2^32
    out[0] = power(3, p - 1, p);
    out[1] = power(b, 12345678901ull, p);
    out[2] = (u64)(a / 7), out[3] = (u64)(a % 7), out[4] = b / 1000000007, out[5] = b % 1000000007;
    out[6] = (u64)(a >> 5), out[7] = b >> 5, out[8] = b << 60, out[9] = (u64)(a < (long long)b), out[10] = (u64)a < b;
}

int main()
{
    u64 *d, h[11] = {};
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    collatz<<<40, 256>>>(10000, d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d takes %d steps\n", (int)(h[0] & 0xffffffff), (int)(h[0] >> 32));
    arithmetic<<<1, 1>>>(-1234567890123456789LL, 9876543210987654321ull, d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (u64 v : h) printf("%lld\n", (long long)v);
    cudaFree(d);
}
