// run: gemm 1,1 16,16 i32:64 i32:64 i32:64 f32:1 buf:f32:4096:iota buf:f32:4096:fill=1 f32:0 buf:f32:4096:zero
// A product with a tile of registers a thread, sizes as template arguments.
#include <cstdio>
#include <cstdlib>
#define CEIL_DIV(M, N) (((M) + (N) - 1) / (N))
typedef unsigned int uint;

template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN), 1)
    gemm_kernel(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C)
{
    const uint cRow = blockIdx.y, cCol = blockIdx.x;
    const int threadCol = threadIdx.x % (BN / TN), threadRow = threadIdx.x / (BN / TN);
    __shared__ float As[BM * BK], Bs[BK * BN];
    A += cRow * BM * K;
    B += cCol * BN;
    C += cRow * BM * N + cCol * BN;
    float results[TM * TN] = {0.0}, regM[TM] = {0.0}, regN[TN] = {0.0};
    for (uint k0 = 0; k0 < K; k0 += BK) {
        for (uint i = threadIdx.x; i < BM * BK; i += blockDim.x)
            As[i] = A[i / BK * K + i % BK];
        for (uint i = threadIdx.x; i < BK * BN; i += blockDim.x)
            Bs[i] = B[i / BN * N + i % BN];
        __syncthreads();
        A += BK;
        B += BK * N;
        for (uint dot = 0; dot < BK; ++dot) {
            for (uint i = 0; i < TM; ++i) regM[i] = As[(threadRow * TM + i) * BK + dot];
            for (uint i = 0; i < TN; ++i) regN[i] = Bs[dot * BN + threadCol * TN + i];
            for (uint m = 0; m < TM; ++m)
                for (uint n = 0; n < TN; ++n) results[m * TN + n] += regM[m] * regN[n];
        }
        __syncthreads();
    }
    for (uint m = 0; m < TM; ++m)
        for (uint n = 0; n < TN; ++n)
            C[(threadRow * TM + m) * N + threadCol * TN + n] =
                alpha * results[m * TN + n] + beta * C[(threadRow * TM + m) * N + threadCol * TN + n];
}

__global__ void gemm(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C)
{
    int row = threadIdx.y + blockIdx.y * blockDim.y, col = threadIdx.x + blockIdx.x * blockDim.x;
    if (row < M && col < N) {
        float tmp = 0.0;
        for (int i = 0; i < K; ++i)
            tmp += A[row * K + i] * B[i * N + col];
        C[row * N + col] = alpha * tmp + beta * C[row * N + col];
    }
}

void run(int M, int N, int K, float *A, float *B, float *C)
{
    dim3 gridDim(CEIL_DIV(N, 64), CEIL_DIV(M, 64)), blockDim(64);
    gemm_kernel<64, 64, 8, 8, 8><<<gridDim, blockDim>>>(M, N, K, 1.f, A, B, 0.f, C);
}
