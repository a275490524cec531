// Every atomic operation, by 256 threads on one word each; and what they are made of, compare and swap.
#include <cstdio>

struct Results {
    int add, sub, least, most, all, any, parity, ring, back;
    unsigned uleast, umost;
    unsigned long long add64, most64, cas64;
    float addf, mostf;
    double addd, product;
    int exchanged[2];
};

// A maximum of floats and a product of doubles: there is no instruction for either.
__device__ void max_float(float *p, float v)
{
    int *word = (int *)p, old = *word, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, __float_as_int(fmaxf(v, __int_as_float(seen))));
    } while (old != seen);
}
__device__ void times_double(double *p, double v)
{
    unsigned long long *word = (unsigned long long *)p, old = *word, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, (unsigned long long)__double_as_longlong(v * __longlong_as_double((long long)seen)));
    } while (old != seen);
}

__global__ void all(Results *r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&r->add, i), atomicSub(&r->sub, 2);
    atomicMin(&r->least, 100 - i), atomicMax(&r->most, i * i % 251);
    atomicMin(&r->uleast, 4000000000u - i), atomicMax(&r->umost, 4000000000u + i);
    atomicAnd(&r->all, ~(1 << i % 8)), atomicOr(&r->any, 1 << i % 10), atomicXor(&r->parity, i);
    atomicInc((unsigned *)&r->ring, 99), atomicDec((unsigned *)&r->back, 10);
    atomicAdd(&r->add64, 1ull << 32), atomicMax(&r->most64, (unsigned long long)i << 40);
    atomicCAS(&r->cas64, 0ull, 77ull);
    atomicAdd(&r->addf, 0.5f), atomicAdd(&r->addd, 0.25);
    max_float(&r->mostf, (i * 37) % 256 / 8.f);
    if (i % 16 == 0) times_double(&r->product, 2);
    if (atomicExch(&r->exchanged[0], 1) == 0) atomicAdd(&r->exchanged[1], 1);
}

int main()
{
    Results h = {}, *d;
    h.least = 50, h.uleast = ~0u, h.all = -1, h.mostf = -1, h.product = 1;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
    all<<<4, 64>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("add %d sub %d min %d max %d\n", h.add, h.sub, h.least, h.most);
    printf("unsigned min %u max %u\n", h.uleast, h.umost);
    printf("and %x or %x xor %x inc %d dec %d\n", h.all, h.any, h.parity, h.ring, h.back);
    printf("64 bits: %llu %llu %llu\n", h.add64, h.most64, h.cas64);
    printf("float %g %g, double %g %g\n", h.addf, h.mostf, h.addd, h.product);
    printf("exchange: %d, first %d\n", h.exchanged[0], h.exchanged[1]);
    cudaFree(d);
}
