// An exclusive prefix sum of many blocks: scan each, scan the sums of the blocks, add them.
#include <cstdio>
#include <vector>

const int THREADS = 128, ITEMS = 2 * THREADS;

// Blelloch: up the tree and down again.
__global__ void scan_block(const int *in, int *out, int *sums, int n)
{
    __shared__ int tree[ITEMS];
    int t = threadIdx.x, base = blockIdx.x * ITEMS, stride = 1;
    for (int k = t; k < ITEMS; k += THREADS) tree[k] = base + k < n ? in[base + k] : 0;
    for (int d = THREADS; d > 0; d /= 2, stride *= 2) {
        __syncthreads();
        if (t < d) tree[stride * (2 * t + 2) - 1] += tree[stride * (2 * t + 1) - 1];
    }
    if (t == 0) {
        if (sums) sums[blockIdx.x] = tree[ITEMS - 1];
        tree[ITEMS - 1] = 0;
    }
    for (int d = 1; d <= THREADS; d *= 2) {
        stride /= 2;
        __syncthreads();
        if (t < d) {
            int left = stride * (2 * t + 1) - 1, right = stride * (2 * t + 2) - 1, v = tree[left];
            tree[left] = tree[right];
            tree[right] += v;
        }
    }
    __syncthreads();
    for (int k = t; k < ITEMS; k += THREADS)
        if (base + k < n) out[base + k] = tree[k];
}

__global__ void add_sums(int *out, const int *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += sums[i / ITEMS];
}

int main()
{
    const int n = 10000, blocks = (n + ITEMS - 1) / ITEMS;
    std::vector<int> h(n), got(n);
    for (int i = 0; i < n; i++) h[i] = i % 7;
    int *in, *out, *sums, *offsets;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMalloc(&sums, blocks * sizeof(int));
    cudaMalloc(&offsets, blocks * sizeof(int));
    cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    scan_block<<<blocks, THREADS>>>(in, out, sums, n);
    scan_block<<<1, THREADS>>>(sums, offsets, nullptr, blocks);
    add_sums<<<(n + 255) / 256, 256>>>(out, offsets, n);
    cudaMemcpy(got.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = 0, sum = 0;
    for (int i = 0; i < n; sum += h[i++]) wrong += got[i] != sum;
    printf("%d blocks, last %d, %d wrong\n", blocks, got[n - 1], wrong);
    for (int *p : {in, out, sums, offsets}) cudaFree(p);
}
