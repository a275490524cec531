/* lt.h - cuBLASLt's calls, for blas.cu: the objects that describe a product, and the product itself.
 *
 *     cublasLtMatmul(desc, layouts) ──> plan(): a product_call ──> product_for() (mixed.h)
 *
 * Source: cuBLAS Library, "Using the cuBLASLt API".
 */
#ifndef LOCKSTEP_BLAS_LT_H
#define LOCKSTEP_BLAS_LT_H

#include <climits>
#include <cstddef>

/* The contents of the caller's objects. */
struct lt_desc {
    int compute, scale, mode, opa, opb, opc, epilogue, bias_type; /* bias_type -1: that of D */
    const void *bias;
    void *aux;
    int64_t aux_ld;
};
struct lt_layout {
    int type, order;
    uint64_t rows, cols;
    int64_t ld, stride;
    int count;
};
struct lt_preference {
    int search, reductions, align[4];
    uint64_t workspace;
};

struct attribute {
    int name;
    size_t at, bytes;
};
#define HAS(name, type, member) {CUBLASLT_##name, offsetof(type, member), sizeof(((type *)0)->member)}
static const attribute desc_attributes[] = {
    HAS(MATMUL_DESC_COMPUTE_TYPE, lt_desc, compute),
    HAS(MATMUL_DESC_SCALE_TYPE, lt_desc, scale),
    HAS(MATMUL_DESC_POINTER_MODE, lt_desc, mode),
    HAS(MATMUL_DESC_TRANSA, lt_desc, opa),
    HAS(MATMUL_DESC_TRANSB, lt_desc, opb),
    HAS(MATMUL_DESC_TRANSC, lt_desc, opc),
    HAS(MATMUL_DESC_EPILOGUE, lt_desc, epilogue),
    HAS(MATMUL_DESC_BIAS_POINTER, lt_desc, bias),
    HAS(MATMUL_DESC_BIAS_DATA_TYPE, lt_desc, bias_type),
    HAS(MATMUL_DESC_EPILOGUE_AUX_POINTER, lt_desc, aux),
    HAS(MATMUL_DESC_EPILOGUE_AUX_LD, lt_desc, aux_ld),
};
static const attribute layout_attributes[] = {
    HAS(MATRIX_LAYOUT_TYPE, lt_layout, type),
    HAS(MATRIX_LAYOUT_ORDER, lt_layout, order),
    HAS(MATRIX_LAYOUT_ROWS, lt_layout, rows),
    HAS(MATRIX_LAYOUT_COLS, lt_layout, cols),
    HAS(MATRIX_LAYOUT_LD, lt_layout, ld),
    HAS(MATRIX_LAYOUT_BATCH_COUNT, lt_layout, count),
    HAS(MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, lt_layout, stride),
};
static const attribute preference_attributes[] = {
    HAS(MATMUL_PREF_SEARCH_MODE, lt_preference, search),
    HAS(MATMUL_PREF_MAX_WORKSPACE_BYTES, lt_preference, workspace),
    HAS(MATMUL_PREF_REDUCTION_SCHEME_MASK, lt_preference, reductions),
    HAS(MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, lt_preference, align[0]),
    HAS(MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, lt_preference, align[1]),
    HAS(MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, lt_preference, align[2]),
    HAS(MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, lt_preference, align[3]),
};
#undef HAS

template <size_t N> static const attribute *attribute_of(const attribute (&of)[N], int name)
{
    for (auto &a : of)
        if (a.name == name) return &a;
    return nullptr;
}

/* How many bytes a matrix element of this type has; 0: products do not support the type. */
static size_t bytes_of(int type)
{
    switch (type) {
    case CUDA_R_8I: return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    case CUDA_R_32F:
    case CUDA_R_32I: return 4;
    case CUDA_R_64F: return 8;
    default: return 0;
    }
}

/* The type of alpha and beta for a compute type. */
static int scale_for(int compute)
{
    switch (plain((cublasComputeType_t)compute)) {
    case CUBLAS_COMPUTE_16F: return CUDA_R_16F;
    case CUBLAS_COMPUTE_64F: return CUDA_R_64F;
    case CUBLAS_COMPUTE_32I: return CUDA_R_32I;
    default: return CUDA_R_32F;
    }
}

static bool laid_out(const lt_layout &x)
{
    return x.ld >= (int64_t)(x.order == CUBLASLT_ORDER_ROW ? x.cols : x.rows) && x.count > 0;
}
static bool fits_int(const lt_layout &x)
{
    return x.rows <= INT_MAX && x.cols <= INT_MAX && x.ld <= INT_MAX;
}
static bool same_shape(const lt_layout &x, const lt_layout &y)
{
    return x.rows == y.rows && x.cols == y.cols && x.count == y.count;
}

