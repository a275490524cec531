// The game of life on a torus, two buffers in turn: a glider and a blinker.
#include <cstdio>
#include <utility>

const int N = 16;

__global__ void step(const unsigned char *in, unsigned char *out)
{
    int x = threadIdx.x, y = threadIdx.y, around = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy) around += in[(y + dy + N) % N * N + (x + dx + N) % N];
    out[y * N + x] = around == 3 || (around == 2 && in[y * N + x]);
}

int main()
{
    unsigned char h[N * N] = {}, *a, *b;
    const int live[][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}, {10, 11}, {11, 11}, {12, 11}};
    for (auto &p : live) h[p[1] * N + p[0]] = 1;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    for (int generation = 0; generation < 21; generation++) {
        step<<<1, dim3(N, N)>>>(a, b);
        std::swap(a, b);
    }
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    for (int y = 0; y < N; y++) {
        for (int x = 0; x < N; x++) putchar(h[y * N + x] ? 'o' : '.');
        putchar('\n');
    }
    cudaFree(a);
    cudaFree(b);
}
