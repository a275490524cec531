// k-means on points with whole coordinates, until no point changes its cluster.
#include <climits>
#include <cstdio>
#include <vector>

const int K = 4;
__constant__ int2 centres[K];

__global__ void assign(const int2 *points, int *cluster, int n, int *sums, int *moved)
{
    __shared__ int own[3 * K];
    if (threadIdx.x < 3 * K) own[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int2 p = points[i];
        int best = 0, least = INT_MAX;
        for (int k = 0; k < K; k++) {
            int dx = p.x - centres[k].x, dy = p.y - centres[k].y, d = dx * dx + dy * dy;
            if (d < least) least = d, best = k;
        }
        if (cluster[i] != best) atomicAdd(moved, 1);
        cluster[i] = best;
        atomicAdd(&own[3 * best], p.x), atomicAdd(&own[3 * best + 1], p.y), atomicAdd(&own[3 * best + 2], 1);
    }
    __syncthreads();
    if (threadIdx.x < 3 * K) atomicAdd(&sums[threadIdx.x], own[threadIdx.x]);
}

int main()
{
    const int n = 3000;
    std::vector<int2> h(n);
    unsigned seed = 5;
    auto random = [&](int below) { return seed = seed * 1664525u + 1013904223u, (int)((seed >> 16) % below); };
    for (int i = 0; i < n; i++) {
        h[i].x = 500 * (i % 2) + random(400);
        h[i].y = 700 * (i / 2 % 2) + random(300);
    }
    int2 *points, c[K] = {h[0], h[1], h[2], h[3]};
    int *cluster, *sums, *moved, s[3 * K], m = 1, rounds = 0;
    cudaMalloc(&points, n * sizeof(int2));
    cudaMalloc(&cluster, n * sizeof(int));
    cudaMalloc(&sums, sizeof s);
    cudaMalloc(&moved, sizeof m);
    cudaMemcpy(points, h.data(), n * sizeof(int2), cudaMemcpyHostToDevice);
    cudaMemset(cluster, 0xff, n * sizeof(int));
    for (; m && rounds < 50; rounds++) {
        cudaMemcpyToSymbol(centres, c, sizeof c);
        cudaMemset(sums, 0, sizeof s);
        cudaMemset(moved, 0, sizeof m);
        assign<<<(n + 127) / 128, 128>>>(points, cluster, n, sums, moved);
        cudaMemcpy(s, sums, sizeof s, cudaMemcpyDeviceToHost);
        cudaMemcpy(&m, moved, sizeof m, cudaMemcpyDeviceToHost);
        for (int k = 0; k < K; k++)
            if (s[3 * k + 2]) c[k] = make_int2(s[3 * k] / s[3 * k + 2], s[3 * k + 1] / s[3 * k + 2]);
    }
    printf("%d rounds\n", rounds);
    for (int k = 0; k < K; k++) printf("(%d, %d): %d points\n", c[k].x, c[k].y, s[3 * k + 2]);
    cudaFree(points), cudaFree(cluster), cudaFree(sums), cudaFree(moved);
}