/* Check a product, and set *p to its shapes and epilogue, without its pointers. */
static cublasStatus_t plan(const lt_desc &t, const lt_layout &a, const lt_layout &b, const lt_layout &c,
    const lt_layout &d, product_call *p)
{
    int opa = transposed((cublasOperation_t)t.opa), opb = transposed((cublasOperation_t)t.opb);
    uint64_t k = opa ? a.rows : a.cols;
    int with_bias = t.epilogue & CUBLASLT_EPILOGUE_BIAS, rest = t.epilogue & ~CUBLASLT_EPILOGUE_BIAS;
    int with_aux = rest == CUBLASLT_EPILOGUE_GELU_AUX || rest == CUBLASLT_EPILOGUE_DGELU;
    if (!laid_out(a) || !laid_out(b) || !laid_out(c) || !laid_out(d) || !same_shape(c, d) ||
        d.rows != (opa ? a.cols : a.rows) || d.cols != (opb ? b.rows : b.cols) ||
        k != (opb ? b.cols : b.rows) || a.count != d.count || b.count != d.count || (with_bias && !t.bias) ||
        (with_aux && (!t.aux || t.aux_ld < (int64_t)d.rows)))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!product_for((cudaDataType)a.type, (cudaDataType)b.type, (cudaDataType)d.type,
            (cublasComputeType_t)t.compute) ||
        c.type != d.type || t.scale != scale_for(t.compute) || transposed((cublasOperation_t)t.opc) ||
        c.order != CUBLASLT_ORDER_COL || d.order != CUBLASLT_ORDER_COL || !fits_int(a) || !fits_int(b) ||
        !fits_int(c) || !fits_int(d) || t.mode > CUBLASLT_POINTER_MODE_DEVICE ||
        (with_bias && t.bias_type >= 0 && t.bias_type != d.type) ||
        (t.epilogue != CUBLASLT_EPILOGUE_DEFAULT && (d.type == CUDA_R_64F || d.type == CUDA_R_32I)) ||
        (with_aux && d.count > 1) ||
        (rest > CUBLASLT_EPILOGUE_DEFAULT && rest != CUBLASLT_EPILOGUE_RELU &&
            rest != CUBLASLT_EPILOGUE_GELU && !with_aux))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    enum activation activation = rest == CUBLASLT_EPILOGUE_RELU    ? RELU
                               : rest == CUBLASLT_EPILOGUE_DGELU ? D_GELU
                               : rest > CUBLASLT_EPILOGUE_RELU   ? GELU : AS_IT_IS;
    *p = {(int)d.rows, (int)d.cols, (int)k, opa ^ (a.order == CUBLASLT_ORDER_ROW),
        opb ^ (b.order == CUBLASLT_ORDER_ROW), nullptr, nullptr, (int)a.ld, a.stride, nullptr, (int)b.ld,
        b.stride, nullptr, nullptr, (int)d.ld, d.stride, d.count, with_bias ? t.bias : nullptr, activation,
        with_aux ? t.aux : nullptr, (long)t.aux_ld};
    return CUBLAS_STATUS_SUCCESS;
}

/* Copy C to D, since the product reads C from where it writes D. */
static void copy_matrices(
    const void *c, const lt_layout &from, void *d, const lt_layout &to, cudaStream_t stream)
{
    size_t each = bytes_of(to.type);
    for (int i = 0; i < to.count; i++)
        cudaMemcpy2DAsync((char *)d + i * to.stride * (int64_t)each, (size_t)to.ld * each,
            (const char *)c + i * from.stride * (int64_t)each, (size_t)from.ld * each, to.rows * each,
            to.cols, cudaMemcpyDeviceToDevice, stream);
}

/* ---- what programs call ---- */

