/* cublas_v2.h - stands in for cuBLAS's header: its everyday part, in single and double precision,
 * and products in half. common/cuda/blas implements each function that is here; a call that is not
 * declared here is a compiler error.
 *
 * Matrices are column-major: element (i, j) is a[i + j * lda]. All pointers are to device memory,
 * but for scalars in pointer mode HOST, the default. Source: cuBLAS Library, documentation.
 */
#ifndef LOCKSTEP_STANDIN_CUBLAS_V2_H
#define LOCKSTEP_STANDIN_CUBLAS_V2_H
#define CUBLAS_API_H_ /* programs test this macro to find out whether cuBLAS's header was included */

#include <stdint.h>

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "library_types.h"

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_FULL } cublasFillMode_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH, CUBLAS_TENSOR_OP_MATH, CUBLAS_PEDANTIC_MATH, CUBLAS_TF32_TENSOR_OP_MATH
} cublasMath_t;
typedef cudaDataType cublasDataType_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_16F_PEDANTIC = 65, CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69, CUBLAS_COMPUTE_32F_FAST_16F = 74, CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77, CUBLAS_COMPUTE_64F = 70, CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72, CUBLAS_COMPUTE_32I_PEDANTIC = 73
} cublasComputeType_t;
/* Accepted, but without effect; ALGO0 to ALGO23 are 0 to 23. */
typedef enum {
    CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_ALGO0 = 0, CUBLAS_GEMM_ALGO1,
    CUBLAS_GEMM_ALGO2, CUBLAS_GEMM_ALGO3, CUBLAS_GEMM_ALGO4, CUBLAS_GEMM_ALGO5, CUBLAS_GEMM_ALGO23 = 23,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99, CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
    CUBLAS_GEMM_ALGO15_TENSOR_OP = 115
} cublasGemmAlgo_t;
typedef struct cublasContext *cublasHandle_t;

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
/* Accepted, but without effect: products are computed in their own precision. */
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

/* ---- between host and device ---- */
cublasStatus_t cublasSetVector(int n, int bytes, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasGetVector(int n, int bytes, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int cols, int bytes, const void *a, int lda, void *b, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int cols, int bytes, const void *a, int lda, void *b, int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void *x, int incx, void *y, int incy,
    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void *x, int incx, void *y, int incy,
    cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int bytes, const void *a, int lda, void *b, int ldb,
    cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int bytes, const void *a, int lda, void *b, int ldb,
    cudaStream_t stream);

/* ---- the functions, for S (float) and D (double) ---- */
/* iamax, iamin: the index, from 1, of the first element of largest or smallest magnitude. */
#define LOCKSTEP_BLAS_(S, s, T) \
    cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T \
        *y, int incy); \
    cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T *alpha, T *x, int incx); \
    cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy); \
    cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy); \
    cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int \
        incy, T *result); \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t handle, int n, const T *x, int incx, T *result); \
    cublasStatus_t cublas##S##asum(cublasHandle_t handle, int n, const T *x, int incx, T *result); \
    cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n, const T \
        *alpha, const T *a, int lda, const T *x, int incx, const T *beta, T *y, int incy); \
    cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int \
        incx, const T *y, int incy, T *a, int lda); \
    cublasStatus_t cublas##S##syrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op, \
        int n, int k, const T *alpha, const T *a, int lda, const T *beta, T *c, int ldc); \
    cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, \
        int m, int n, const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int \
        ldc); \
    cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T \
        *a, int lda, const T *x, int incx, T *c, int ldc); \
    cublasStatus_t cublasI##s##amax(cublasHandle_t handle, int n, const T *x, int incx, int *result); \
    cublasStatus_t cublasI##s##amin(cublasHandle_t handle, int n, const T *x, int incx, int *result);
