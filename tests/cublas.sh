#!/bin/sh
# cublas.sh - cuBLAS's products and sums whose types are arguments, against sums of the host: whole numbers, exact in any order.

. tests/lib.sh
nvcc=$(cd "$BUILD" && pwd)/lockstep-nvcc
export LOCKSTEP_DEVICE=sim:t4
cat >"$scratch/types.cu" <<'EOF'
#include <cstdio>
#include <cublas_v2.h>
enum { M = 70, N = 33, K = 45, LD = 80, COUNT = 3 };
// An upper half of a float: a T4 has no instructions for bfloat16.
struct brain {
    unsigned short bits;
    brain(float v = 0) { unsigned u = __builtin_bit_cast(unsigned, v); bits = (u + 0x7fff + (u >> 16 & 1)) >> 16; }
    operator float() const { return __builtin_bit_cast(float, (unsigned)bits << 16); }
};
static float number(int i, int factor) { return i * factor % 7 - 3; }
template <class T> static T *device(int factor)
{
    static T h[LD * LD * COUNT];
    T *p;
    for (int i = 0; i < LD * LD * COUNT; i++) h[i] = T(number(i, factor));
    cudaMalloc(&p, sizeof h);
    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
    return p;
}
// How many elements of C differ from alpha op(A) op(B) + beta C.
template <class Out> static int wrong(const Out *c, int opa, int opb, float alpha, float beta, int count)
{
    static Out h[LD * LD * COUNT];
    int n = 0;
    cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost);
    for (int z = 0; z < count; z++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                float sum = 0;
                int at = i + (j + z * N) * LD, first = z * LD * LD;
                for (int k = 0; k < K; k++)
                    sum += number(first + (opa ? k + i * LD : i + k * LD), 3) * number(first + (opb ? j + k * LD : k + j * LD), 5);
                n += (float)h[at] != (float)Out(alpha * sum + beta * number(at, 2));
            }
    return n;
}
template <class T, class Out, class Sum, class Compute>
static void products(cublasHandle_t handle, const char *what, cudaDataType type, cudaDataType out, Compute compute)
{
    T *a = device<T>(3), *b = device<T>(5);
    Out *c = device<Out>(2), *d = device<Out>(2);
    Sum two = Sum(2), minus = Sum(-1), zero = Sum(0);
    int status = cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, M, N, K, &two, a, type, LD, b, type, LD, &minus, c, out, LD, compute, CUBLAS_GEMM_DEFAULT);
    status |= cublasGemmStridedBatchedEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, M, N, K, &two, a, type, LD, LD * LD, b, type, LD, LD * LD, &zero, d, out, LD,
        LD * N, COUNT, compute, CUBLAS_GEMM_DEFAULT);
    std::printf("%s: status %d, wrong %d %d\n", what, status, wrong(c, 0, 1, 2, -1, 1), wrong(d, 1, 0, 2, 0, COUNT));
}
template <class T> static void dot(cublasHandle_t handle, const char *what, cudaDataType type, cudaDataType compute)
{
    T *a = device<T>(3), *b = device<T>(5), result;
    double sum = 0;
    for (int i = 0; i < 500; i++) sum += number(i, 3) * number(2 * i, 5);
    int status = cublasDotEx(handle, 500, a, type, 1, b, type, 2, &result, type, compute);
    std::printf("%s: status %d, wrong %d\n", what, status, (float)result != (float)T((float)sum));
}
int main()
{
    cublasHandle_t handle;
    cublasCreate(&handle);
    __half *a = device<__half>(3), *b = device<__half>(5), *c = device<__half>(2), two = 2.0f, half = 0.5f;
    int status = cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &two, a, LD, b, LD, &half, c, LD);
    std::printf("hgemm: status %d, wrong %d\n", status, wrong(c, 0, 0, 2, 0.5, 1));
    products<__half, __half, __half>(handle, "half", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
    products<__half, __half, float>(handle, "half, sums of floats", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
    products<__half, __half, float>(handle, "half, sums by the type of an array", CUDA_R_16F, CUDA_R_16F, CUDA_R_32F);
    products<__half, float, float>(handle, "half to float", CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    products<brain, brain, float>(handle, "bfloat16", CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F);
    products<brain, float, float>(handle, "bfloat16 to float", CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_16BF);
    products<float, float, float>(handle, "float", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC);
    products<double, double, double>(handle, "double", CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
    products<signed char, int, int>(handle, "8 bits", CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I);
    dot<__half>(handle, "dot of halves", CUDA_R_16F, CUDA_R_32F);
    dot<brain>(handle, "dot of bfloat16", CUDA_R_16BF, CUDA_R_32F);
    dot<float>(handle, "dot of floats", CUDA_R_32F, CUDA_R_32F);
    dot<double>(handle, "dot of doubles", CUDA_R_64F, CUDA_R_64F);
    float one = 1, *f = device<float>(3);
    std::printf("%s\n", cublasGetStatusName(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, f, CUDA_R_32F, 8, f, CUDA_R_32F, 8, &one, c,
        CUDA_R_16F, 8, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT)));
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, f, CUDA_R_32F, 7, f, CUDA_R_32F, 8, &one, f, CUDA_R_32F, 8, CUBLAS_COMPUTE_32F,
        CUBLAS_GEMM_DEFAULT);
}
EOF
"$nvcc" -O2 "$scratch/types.cu" -lcublas -o "$scratch/types" >"$scratch/said" 2>&1 && "$scratch/types" >>"$scratch/said" 2>&1
expect_none 'products and sums of each combination' "$(grep -E 'status|error' "$scratch/said" | grep -vE ': status 0, wrong 0( 0)?$')"
expect_some 'how many combinations' "$(grep -c 'status 0' "$scratch/said")" '^14$'
expect_some 'a combination that is not there' "$(cat "$scratch/said")" '^CUBLAS_STATUS_NOT_SUPPORTED$'
expect_some 'a wrong argument by its number' "$(cat "$scratch/said")" 'On entry to GEMM_EX  parameter number 9 had an illegal value'

# cuBLASLt beside tests/programs/blas_lt.cu: matrices by rows, and what it refuses.
cat >"$scratch/lt.cu" <<'EOF'
#include <cmath>
#include <cstdio>
#include <cublasLt.h>
enum { M = 3, N = 2, K = 4 };
static cublasLtHandle_t handle;
static cublasLtMatmulDesc_t desc;
static float *a, *b, *d, one = 1, zero = 0;
static int product(cublasLtMatrixLayout_t la, cublasLtMatrixLayout_t lb, cublasLtMatrixLayout_t ld)
{
    return cublasLtMatmul(handle, desc, &one, a, la, b, lb, &zero, nullptr, ld, d, ld, nullptr, nullptr, 0, 0);
}
int main()
{
    cublasLtMatrixLayout_t la, lb, ld, by_rows;
    float expected = 0;
    int rows = CUBLASLT_ORDER_ROW, aux = CUBLASLT_EPILOGUE_RELU | 128;
    cudaMallocManaged(&a, sizeof *a * M * K), cudaMallocManaged(&b, sizeof *b * K * N), cudaMallocManaged(&d, sizeof *d * M * N);
    for (int i = 0; i < M * K; i++) a[i] = i;
    for (int i = 0; i < K * N; i++) b[i] = 10 - i;
    cublasLtCreate(&handle);
    cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    cublasLtMatrixLayoutCreate(&la, CUDA_R_32F, M, K, K), cublasLtMatrixLayoutCreate(&lb, CUDA_R_32F, K, N, K);
    cublasLtMatrixLayoutCreate(&ld, CUDA_R_32F, M, N, M), cublasLtMatrixLayoutCreate(&by_rows, CUDA_R_32F, M, N, N);
    cublasLtMatrixLayoutSetAttribute(la, CUBLASLT_MATRIX_LAYOUT_ORDER, &rows, sizeof rows);
    cublasLtMatrixLayoutSetAttribute(by_rows, CUBLASLT_MATRIX_LAYOUT_ORDER, &rows, sizeof rows);
    int status = product(la, lb, ld);
    cudaDeviceSynchronize();
    for (int k = 0; k < K; k++) expected += a[1 * K + k] * b[k + 1 * K];
    std::printf("A by rows: %d, %s\n", status, d[1 + 1 * M] == expected ? "right" : "wrong");
    std::printf("D by rows: %d\nshapes: %d\n", product(la, lb, by_rows), product(lb, la, ld));
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &aux, sizeof aux);
    std::printf("epilogue: %d\n", product(la, lb, ld));
    // GELU with what it gets kept, then its slope there.
    float *kept, worst = 0;
    long long kept_ld = M + 1;
    cudaMallocManaged(&kept, sizeof *kept * kept_ld * N);
    for (int i = 0; i < M * K; i++) a[i] = (i % 5 - 2) * 0.25f;
    for (int i = 0; i < K * N; i++) b[i] = i % 3 - 0.5f;
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &kept, sizeof kept);
    cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &kept_ld, sizeof kept_ld);
    for (int slope = 0; slope < 2; slope++) {
        aux = slope ? CUBLASLT_EPILOGUE_DGELU : CUBLASLT_EPILOGUE_GELU_AUX;
        cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &aux, sizeof aux);
        status |= product(la, lb, ld);
        cudaDeviceSynchronize();
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                double x = 0, h = 1e-4;
                for (int k = 0; k < K; k++) x += a[i * K + k] * b[k + j * K];
                auto gelu = [](double y) { return y / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (y + 0.044715 * y * y * y))); };
                double right = slope ? x * (gelu(x + h) - gelu(x - h)) / (2 * h) : gelu(x);
                worst = std::fmax(worst, std::fmax(std::fabs(d[i + j * M] - right), std::fabs(kept[i + j * kept_ld] - x)));
            }
    }
    std::printf("GELU kept: %d, %s\n", status, worst < 1e-5 ? "right" : "wrong");
    cublasLtMatmulDesc_t of_doubles;
    cublasLtMatrixLayout_t doubles;
    aux = CUBLASLT_EPILOGUE_RELU;
    cublasLtMatmulDescCreate(&of_doubles, CUBLAS_COMPUTE_64F, CUDA_R_64F);
    cublasLtMatmulDescSetAttribute(of_doubles, CUBLASLT_MATMUL_DESC_EPILOGUE, &aux, sizeof aux);
    cublasLtMatrixLayoutCreate(&doubles, CUDA_R_64F, N, N, N);
    desc = of_doubles;
    std::printf("doubles: %d\n", product(doubles, doubles, doubles));
}
EOF
"$nvcc" -O2 "$scratch/lt.cu" -lcublasLt -o "$scratch/lt" >"$scratch/said" 2>&1 && "$scratch/lt" >>"$scratch/said" 2>&1
expect_some 'cuBLASLt: by rows, and what it refuses' "$(tr '\n' ';' <"$scratch/said")" \
    '^A by rows: 0, right;D by rows: 15;shapes: 7;epilogue: 15;GELU kept: 0, right;doubles: 15;$'
finish
