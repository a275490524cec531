/* mixed.h - products and sums whose types are arguments, for blas.cu: a table with one row per combination.
 *
 *     cublasGemmEx(..., CUDA_R_16F, ..., CUBLAS_COMPUTE_32F) ──> blas_gemm<__half, __half, float>
 */
#ifndef LOCKSTEP_BLAS_MIXED_H
#define LOCKSTEP_BLAS_MIXED_H

/* A bfloat16 as its bits, the upper half of a float rounded to nearest even. GPUs without bfloat16
 * instructions can compute with it, too. */
struct brain {
    unsigned short bits;
    brain() = default;
    __device__ explicit brain(float value)
    {
        unsigned u = __float_as_uint(value), odd = u >> 16 & 1;
        bits = value != value ? 0x7fff : (unsigned short)((u + 0x7fff + odd) >> 16);
    }
    __device__ operator float() const
    {
        return __uint_as_float((unsigned)bits << 16);
    }
};

/* The arguments of these calls, except the types. */
struct product_call {
    int m, n, k, opa, opb;
    const void *alpha, *a;
    int lda;
    long long stride_a;
    const void *b;
    int ldb;
    long long stride_b;
    const void *beta;
    void *c;
    int ldc;
    long long stride_c;
    int count;
    const void *bias; /* for cuBLASLt (lt.h) */
    enum activation activation;
    void *aux;
    long aux_ld;
};

template <class T, class Out, class Sum>
static cublasStatus_t product_of(cublasHandle_t h, const product_call &p)
{
    return product<T, Out, Sum>(h, "GEMM_EX",
        {p.m, p.n, p.k, p.lda, p.ldb, p.ldc, p.opa, p.opb, 0, scalar(h, (const Sum *)p.alpha),
            scalar(h, (const Sum *)p.beta), {(const T *)p.a, nullptr, p.stride_a},
            {(const T *)p.b, nullptr, p.stride_b}, {(Out *)p.c, nullptr, p.stride_c},
            (const Out *)p.bias, p.activation, (Out *)p.aux, p.aux_ld},
        p.count);
}

typedef cublasStatus_t product_function(cublasHandle_t h, const product_call &p);
static const struct {
    cudaDataType ab, c;
    cublasComputeType_t compute;
    product_function *run;
} products[] = {
    {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, product_of<__half, __half, __half>},
    {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, product_of<__half, __half, float>},
    {CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, product_of<__half, float, float>},
    {CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, product_of<brain, brain, float>},
    {CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, product_of<brain, float, float>},
    {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, product_of<float, float, float>},
    {CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, product_of<double, double, double>},
    {CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, product_of<signed char, int, int>},
};

/* The compute type without its suffix _PEDANTIC or _FAST_... */
static cublasComputeType_t plain(cublasComputeType_t compute)
{
    switch (compute) {
    case CUBLAS_COMPUTE_16F_PEDANTIC: return CUBLAS_COMPUTE_16F;
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32: return CUBLAS_COMPUTE_32F;
    case CUBLAS_COMPUTE_64F_PEDANTIC: return CUBLAS_COMPUTE_64F;
    case CUBLAS_COMPUTE_32I_PEDANTIC: return CUBLAS_COMPUTE_32I;
    default: return compute;
    }
}

/* The product for these types; NULL: there is none. */
static product_function *product_for(
    cudaDataType a, cudaDataType b, cudaDataType c, cublasComputeType_t compute)
{
    for (auto &row : products)
        if (row.ab == a && a == b && row.c == c && row.compute == plain(compute)) return row.run;
    return nullptr;
}

static cublasStatus_t product_by_types(cublasHandle_t h, cudaDataType a, cudaDataType b, cudaDataType c,
    cublasComputeType_t compute, const product_call &p)
{
    NEEDS(p.alpha && p.beta);
    product_function *run = product_for(a, b, c, compute);
    return run ? run(h, p) : CUBLAS_STATUS_NOT_SUPPORTED;
}

template <class T>
static cublasStatus_t dot(
    cublasHandle_t h, int n, const void *x, int incx, const void *y, int incy, void *result)
{
    return sum(DOT, h, n, (const T *)x, incx, (const T *)y, incy, (T *)result);
}

extern "C" {
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb,
    int m, int n, int k, const void *alpha, const void *a, cudaDataType a_type, int lda, long long stride_a,
    const void *b, cudaDataType b_type, int ldb, long long stride_b, const void *beta, void *c,
    cudaDataType c_type, int ldc, long long stride_c, int count, cublasComputeType_t compute,
    cublasGemmAlgo_t)
{
    return product_by_types(h, a_type, b_type, c_type, compute,
        {m, n, k, transposed(opa), transposed(opb), alpha, a, lda, stride_a, b, ldb, stride_b, beta, c, ldc,
            stride_c, count});
}

cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
    int k, const void *alpha, const void *a, cudaDataType a_type, int lda, const void *b,
    cudaDataType b_type, int ldb, const void *beta, void *c, cudaDataType c_type, int ldc,
    cublasComputeType_t compute, cublasGemmAlgo_t)
{
    return product_by_types(h, a_type, b_type, c_type, compute,
        {m, n, k, transposed(opa), transposed(opb), alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1});
}

cublasStatus_t cublasDotEx(cublasHandle_t h, int n, const void *x, cudaDataType x_type, int incx,
    const void *y, cudaDataType y_type, int incy, void *result, cudaDataType result_type, cudaDataType)
{
    if (x_type != y_type || x_type != result_type) return CUBLAS_STATUS_NOT_SUPPORTED;
    switch (x_type) {
    case CUDA_R_16F: return dot<__half>(h, n, x, incx, y, incy, result);
    case CUDA_R_16BF: return dot<brain>(h, n, x, incx, y, incy, result);
    case CUDA_R_32F: return dot<float>(h, n, x, incx, y, incy, result);
    case CUDA_R_64F: return dot<double>(h, n, x, incx, y, incy, result);
    default: return CUBLAS_STATUS_NOT_SUPPORTED;
    }
}
}

#endif
