// run: hgemm_naive 4,4 8,8 i32:32 i32:32 i32:32 f16:1 buf:f16:1024 buf:f16:1024:fill=1 f16:0 buf:f16:1024:zero
// run: hgemm_half2 2,4 8,8 i32:32 i32:32 i32:32 buf:f16:1024 buf:f16:1024:fill=1 buf:f16:1024:none
// run: hgemm_float_sum<16> 2,2 16,16 i32:32 buf:f16:1024 buf:f16:1024:fill=1 buf:f16:1024:none
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

#define CUDA_CHECK(call)                                                        \
    do {                                                                        \
        cudaError_t err = (call);                                               \
        if (err != cudaSuccess) {                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err)); \
            exit(EXIT_FAILURE);                                                 \
        }                                                                       \
    } while (0)

// C = alpha A B + beta C, all of it in half
__global__ void hgemm_naive(int M, int N, int K, half alpha, const half *A, const half *B, half beta, half *C)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    half sum = __float2half(0.0f);
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = alpha * sum + beta * C[row * N + col];
}

// Two columns a thread: a half2 of B and of C.
__global__ void hgemm_half2(int M, int N, int K, const half *A, const half2 *B, half2 *C)
{
    int pair = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || pair * 2 >= N) return;
    half2 sum = __float2half2_rn(0.0f);
    for (int k = 0; k < K; ++k) {
        half2 a = __half2half2(A[row * K + k]);
        sum = __hfma2(a, B[k * (N / 2) + pair], sum);
    }
    C[row * (N / 2) + pair] = sum;
}

// Tiles in shared memory, sums in float.
template <int TILE> __global__ void hgemm_float_sum(int n, const __half *A, const __half *B, __half *C)
{
    __shared__ __half As[TILE][TILE], Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int col = blockIdx.x * TILE + tx, row = blockIdx.y * TILE + ty;
    float sum = 0.0f;
    for (int t = 0; t < n; t += TILE) {
        As[ty][tx] = A[row * n + t + tx];
        Bs[ty][tx] = B[(t + ty) * n + col];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k) sum += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
        __syncthreads();
    }
    C[row * n + col] = __float2half(sum);
}

int main()
{
    const int n = 32;
    std::vector<half> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; i++) {
        a[i] = __float2half(float(i % 7) / 7.0f);
        b[i] = half(1.0f);
    }
    half *da, *db, *dc;
    CUDA_CHECK(cudaMalloc(&da, n * n * sizeof(half)));
    CUDA_CHECK(cudaMalloc(&db, n * n * sizeof(half)));
    CUDA_CHECK(cudaMalloc(&dc, n * n * sizeof(half)));
    CUDA_CHECK(cudaMemcpy(da, a.data(), n * n * sizeof(half), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(db, b.data(), n * n * sizeof(half), cudaMemcpyHostToDevice));
    hgemm_naive<<<dim3(4, 4), dim3(8, 8)>>>(n, n, n, half(1.0f), da, db, half(0.0f), dc);
    hgemm_half2<<<dim3(2, 4), dim3(8, 8)>>>(n, n, n, da, (const half2 *)db, (half2 *)dc);
    hgemm_float_sum<16><<<dim3(2, 2), dim3(16, 16)>>>(n, da, db, dc);
    CUDA_CHECK(cudaMemcpy(c.data(), dc, n * n * sizeof(half), cudaMemcpyDeviceToHost));
    printf("%f\n", __half2float(c[0]));
    return 0;
}
