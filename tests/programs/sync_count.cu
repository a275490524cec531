// Barriers that count and vote over a block.
#include <cstdio>

__global__ void vote(const int *in, int *out)
{
    int v = in[threadIdx.x];
    int odd = __syncthreads_count(v & 1);
    int all = __syncthreads_and(v < 100);
    int any = __syncthreads_or(v == 77);
    if (threadIdx.x == 0) out[0] = odd, out[1] = all, out[2] = any;
    int last = __syncthreads_count(threadIdx.x < 40);
    if (threadIdx.x == 69) out[3] = last;
}

int main()
{
    const int n = 70;
    int h[n], r[4], *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof r);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < n; i++) h[i] = round ? 3 * i : i;
        cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
        vote<<<1, n>>>(in, out);
        cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
        printf("%d odd, all below 100: %d, any is 77: %d, %d\n", r[0], r[1] != 0, r[2] != 0, r[3]);
    }
    cudaFree(in);
    cudaFree(out);
}
