// Clusters of blocks, launched by cudaLaunchKernelEx: shared memory of the whole cluster, read, written and added to.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>

namespace cg = cooperative_groups;
enum { BINS = 64, THREADS = 128, N = 1 << 14 };

#define CHECK(call) \
    do { \
        cudaError_t e = (call); \
        if (e != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorString(e)), exit(1); \
    } while (0)

// A histogram whose bins are spread over the blocks of a cluster: block r has bins r * part ...
__global__ void histogram(const unsigned char *in, int *out, int n)
{
    extern __shared__ int bins[];
    cg::cluster_group cluster = cg::this_cluster();
    int part = BINS / cluster.num_blocks();
    for (int i = threadIdx.x; i < part; i += THREADS) bins[i] = 0;
    cluster.sync();
    for (int i = cluster.thread_rank() + blockIdx.x / cluster.num_blocks() * cluster.num_threads(); i < n;
         i += gridDim.x * THREADS) {
        int bin = in[i] % BINS;
        atomicAdd(cluster.map_shared_rank(bins, bin / part) + bin % part, 1);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < part; i += THREADS)
        atomicAdd(&out[cluster.block_rank() * part + i], bins[i]);
}

// Each block of a row of blocks hands its column sums to its right neighbour.
__global__ void shift(const int *in, int *out, int wide)
{
    __shared__ int own[THREADS], got[THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    int t = threadIdx.x, at = blockIdx.y * wide + blockIdx.x * THREADS + t;
    dim3 size = cluster.dim_blocks(), place = cluster.block_index();
    own[t] = in[at];
    cluster.sync();
    int right = place.y * size.x + (place.x + 1) % size.x;
    *cluster.map_shared_rank(&got[t], right) = own[t] * 10 + (int)cluster.block_rank();
    cluster.sync();
    out[at] = got[t];
}

static cudaLaunchConfig_t config(dim3 grid, size_t shared, cudaLaunchAttribute *a, dim3 cluster)
{
    cudaLaunchConfig_t c = {};
    c.gridDim = grid;
    c.blockDim = dim3(THREADS);
    c.dynamicSmemBytes = shared;
    a->id = cudaLaunchAttributeClusterDimension;
    a->val.clusterDim.x = cluster.x;
    a->val.clusterDim.y = cluster.y;
    a->val.clusterDim.z = cluster.z;
    c.attrs = a;
    c.numAttrs = 1;
    return c;
}

int main()
{
    static unsigned char bytes[N];
    int host[4 * 8 * THREADS], *out, *numbers;
    unsigned char *in;
    cudaLaunchAttribute a;
    for (int i = 0; i < N; i++) bytes[i] = (unsigned char)(i * 37 + i / 100);
    CHECK(cudaMalloc(&in, N));
    CHECK(cudaMalloc(&out, sizeof host));
    CHECK(cudaMalloc(&numbers, sizeof host));
    CHECK(cudaMemcpy(in, bytes, N, cudaMemcpyHostToDevice));
    for (int size = 1; size <= 8; size *= 2) {
        CHECK(cudaMemset(out, 0, BINS * sizeof(int)));
        cudaLaunchConfig_t c = config(dim3(16), BINS / size * sizeof(int), &a, dim3(size));
        CHECK(cudaLaunchKernelEx(&c, histogram, in, out, (int)N));
        CHECK(cudaMemcpy(host, out, BINS * sizeof(int), cudaMemcpyDeviceToHost));
        int sum = 0;
        for (int i = 0; i < BINS; i++) sum += host[i] * (i + 1);
        printf("clusters of %d: %d %d %d, sum %d\n", size, host[0], host[31], host[63], sum);
    }
    for (int i = 0; i < 4 * 8 * THREADS; i++) host[i] = i;
    CHECK(cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice));
    cudaLaunchConfig_t c = config(dim3(8, 4), 0, &a, dim3(4, 2));
    CHECK(cudaLaunchKernelEx(&c, shift, (const int *)numbers, out, 8 * THREADS));
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++) printf("%d%c", host[i * THREADS + i], i % 8 == 7 ? '\n' : ' ');
    cudaLaunchConfig_t odd = config(dim3(15), 0, &a, dim3(4));
    odd.numAttrs = 1;
    printf("15 blocks in clusters of 4: %s\n",
        cudaLaunchKernelEx(&odd, shift, (const int *)numbers, out, 8) == cudaSuccess ? "taken" : "refused");
    return 0;
}
