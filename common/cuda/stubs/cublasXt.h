/* cublasXt.h - stands in for cuBLASXt's header: products of matrices of the host, which are copied to the
 * device and back. common/cuda/blas implements each function that is here. Source: cuBLAS Library, "Using the
 * cuBLASXt API". */
#ifndef LOCKSTEP_STANDIN_CUBLASXT_H
#define LOCKSTEP_STANDIN_CUBLASXT_H

#include <stddef.h>

#include "cublas_v2.h"

typedef struct cublasContext *cublasXtHandle_t;

#ifdef __cplusplus
extern "C" {
#endif
cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle);
/* devices: only 0 is there */
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int *devices);
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int size); /* without effect: one block */
cublasStatus_t cublasXtSgemm(cublasXtHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    size_t m, size_t n, size_t k, const float *alpha, const float *a, size_t lda, const float *b, size_t ldb,
    const float *beta, float *c, size_t ldc);
cublasStatus_t cublasXtDgemm(cublasXtHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    size_t m, size_t n, size_t k, const double *alpha, const double *a, size_t lda, const double *b,
    size_t ldb, const double *beta, double *c, size_t ldc);
#ifdef __cplusplus
}
#endif

#endif
