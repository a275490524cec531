// A matrix product through tiles in shared memory, of matrices whose sizes no tile divides.
#include <cstdio>
#include <vector>

#define TILE 16

__global__ void matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < (k + TILE - 1) / TILE; t++) {
        int ak = t * TILE + threadIdx.x, bk = t * TILE + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = row < m && ak < k ? a[row * k + ak] : 0.f;
        bs[threadIdx.y][threadIdx.x] = bk < k && col < n ? b[bk * n + col] : 0.f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; i++) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}

int main()
{
    const int m = 50, k = 70, n = 33;
    std::vector<float> a(m * k), b(k * n), c(m * n);
    for (int i = 0; i < m * k; i++) a[i] = i % 11 - 5;
    for (int i = 0; i < k * n; i++) b[i] = i % 13 - 6;
    float *da, *db, *dc;
    cudaMalloc(&da, a.size() * sizeof(float));
    cudaMalloc(&db, b.size() * sizeof(float));
    cudaMalloc(&dc, c.size() * sizeof(float));
    cudaMemcpy(da, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    matmul<<<grid, block>>>(da, db, dc, m, k, n);
    cudaMemcpy(c.data(), dc, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float want = 0; // small integers: exact in any order
            for (int l = 0; l < k; l++) want += a[i * k + l] * b[l * n + j];
            wrong += want != c[i * n + j];
        }
    printf("c[0][0] = %g, c[49][32] = %g, %d wrong\n", c[0], c[m * n - 1], wrong);
    cudaFree(da), cudaFree(db), cudaFree(dc);
}
