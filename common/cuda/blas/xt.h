/* xt.h - cuBLASXt's products, for blas.cu: matrices wherever they lie, and a product of their copies on the
 * device. */

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle) { return cublasCreate(handle); }
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) { return cublasDestroy(handle); }
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t h, int count, int *devices)
{
    NEEDS(count == 1 && !devices[0]);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t h, int size)
{
    NEEDS(size > 0);
    return CUBLAS_STATUS_SUCCESS;
}

template <class T, class Gemm>
static cublasStatus_t xt_product(Gemm gemm, cublasXtHandle_t h, cublasOperation_t transa,
    cublasOperation_t transb, size_t m, size_t n, size_t k, const T *alpha, const T *a, size_t lda,
    const T *b, size_t ldb, const T *beta, T *c, size_t ldc)
{
    const T *from[] = {a, b, c};
    size_t bytes[] = {sizeof(T) * lda * (transa == CUBLAS_OP_N ? k : m),
        sizeof(T) * ldb * (transb == CUBLAS_OP_N ? n : k), sizeof(T) * ldc * n};
    T *on[3] = {};
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    for (int i = 0; i < 3; i++)
        if (cudaMalloc(&on[i], bytes[i]) || cudaMemcpy(on[i], from[i], bytes[i], cudaMemcpyDefault))
            status = CUBLAS_STATUS_ALLOC_FAILED;
    if (!status)
        status = gemm(h, transa, transb, (int)m, (int)n, (int)k, alpha, on[0], (int)lda, on[1], (int)ldb,
            beta, on[2], (int)ldc);
    if (!status && cudaMemcpy(c, on[2], bytes[2], cudaMemcpyDefault)) status = CUBLAS_STATUS_EXECUTION_FAILED;
    for (T *p : on) cudaFree(p);
    return status;
}

#define XT_PRODUCT(S, T) \
    cublasStatus_t cublasXt##S##gemm(cublasXtHandle_t h, cublasOperation_t transa, cublasOperation_t transb, \
        size_t m, size_t n, size_t k, const T *alpha, const T *a, size_t lda, const T *b, size_t ldb, \
        const T *beta, T *c, size_t ldc) \
    { \
        return xt_product(cublas##S##gemm, h, transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc); \
    }
XT_PRODUCT(S, float)
XT_PRODUCT(D, double)
