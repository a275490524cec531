// Cooperative launches: a barrier of all blocks, as many blocks as the GPU holds, and one too many.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

// Each thread smooths its elements, step after step; all blocks meet after each.
__global__ void smooth(float *a, float *b, int n, int steps)
{
    cg::grid_group grid = cg::this_grid();
    for (int k = 0; k < steps; k++) {
        for (int i = grid.thread_rank(); i < n; i += grid.size()) {
            float left = i ? a[i - 1] : a[i], right = i < n - 1 ? a[i + 1] : a[i];
            b[i] = 0.25f * left + 0.5f * a[i] + 0.25f * right;
        }
        grid.sync();
        float *t = a;
        a = b, b = t;
    }
}

__global__ void total(const float *a, double *parts, double *out, int n)
{
    extern __shared__ double sums[];
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    double sum = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size())
        sum += a[i];
    sums[block.thread_rank()] = sum;
    cg::sync(block);
    for (int half = block.size() / 2; half; half /= 2) {
        if (block.thread_rank() < half)
            sums[block.thread_rank()] += sums[block.thread_rank() + half];
        cg::sync(block);
    }
    if (block.thread_rank() == 0)
        parts[blockIdx.x] = sums[0];
    cg::sync(grid);
    if (grid.thread_rank() == 0) {
        for (int i = 0; i < gridDim.x; i++)
            *out += parts[i];
    }
}

int main()
{
    const int n = 10000, threads = 128;
    int device = 0, can = 0, a_multiprocessor = 0, steps = 10, count = n;
    cudaDeviceProp properties;
    cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, device);
    cudaGetDeviceProperties(&properties, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&a_multiprocessor, smooth, threads, 0);
    int most = a_multiprocessor * properties.multiProcessorCount;
    printf("cooperative launches: %d\n", can);

    float *a, *b, host[n];
    double *parts, *out, sum;
    for (int i = 0; i < n; i++)
        host[i] = i % 100 == 0 ? 100.f : 0.f;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    cudaMalloc(&parts, most * sizeof(double));
    cudaMalloc(&out, sizeof sum);
    cudaMemset(out, 0, sizeof sum);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);

    void *arguments[] = {&a, &b, &count, &steps};
    cudaError_t e = cudaLaunchCooperativeKernel((void *)smooth, dim3(40), dim3(threads), arguments, 0, 0);
    printf("40 blocks: %s\n", cudaGetErrorString(e));
    e = cudaLaunchCooperativeKernel(smooth, most + 1, threads, arguments);
    printf("one block too many: %s\n", cudaGetErrorName(e));
    cudaGetLastError();

    void *others[] = {&a, &parts, &out, &count};
    e = cudaLaunchCooperativeKernel((void *)total, dim3(20), dim3(threads), others, threads * sizeof(double), 0);
    printf("20 blocks: %s\n", cudaGetErrorString(e));
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost);
    printf("%.6f %.6f %.6f, sum %.3f\n", host[0], host[1], host[105], sum);
}