LOCKSTEP_BLAS_(S, s, float)
LOCKSTEP_BLAS_(D, d, double)
#undef LOCKSTEP_BLAS_
/* Products, also for H (half), whose sums are halves. */
#define LOCKSTEP_BLAS_(S, T) \
    cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, \
        int m, int n, int k, const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, \
        int ldc); \
    cublasStatus_t cublas##S##gemmStridedBatched(cublasHandle_t handle, cublasOperation_t opa, \
        cublasOperation_t opb, int m, int n, int k, const T *alpha, const T *a, int lda, long long stride_a, \
        const T *b, int ldb, long long stride_b, const T *beta, T *c, int ldc, long long stride_c, int \
        count); \
    cublasStatus_t cublas##S##gemmBatched(cublasHandle_t handle, cublasOperation_t opa, \
        cublasOperation_t opb, int m, int n, int k, const T *alpha, const T *const a[], int lda, const T \
        *const b[], int ldb, const T *beta, T *const c[], int ldc, int count);
LOCKSTEP_BLAS_(S, float)
LOCKSTEP_BLAS_(D, double)
LOCKSTEP_BLAS_(H, __half)
#undef LOCKSTEP_BLAS_

/* ---- calls whose types are arguments ---- */
/* Supported types of (A and B, C, compute): (16F, 16F, 16F), (16F or 16BF, the same or 32F, 32F), (32F, 32F,
 * 32F), (64F, 64F, 64F), (8I, 32I, 32I); others are CUBLAS_STATUS_NOT_SUPPORTED. alpha and beta are of the
 * compute type. */
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
    int k, const void *alpha, const void *a, cudaDataType a_type, int lda, const void *b, cudaDataType b_type,
    int ldb, const void *beta, void *c, cudaDataType c_type, int ldc, cublasComputeType_t compute,
    cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opa,
    cublasOperation_t opb, int m, int n, int k, const void *alpha, const void *a, cudaDataType a_type,
    int lda, long long stride_a, const void *b, cudaDataType b_type, int ldb, long long stride_b,
    const void *beta, void *c, cudaDataType c_type, int ldc, long long stride_c, int count,
    cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
/* x, y and the result must have the same type: 16F, 16BF, 32F or 64F. */
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType x_type, int incx,
    const void *y, cudaDataType y_type, int incy, void *result, cudaDataType result_type,
    cudaDataType compute);

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
/* Before cuBLAS 11 the compute type was given as a cudaDataType, which C++ still accepts. */
static inline cublasComputeType_t lockstep_compute_(cudaDataType type)
{
    switch (type) {
    case CUDA_R_16F: return CUBLAS_COMPUTE_16F;
    case CUDA_R_64F:
    case CUDA_C_64F: return CUBLAS_COMPUTE_64F;
    case CUDA_R_32I: return CUBLAS_COMPUTE_32I;
    default: return CUBLAS_COMPUTE_32F;
    }
}
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa,
    cublasOperation_t opb, int m, int n, int k, const void *alpha, const void *a,
    cudaDataType a_type, int lda, const void *b, cudaDataType b_type, int ldb, const void *beta,
    void *c, cudaDataType c_type, int ldc, cudaDataType compute, cublasGemmAlgo_t algorithm)
{
    return cublasGemmEx(handle, opa, opb, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c,
        c_type, ldc, lockstep_compute_(compute), algorithm);
}
static inline cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle,
    cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, const void *alpha,
    const void *a, cudaDataType a_type, int lda, long long stride_a, const void *b,
    cudaDataType b_type, int ldb, long long stride_b, const void *beta, void *c,
    cudaDataType c_type, int ldc, long long stride_c, int count, cudaDataType compute,
    cublasGemmAlgo_t algorithm)
{
    return cublasGemmStridedBatchedEx(handle, opa, opb, m, n, k, alpha, a, a_type, lda, stride_a, b,
        b_type, ldb, stride_b, beta, c, c_type, ldc, stride_c, count, lockstep_compute_(compute),
        algorithm);
}
#endif

#endif
