// Pi by random points: a generator of the program's own, a stream of numbers for each thread.
#include <cstdio>

__device__ unsigned next(unsigned &state)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

__global__ void throw_darts(int each, unsigned long long *hits)
{
    unsigned state = 2463534242u + 977u * (blockIdx.x * blockDim.x + threadIdx.x), inside = 0;
    for (int i = 0; i < 4; i++) next(state);
    for (int i = 0; i < each; i++) {
        unsigned long long x = next(state) >> 4, y = next(state) >> 4;
        inside += x * x + y * y < 1ull << 56;
    }
    for (int offset = 16; offset; offset /= 2) inside += __shfl_down_sync(0xffffffff, inside, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(hits, (unsigned long long)inside);
}

int main()
{
    const int blocks = 20, threads = 128, each = 50;
    unsigned long long h = 0, *d;
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    throw_darts<<<blocks, threads>>>(each, d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%llu of %d: %.4f\n", h, blocks * threads * each, 4.0 * h / (blocks * threads * each));
    cudaFree(d);
}
