// run: wmma_gemm 2,2 32 i32:32 i32:32 i32:32 buf:f16:1024 buf:f16:1024:fill=1 buf:f32:1024:none
// run: wmma_gemm_shared 1 128 i32:32 buf:f16:1024 buf:f16:1024:fill=1 buf:f32:1024:none
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <cstdio>
#include <vector>

using namespace nvcuda;

const int WMMA_M = 16, WMMA_N = 16, WMMA_K = 16;

// One warp a block computes a tile of C.
__global__ void wmma_gemm(int M, int N, int K, const half *A, const half *B, float *C)
{
    int row = blockIdx.y * WMMA_M, col = blockIdx.x * WMMA_N;
    if (row >= M || col >= N) return;
    wmma::fragment<wmma::matrix_a, WMMA_M, WMMA_N, WMMA_K, half, wmma::row_major> a_frag;
    wmma::fragment<wmma::matrix_b, WMMA_M, WMMA_N, WMMA_K, half, wmma::col_major> b_frag;
    wmma::fragment<wmma::accumulator, WMMA_M, WMMA_N, WMMA_K, float> acc_frag;
    wmma::fill_fragment(acc_frag, 0.0f);
    for (int k = 0; k < K; k += WMMA_K) {
        wmma::load_matrix_sync(a_frag, A + row * K + k, K);
        wmma::load_matrix_sync(b_frag, B + col * K + k, K);
        wmma::mma_sync(acc_frag, a_frag, b_frag, acc_frag);
    }
    wmma::store_matrix_sync(C + row * N + col, acc_frag, N, wmma::mem_row_major);
}

// Four warps a block, from shared memory.
__global__ void wmma_gemm_shared(int n, const half *A, const half *B, float *C)
{
    __shared__ __align__(32) half As[32 * 32], Bs[32 * 32];
    for (int i = threadIdx.x; i < n * n; i += blockDim.x) {
        As[i] = A[i];
        Bs[i] = B[i];
    }
    __syncthreads();
    int warp = threadIdx.x / warpSize, row = warp / 2 * 16, col = warp % 2 * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 0.0f);
    for (int k = 0; k < n; k += 16) {
        wmma::load_matrix_sync(a, As + row * 32 + k, 32);
        wmma::load_matrix_sync(b, Bs + k * 32 + col, 32);
        wmma::mma_sync(c, a, b, c);
    }
    for (int i = 0; i < c.num_elements; i++) c.x[i] *= 1.0f;
    wmma::store_matrix_sync(C + row * n + col, c, n, wmma::mem_row_major);
}

int main()
{
    const int n = 32;
    std::vector<half> a(n * n, __float2half(1.0f)), b(n * n, __float2half(2.0f));
    std::vector<float> c(n * n);
    half *da, *db;
    float *dc;
    cudaMalloc(&da, n * n * sizeof(half));
    cudaMalloc(&db, n * n * sizeof(half));
    cudaMalloc(&dc, n * n * sizeof(float));
    cudaMemcpy(da, a.data(), n * n * sizeof(half), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), n * n * sizeof(half), cudaMemcpyHostToDevice);
    wmma_gemm<<<dim3(n / WMMA_N, n / WMMA_M), 32>>>(n, n, n, da, db, dc);
    wmma_gemm_shared<<<1, 128>>>(n, da, db, dc);
    cudaMemcpy(c.data(), dc, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%f\n", c[0]);
    return 0;
}
