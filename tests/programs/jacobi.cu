// Heat in a plate by Jacobi's method until it hardly changes; the largest change is found with an atomic.
#include <cstdio>
#include <utility>
#include <vector>

const int N = 34;

// The sum is in one order and the factor is a power of two: every GPU gets the same bits.
__global__ void jacobi(const float *in, float *out, unsigned *change)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= N - 1 || y >= N - 1) return;
    float v = 0.25f * (in[y * N + x - 1] + in[y * N + x + 1] + in[(y - 1) * N + x] + in[(y + 1) * N + x]);
    out[y * N + x] = v;
    atomicMax(change, __float_as_uint(fabsf(v - in[y * N + x]))); // positive floats sort as their bits
}

int main()
{
    std::vector<float> h(N * N, 0.f);
    for (int i = 0; i < N; i++) h[i] = 100;
    float *a, *b, change = 1;
    unsigned *bits;
    cudaMalloc(&a, N * N * sizeof(float));
    cudaMalloc(&b, N * N * sizeof(float));
    cudaMalloc(&bits, sizeof(unsigned));
    cudaMemcpy(a, h.data(), N * N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(b, h.data(), N * N * sizeof(float), cudaMemcpyHostToDevice);
    int rounds = 0;
    for (; change > 0.1f; rounds++) {
        cudaMemset(bits, 0, sizeof(unsigned));
        jacobi<<<dim3(3, 5), dim3(16, 8)>>>(a, b, bits);
        cudaMemcpy(&change, bits, sizeof change, cudaMemcpyDeviceToHost);
        std::swap(a, b);
    }
    cudaMemcpy(h.data(), a, N * N * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%d rounds, change %.6f, near the hot side %.5f, in the middle %.5f\n", rounds, change, h[N + N / 2],
        h[N / 2 * N + N / 2]);
    cudaFree(a), cudaFree(b), cudaFree(bits);
}
