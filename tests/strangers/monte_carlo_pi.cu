// run: pi 4 128 buf:u64:1:zero i32:16 u64:42
// A generator of one's own, as those write who do without cuRAND.
#include <cstdint>
#include <cstdio>

__device__ __forceinline__ uint32_t pcg(uint64_t &state)
{
    uint64_t old = state;
    state = old * 6364136223846793005ULL + 1442695040888963407ULL;
    uint32_t x = (uint32_t)(((old >> 18u) ^ old) >> 27u), rot = old >> 59u;
    return (x >> rot) | (x << ((-rot) & 31));
}

__device__ float uniform(uint64_t &state) { return pcg(state) * 2.3283064365386963e-10f; }

__global__ void pi(unsigned long long *hits, int trials, uint64_t seed)
{
    uint64_t state = seed + blockIdx.x * blockDim.x + threadIdx.x;
    int mine = 0;
    for (int i = 0; i < trials; i++) {
        float x = uniform(state), y = uniform(state);
        mine += hypotf(x, y) <= 1.0f;
    }
    unsigned active = __activemask();
    for (int o = 16; o; o >>= 1)
        mine += __shfl_down_sync(active, mine, o);
    if (threadIdx.x % warpSize == 0)
        atomicAdd(hits, (unsigned long long)mine);
}

int main()
{
    unsigned long long *hits;
    cudaMallocManaged(&hits, sizeof *hits);
    *hits = 0;
    pi<<<64, 128>>>(hits, 1000, 42);
    cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess)
        return printf("%s\n", cudaGetErrorString(status)), 1;
    printf("pi is about %f\n", 4.0 * *hits / (64 * 128 * 1000.0));
    cudaFree(hits);
}
