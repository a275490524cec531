// A bitonic sort: small strides in shared memory, large ones a launch each.
#include <cstdio>
#include <vector>

const int BLOCK = 256;

__global__ void step_global(unsigned *v, int j, int k)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
    if (other <= i) return;
    bool up = (i & k) == 0;
    if ((v[i] > v[other]) == up) {
        unsigned t = v[i];
        v[i] = v[other], v[other] = t;
    }
}

__global__ void steps_shared(unsigned *v, int j, int k)
{
    __shared__ unsigned s[BLOCK];
    unsigned i = blockIdx.x * BLOCK + threadIdx.x, t = threadIdx.x;
    s[t] = v[i];
    for (; j > 0; j /= 2) {
        __syncthreads();
        unsigned other = t ^ j;
        if (other > t && (s[t] > s[other]) == ((i & k) == 0)) {
            unsigned x = s[t];
            s[t] = s[other], s[other] = x;
        }
    }
    __syncthreads();
    v[i] = s[t];
}

int main()
{
    const int n = 4096;
    std::vector<unsigned> h(n);
    unsigned *d, seed = 7, check = 0;
    for (unsigned &v : h) seed = seed * 1103515245 + 12345, v = seed >> 4, check ^= v;
    cudaMalloc(&d, n * sizeof(unsigned));
    cudaMemcpy(d, h.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    int launches = 0;
    for (int k = 2; k <= n; k *= 2) {
        int j = k / 2;
        for (; j >= BLOCK; j /= 2, launches++) step_global<<<n / BLOCK, BLOCK>>>(d, j, k);
        steps_shared<<<n / BLOCK, BLOCK>>>(d, j, k), launches++;
    }
    cudaMemcpy(h.data(), d, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        check ^= h[i];
        if (i) wrong += h[i - 1] > h[i];
    }
    printf("%d launches, %u ... %u, %d out of order, %u lost\n", launches, h[0], h[n - 1], wrong, check);
    cudaFree(d);
}
