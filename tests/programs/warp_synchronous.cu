// Code that knows its warp: a volatile reduction with __syncwarp, a scan by shuffles, segments, a butterfly.
#include <cstdio>

__global__ void sums(const int *in, int *out)
{
    __shared__ volatile int s[64];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    volatile int *own = s + 32 * warp;
    own[lane] = in[threadIdx.x];
    __syncwarp();
    for (int offset = 16; offset > 0; offset >>= 1) {
        int v = lane < offset ? own[lane + offset] : 0;
        __syncwarp();
        if (lane < offset) own[lane] = own[lane] + v;
        __syncwarp();
    }
    if (lane == 0) out[warp] = own[0];
}

__global__ void shuffles(const int *in, int *scan, int *segments, int *butterfly, int *broadcast)
{
    int lane = threadIdx.x, v = in[lane], sum = v;
    for (int d = 1; d < 32; d *= 2) {
        int left = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d) sum += left;
    }
    scan[lane] = sum;
    int part = v;
    for (int d = 4; d > 0; d /= 2) part += __shfl_down_sync(0xffffffff, part, d, 8);
    segments[lane] = __shfl_sync(0xffffffff, part, 0, 8);
    int most = v;
    for (int mask = 1; mask < 32; mask *= 2) most = max(most, __shfl_xor_sync(0xffffffff, most, mask));
    butterfly[lane] = most;
    broadcast[lane] = __shfl_sync(0xffffffff, v, (lane * 5) % 32);
}

int main()
{
    int h[160], *d;
    for (int i = 0; i < 64; i++) h[i] = (i * 29) % 31;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, 64 * sizeof(int), cudaMemcpyHostToDevice);
    sums<<<1, 64>>>(d, d + 64);
    cudaMemcpy(h + 64, d + 64, 2 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("sums %d %d\n", h[64], h[65]);
    shuffles<<<1, 32>>>(d, d + 32, d + 64, d + 96, d + 128);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int row = 0; row < 5; row++) {
        for (int i = 0; i < 32; i += 3) printf("%d ", h[32 * row + i]);
        printf("\n");
    }
    cudaFree(d);
}
