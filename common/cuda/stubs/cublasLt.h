/* cublasLt.h - stands in for cuBLASLt's header: products whose arguments are described by objects, with a
 * bias and an activation behind them. common/cuda/blas implements each function that is here; a call that is
 * not declared here is a compiler error.
 *
 *     D = activation(alpha op(A) op(B) + beta C + bias)     bias: an element for each row of D
 *
 * An object is created and destroyed, or it is the caller's own and initialised. Types are those of
 * cublasGemmEx; the bias is of D's type. Source: cuBLAS Library, "Using the cuBLASLt API".
 */
#ifndef LOCKSTEP_STANDIN_CUBLASLT_H
#define LOCKSTEP_STANDIN_CUBLASLT_H

#include <stddef.h>

#include "cublas_v2.h"

/* A cublasHandle_t can be used as such a handle. */
typedef struct cublasContext *cublasLtHandle_t;

typedef struct { uint64_t data[32]; } cublasLtMatmulDescOpaque_t, *cublasLtMatmulDesc_t;
typedef struct { uint64_t data[8]; } cublasLtMatrixLayoutOpaque_t, *cublasLtMatrixLayout_t;
typedef struct { uint64_t data[8]; } cublasLtMatmulPreferenceOpaque_t, *cublasLtMatmulPreference_t;
typedef struct { uint64_t data[8]; } cublasLtMatmulAlgo_t;
typedef struct {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
    int reserved[4];
} cublasLtMatmulHeuristicResult_t;

/* Only A and B may be in row order; C and D must be in column order. */
typedef enum { CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW } cublasLtOrder_t;
typedef enum { CUBLASLT_POINTER_MODE_HOST, CUBLASLT_POINTER_MODE_DEVICE } cublasLtPointerMode_t;
/* If D has doubles or integers, only DEFAULT is supported. GELU is computed by tanh. */
typedef enum {
    CUBLASLT_EPILOGUE_DEFAULT = 1, CUBLASLT_EPILOGUE_RELU = 2, CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_EPILOGUE_RELU_BIAS = 6, CUBLASLT_EPILOGUE_GELU = 32, CUBLASLT_EPILOGUE_GELU_BIAS = 36,
    /* AUX: the argument of GELU is stored to a second matrix; DGELU: D is multiplied by the derivative of
     * GELU at the elements of that matrix. Not supported for batches */
    CUBLASLT_EPILOGUE_GELU_AUX = 160, CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164, CUBLASLT_EPILOGUE_DGELU = 192,
    /* the calls return CUBLAS_STATUS_NOT_SUPPORTED for these */
    CUBLASLT_EPILOGUE_RELU_AUX = 130, CUBLASLT_EPILOGUE_RELU_AUX_BIAS = 134, CUBLASLT_EPILOGUE_DRELU = 136,
    CUBLASLT_EPILOGUE_DRELU_BGRAD = 152, CUBLASLT_EPILOGUE_DGELU_BGRAD = 208, CUBLASLT_EPILOGUE_BGRADA = 256,
    CUBLASLT_EPILOGUE_BGRADB = 512
} cublasLtEpilogue_t;

/* The attributes of objects. Behind each, its size in bytes, which Set and Get must be given. */
typedef enum {
    CUBLASLT_MATRIX_LAYOUT_TYPE = 0,  /* 4 */
    CUBLASLT_MATRIX_LAYOUT_ORDER = 1, /* 4 */
    CUBLASLT_MATRIX_LAYOUT_ROWS = 2,  /* 8, as the next two */
    CUBLASLT_MATRIX_LAYOUT_COLS = 3, CUBLASLT_MATRIX_LAYOUT_LD = 4,
    CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,         /* 4 */
    CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6 /* 8, in elements */
} cublasLtMatrixLayoutAttribute_t;
typedef enum {
    CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0, /* 4, as all but the pointers */
    CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1, CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
    CUBLASLT_MATMUL_DESC_TRANSA = 3, CUBLASLT_MATMUL_DESC_TRANSB = 4, CUBLASLT_MATMUL_DESC_TRANSC = 5,
    CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
    CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8, /* 8, as the next two */
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 9, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 10,
    CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
} cublasLtMatmulDescAttributes_t;
/* Accepted, but without effect: there is one algorithm, which needs no workspace. */
typedef enum {
    CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,         /* 4 */
    CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1, /* 8 */
    CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8
} cublasLtMatmulPreferenceAttributes_t;

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle);
const char *cublasLtGetStatusName(cublasStatus_t status);
const char *cublasLtGetStatusString(cublasStatus_t status);
size_t cublasLtGetVersion(void);

/* Set and Get return CUBLAS_STATUS_INVALID_VALUE if the attribute is not one of those above, or has another
 * size. */
#define LOCKSTEP_BLASLT_(Kind, Attribute) \
    cublasStatus_t cublasLt##Kind##Destroy(cublasLt##Kind##_t object); \
    cublasStatus_t cublasLt##Kind##SetAttribute( \
        cublasLt##Kind##_t object, Attribute attribute, const void *value, size_t bytes); \
    cublasStatus_t cublasLt##Kind##GetAttribute( \
        cublasLt##Kind##_t object, Attribute attribute, void *value, size_t bytes, size_t *written);
LOCKSTEP_BLASLT_(MatmulDesc, cublasLtMatmulDescAttributes_t)
LOCKSTEP_BLASLT_(MatrixLayout, cublasLtMatrixLayoutAttribute_t)
LOCKSTEP_BLASLT_(MatmulPreference, cublasLtMatmulPreferenceAttributes_t)
#undef LOCKSTEP_BLASLT_

cublasStatus_t cublasLtMatmulDescCreate(
    cublasLtMatmulDesc_t *object, cublasComputeType_t compute, cudaDataType scale);
cublasStatus_t cublasLtMatmulDescInit(
    cublasLtMatmulDesc_t object, cublasComputeType_t compute, cudaDataType scale);
cublasStatus_t cublasLtMatrixLayoutCreate(
    cublasLtMatrixLayout_t *object, cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld);
cublasStatus_t cublasLtMatrixLayoutInit(
    cublasLtMatrixLayout_t object, cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld);
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *object);
cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t object);

/* Returns one result or, with CUBLAS_STATUS_NOT_SUPPORTED, none. */
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
    cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
    cublasLtMatmulPreference_t preference, int requested, cublasLtMatmulHeuristicResult_t results[],
    int *returned);
/* C and D may be the same matrix; otherwise C must have the shape and type of D. algorithm and workspace may
 * be NULL. */
cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha,
    const void *a, cublasLtMatrixLayout_t a_layout, const void *b, cublasLtMatrixLayout_t b_layout,
    const void *beta, const void *c, cublasLtMatrixLayout_t c_layout, void *d,
    cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t *algorithm, void *workspace, size_t bytes,
    cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