/* Define Destroy for one kind of object, and Set and Get for the attributes in its table. */
#define OBJECT(Kind, kind, Attribute) \
    static_assert(sizeof(lt_##kind) <= sizeof(cublasLt##Kind##Opaque_t), "the caller's object holds it"); \
    cublasStatus_t cublasLt##Kind##Destroy(cublasLt##Kind##_t object) \
    { \
        delete object; \
        return CUBLAS_STATUS_SUCCESS; \
    } \
    cublasStatus_t cublasLt##Kind##SetAttribute( \
        cublasLt##Kind##_t object, Attribute name, const void *value, size_t bytes) \
    { \
        const attribute *a = attribute_of(kind##_attributes, name); \
        if (!object || !value || !a || a->bytes != bytes) return CUBLAS_STATUS_INVALID_VALUE; \
        memcpy((char *)object->data + a->at, value, bytes); \
        return CUBLAS_STATUS_SUCCESS; \
    } \
    cublasStatus_t cublasLt##Kind##GetAttribute( \
        cublasLt##Kind##_t object, Attribute name, void *value, size_t bytes, size_t *written) \
    { \
        const attribute *a = attribute_of(kind##_attributes, name); \
        if (!object || !a || (bytes ? !value || bytes < a->bytes : !written)) \
            return CUBLAS_STATUS_INVALID_VALUE; \
        if (bytes) memcpy(value, (const char *)object->data + a->at, a->bytes); \
        if (written) *written = a->bytes; \
        return CUBLAS_STATUS_SUCCESS; \
    }

/* Initialize an object to a value. */
template <class Object, class Kind> static cublasStatus_t begin(Object *object, const Kind &kind)
{
    if (!object) return CUBLAS_STATUS_INVALID_VALUE;
    memset(object->data, 0, sizeof object->data);
    memcpy(object->data, &kind, sizeof kind);
    return CUBLAS_STATUS_SUCCESS;
}

template <class Object> static Object *made(Object **place) { return place ? *place = new Object : nullptr; }
template <class Kind, class Object> static Kind held(const Object *object)
{
    Kind kind;
    memcpy(&kind, object->data, sizeof kind);
    return kind;
}

extern "C" {
OBJECT(MatmulDesc, desc, cublasLtMatmulDescAttributes_t)
OBJECT(MatrixLayout, layout, cublasLtMatrixLayoutAttribute_t)
OBJECT(MatmulPreference, preference, cublasLtMatmulPreferenceAttributes_t)

cublasStatus_t cublasLtMatmulDescInit(
    cublasLtMatmulDesc_t object, cublasComputeType_t compute, cudaDataType scale)
{
    return begin(object, lt_desc{compute, scale, CUBLASLT_POINTER_MODE_HOST, CUBLAS_OP_N, CUBLAS_OP_N,
                             CUBLAS_OP_N, CUBLASLT_EPILOGUE_DEFAULT, -1, nullptr});
}
cublasStatus_t cublasLtMatmulDescCreate(
    cublasLtMatmulDesc_t *object, cublasComputeType_t compute, cudaDataType scale)
{
    return cublasLtMatmulDescInit(made(object), compute, scale);
}

cublasStatus_t cublasLtMatrixLayoutInit(
    cublasLtMatrixLayout_t object, cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld)
{
    return begin(object, lt_layout{type, CUBLASLT_ORDER_COL, rows, cols, ld, 0, 1});
}
cublasStatus_t cublasLtMatrixLayoutCreate(
    cublasLtMatrixLayout_t *object, cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld)
{
    return cublasLtMatrixLayoutInit(made(object), type, rows, cols, ld);
}

cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t object)
{
    return begin(object, lt_preference{});
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *object)
{
    return cublasLtMatmulPreferenceInit(made(object));
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t h, cublasLtMatmulDesc_t desc,
    cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
    cublasLtMatmulPreference_t preference, int requested, cublasLtMatmulHeuristicResult_t results[],
    int *returned)
{
    NEEDS(desc && a && b && c && d && preference && requested > 0 && results && returned);
    lt_desc t = held<lt_desc>(desc);
    product_call p;
    t.bias = t.bias ? t.bias : &p;
    t.aux = t.aux ? t.aux : &p; /* programs may set these two pointers after this call */
    *returned = 0;
    cublasStatus_t status =
        plan(t, held<lt_layout>(a), held<lt_layout>(b), held<lt_layout>(c), held<lt_layout>(d), &p);
    if (status) return status;
    results[0] = {{}, 0, CUBLAS_STATUS_SUCCESS, 1, {}};
    *returned = 1;
    return status;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t h, cublasLtMatmulDesc_t desc, const void *alpha,
    const void *a, cublasLtMatrixLayout_t a_layout, const void *b, cublasLtMatrixLayout_t b_layout,
    const void *beta, const void *c, cublasLtMatrixLayout_t c_layout, void *d,
    cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t *, void *, size_t, cudaStream_t stream)
{
    NEEDS(desc && alpha && beta && a && b && d && a_layout && b_layout && c_layout && d_layout);
    lt_desc t = held<lt_desc>(desc);
    lt_layout la = held<lt_layout>(a_layout), lb = held<lt_layout>(b_layout), lc = held<lt_layout>(c_layout),
              ld = held<lt_layout>(d_layout);
    product_call p;
    cublasStatus_t status = plan(t, la, lb, lc, ld, &p);
    if (status) return status;
    p.alpha = alpha, p.beta = beta, p.a = a, p.b = b, p.c = d;
    if (c && c != d) copy_matrices(c, lc, d, ld, stream);
    cublasContext call = {stream, (cublasPointerMode_t)t.mode, CUBLAS_DEFAULT_MATH, nullptr};
    return product_by_types(&call, (cudaDataType)la.type, (cudaDataType)lb.type, (cudaDataType)ld.type,
        (cublasComputeType_t)t.compute, p);
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t *h) { return cublasCreate(h); }
cublasStatus_t cublasLtDestroy(cublasLtHandle_t h) { return cublasDestroy(h); }
const char *cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char *cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }
size_t cublasLtGetVersion(void) { return CUDART_VERSION * 10; }
}

#endif
