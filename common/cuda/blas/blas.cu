// blas.cu - cuBLAS's calls: arguments checked, scalars fetched, a kernel of kernels.h launched.
//
//     cublasSgemm(handle, ...) ──> product() ──> blas_gemm<float><<<...>>> in the handle's stream
//
// Source: cuBLAS Library, documentation.
#include "cublasLt.h"
#include "cublasXt.h"
#include "kernels.h"

#include <cstdio>
#include <cstring>

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t mode;
    cublasMath_t math;
    double *parts; // partial results of a sum: PARTS of them, then space for the result
};

static cublasStatus_t launched()
{
    return cudaPeekAtLastError() ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
}

// The value of a scalar, which is on the host or on the device, as the pointer mode says.
template <class T> static T scalar(cublasHandle_t h, const T *p)
{
    if (h->mode == CUBLAS_POINTER_MODE_HOST) return *p;
    T value = T(0);
    cudaMemcpyAsync(&value, p, sizeof value, cudaMemcpyDeviceToHost, h->stream);
    cudaStreamSynchronize(h->stream);
    return value;
}

// How many blocks n threads need, with `each` threads in a block.
static unsigned blocks(long n, int each = THREADS) { return (unsigned)((n + each - 1) / each); }
static unsigned few_blocks(long n) { return n < (long)THREADS * PARTS ? blocks(n) : PARTS; }
static int transposed(cublasOperation_t op) { return op != CUBLAS_OP_N; }
static int least(int a, int b) { return a > b ? a : b; }

#define NEEDS(condition) \
    do { \
        if (!h) return CUBLAS_STATUS_NOT_INITIALIZED; \
        if (!(condition)) return CUBLAS_STATUS_INVALID_VALUE; \
    } while (0)

// ---- vectors ----

template <class T>
static cublasStatus_t axpy(cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *y, int incy)
{
    NEEDS(alpha);
    if (n > 0) blas_axpy<<<few_blocks(n), THREADS, 0, h->stream>>>(n, scalar(h, alpha), x, incx, y, incy);
    return launched();
}

template <class T> static cublasStatus_t scal(cublasHandle_t h, int n, const T *alpha, T *x, int incx)
{
    NEEDS(alpha);
    if (n > 0 && incx > 0) blas_scal<<<few_blocks(n), THREADS, 0, h->stream>>>(n, scalar(h, alpha), x, incx);
    return launched();
}

template <class T> static cublasStatus_t copy(cublasHandle_t h, int n, const T *x, int incx, T *y, int incy)
{
    NEEDS(1);
    if (n > 0) blas_copy<<<few_blocks(n), THREADS, 0, h->stream>>>(n, x, incx, y, incy);
    return launched();
}

template <class T> static cublasStatus_t swap(cublasHandle_t h, int n, T *x, int incx, T *y, int incy)
{
    NEEDS(1);
    if (n > 0) blas_swap<<<few_blocks(n), THREADS, 0, h->stream>>>(n, x, incx, y, incy);
    return launched();
}

// Where a kernel writes a result: to the caller's pointer if that is on the device, else to memory of the
// handle.
template <class T> static T *room(cublasHandle_t h, T *result)
{
    return h->mode == CUBLAS_POINTER_MODE_DEVICE ? result : (T *)(h->parts + PARTS);
}

template <class T> static cublasStatus_t deliver(cublasHandle_t h, T *result)
{
    if (h->mode == CUBLAS_POINTER_MODE_HOST) {
        cudaMemcpyAsync(result, h->parts + PARTS, sizeof *result, cudaMemcpyDeviceToHost, h->stream);
        cudaStreamSynchronize(h->stream);
    }
    return launched();
}

template <class T>
static cublasStatus_t sum(
    enum sum what, cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result)
{
    NEEDS(result);
    unsigned count = n > 0 ? few_blocks(n) : 0;
    if (count) blas_sum<<<count, THREADS, 0, h->stream>>>(what, n, x, incx, y, incy, h->parts);
    blas_sum_parts<<<1, THREADS, 0, h->stream>>>(what, (int)count, h->parts, room(h, result));
    return deliver(h, result);
}

template <class T>
static cublasStatus_t extreme(cublasHandle_t h, int n, const T *x, int incx, int smallest, int *result)
{
    NEEDS(result);
    blas_iamax<<<1, THREADS, 0, h->stream>>>(incx > 0 ? n : 0, x, incx, smallest, room(h, result));
    return deliver(h, result);
}

// ---- a matrix and vectors ----

template <class T>
static cublasStatus_t gemv(cublasHandle_t h, cublasOperation_t op, int m, int n, const T *alpha, const T *a,
    int lda, const T *x, int incx, const T *beta, T *y, int incy)
{
    NEEDS(m >= 0 && n >= 0 && lda >= least(1, m) && incx && incy && alpha && beta);
    T by = scalar(h, alpha), keep = scalar(h, beta);
    if (!m || !n) return CUBLAS_STATUS_SUCCESS;
    if (transposed(op))
        blas_gemv_t<<<blocks(32L * n), THREADS, 0, h->stream>>>(m, n, by, a, lda, x, incx, keep, y, incy);
    else blas_gemv<<<blocks(m, 128), 128, 0, h->stream>>>(m, n, by, a, lda, x, incx, keep, y, incy);
    return launched();
}

template <class T>
static cublasStatus_t ger(
    cublasHandle_t h, int m, int n, const T *alpha, const T *x, int incx, const T *y, int incy, T *a, int lda)
{
    NEEDS(m >= 0 && n >= 0 && lda >= least(1, m) && incx && incy && alpha);
    if (m && n)
        blas_ger<<<dim3(blocks(m), n), THREADS, 0, h->stream>>>(
            m, n, scalar(h, alpha), x, incx, y, incy, a, lda);
    return launched();
}

// ---- matrices ----

// Prints to stdout which argument of a product is invalid, in BLAS's words: LDA is the eighth of SGEMM, and
// the ninth of GEMM_EX, which has each matrix's type before its leading dimension.
template <class T, class Out, class Sum> static int illegal(const char *name, const gemm<T, Out, Sum> &p)
{
    int types = strcmp(name, "GEMM_EX") == 0;
    int argument = p.m < 0 ? 3 : p.n < 0 ? 4 : p.k < 0 ? 5
                 : p.lda < least(1, p.a_by_rows ? p.k : p.m) ? 8 + types
                 : p.ldb < least(1, p.b_by_rows ? p.n : p.k) ? 10 + 2 * types
                 : p.ldc < least(1, p.m) ? 13 + 3 * types : 0;
    if (argument)
        std::printf(" ** On entry to %s  parameter number %d had an illegal value\n", name, argument);
    return argument;
}

static const char *name_of(float) { return "SGEMM"; }
static const char *name_of(double) { return "DGEMM"; }
static const char *name_of(__half) { return "HGEMM"; }

template <class T, class Out, class Sum>
static cublasStatus_t product(cublasHandle_t h, const char *name, const gemm<T, Out, Sum> &p, int count)
{
    NEEDS(count >= 0 && !illegal(name, p));
    if (p.m && p.n && count)
        blas_gemm<<<dim3(blocks(p.m, TILE), blocks(p.n, TILE), count), THREADS, 0, h->stream>>>(p);
    return launched();
}

template <class T>
static cublasStatus_t gemm_strided(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m,
    int n, int k, const T *alpha, const T *a, int lda, long long stride_a, const T *b, int ldb,
    long long stride_b, const T *beta, T *c, int ldc, long long stride_c, int count)
{
    NEEDS(alpha && beta);
    return product<T, T, T>(h, name_of(T()),
        {m, n, k, lda, ldb, ldc, transposed(opa), transposed(opb), 0, scalar(h, alpha),
            scalar(h, beta), {a, nullptr, stride_a}, {b, nullptr, stride_b}, {c, nullptr, stride_c}},
        count);
}

template <class T>
static cublasStatus_t gemm_listed(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m,
    int n, int k, const T *alpha, const T *const a[], int lda, const T *const b[], int ldb, const T *beta,
    T *const c[], int ldc, int count)
{
    NEEDS(alpha && beta);
    return product<T, T, T>(h, name_of(T()),
        {m, n, k, lda, ldb, ldc, transposed(opa), transposed(opb), 0, scalar(h, alpha),
            scalar(h, beta), {nullptr, a, 0}, {nullptr, b, 0}, {nullptr, c, 0}},
        count);
}

// C = alpha A A^T + beta C, or alpha A^T A + beta C, of which one triangle is computed.
template <class T>
static cublasStatus_t syrk(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
    const T *alpha, const T *a, int lda, const T *beta, T *c, int ldc)
{
    NEEDS(alpha && beta && fill != CUBLAS_FILL_MODE_FULL);
    return product<T, T, T>(h, name_of(T()),
        {n, n, k, lda, lda, ldc, transposed(op), !transposed(op), fill == CUBLAS_FILL_MODE_LOWER ? 1 : 2,
            scalar(h, alpha), scalar(h, beta), {a, nullptr, 0}, {a, nullptr, 0}, {c, nullptr, 0}},
        1);
}

template <class T>
static cublasStatus_t geam(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n,
    const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int ldc)
{
    NEEDS(m >= 0 && n >= 0 && alpha && beta && ldc >= least(1, m));
    T by = scalar(h, alpha), keep = scalar(h, beta);
    NEEDS((by == 0 || lda >= least(1, transposed(opa) ? n : m)) &&
          (keep == 0 || ldb >= least(1, transposed(opb) ? n : m)));
    if (m && n)
        blas_geam<<<dim3(blocks(m, SIDE), blocks(n, SIDE)), SIDE * SIDE, 0, h->stream>>>(
            m, n, transposed(opa), transposed(opb), by, a, lda, keep, b, ldb, c, ldc);
    return launched();
}

template <class T>
static cublasStatus_t dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const T *a, int lda,
    const T *x, int incx, T *c, int ldc)
{
    NEEDS(m >= 0 && n >= 0 && lda >= least(1, m) && ldc >= least(1, m));
    if (m && n)
        blas_dgmm<<<dim3(blocks(m), n), THREADS, 0, h->stream>>>(
            side == CUBLAS_SIDE_LEFT, m, n, a, lda, x, incx, c, ldc);
    return launched();
}

#include "mixed.h"
#include "lt.h"

// ---- what programs call ----

#define EXPORT_PRODUCTS(S, T) \
    cublasStatus_t cublas##S##gemm(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, \
        int n, int k, const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, \
        int ldc) \
    { \
        return gemm_strided(h, opa, opb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1); \
    } \
    cublasStatus_t cublas##S##gemmStridedBatched(cublasHandle_t h, cublasOperation_t opa, \
        cublasOperation_t opb, int m, int n, int k, const T *alpha, const T *a, int lda, long long stride_a, \
        const T *b, int ldb, long long stride_b, const T *beta, T *c, int ldc, long long stride_c, \
        int count) \
    { \
        return gemm_strided( \
            h, opa, opb, m, n, k, alpha, a, lda, stride_a, b, ldb, stride_b, beta, c, ldc, stride_c, count); \
    } \
    cublasStatus_t cublas##S##gemmBatched(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, \
        int m, int n, int k, const T *alpha, const T *const a[], int lda, const T *const b[], int ldb, \
        const T *beta, T *const c[], int ldc, int count) \
    { \
        return gemm_listed(h, opa, opb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, count); \
    }

#define EXPORT(S, s, T) \
    cublasStatus_t cublas##S##axpy( \
        cublasHandle_t h, int n, const T *alpha, const T *x, int incx, T *y, int incy) \
    { \
        return axpy(h, n, alpha, x, incx, y, incy); \
    } \
    cublasStatus_t cublas##S##scal(cublasHandle_t h, int n, const T *alpha, T *x, int incx) \
    { \
        return scal(h, n, alpha, x, incx); \
    } \
    cublasStatus_t cublas##S##copy(cublasHandle_t h, int n, const T *x, int incx, T *y, int incy) \
    { \
        return copy(h, n, x, incx, y, incy); \
    } \
    cublasStatus_t cublas##S##swap(cublasHandle_t h, int n, T *x, int incx, T *y, int incy) \
    { \
        return swap(h, n, x, incx, y, incy); \
    } \
    cublasStatus_t cublas##S##dot( \
        cublasHandle_t h, int n, const T *x, int incx, const T *y, int incy, T *result) \
    { \
        return sum(DOT, h, n, x, incx, y, incy, result); \
    } \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t h, int n, const T *x, int incx, T *result) \
    { \
        return sum(NRM2, h, n, x, incx, x, incx, result); \
    } \
    cublasStatus_t cublas##S##asum(cublasHandle_t h, int n, const T *x, int incx, T *result) \
    { \
        return sum(ASUM, h, n, x, incx, x, incx, result); \
    } \
    cublasStatus_t cublasI##s##amax(cublasHandle_t h, int n, const T *x, int incx, int *result) \
    { \
        return extreme(h, n, x, incx, 0, result); \
    } \
    cublasStatus_t cublasI##s##amin(cublasHandle_t h, int n, const T *x, int incx, int *result) \
    { \
        return extreme(h, n, x, incx, 1, result); \
    } \
    cublasStatus_t cublas##S##gemv(cublasHandle_t h, cublasOperation_t op, int m, int n, const T *alpha, \
        const T *a, int lda, const T *x, int incx, const T *beta, T *y, int incy) \
    { \
        return gemv(h, op, m, n, alpha, a, lda, x, incx, beta, y, incy); \
    } \
    cublasStatus_t cublas##S##ger(cublasHandle_t h, int m, int n, const T *alpha, const T *x, int incx, \
        const T *y, int incy, T *a, int lda) \
    { \
        return ger(h, m, n, alpha, x, incx, y, incy, a, lda); \
    } \
    cublasStatus_t cublas##S##syrk(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, \
        int k, const T *alpha, const T *a, int lda, const T *beta, T *c, int ldc) \
    { \
        return syrk(h, fill, op, n, k, alpha, a, lda, beta, c, ldc); \
    } \
    cublasStatus_t cublas##S##geam(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, \
        int n, const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int ldc) \
    { \
        return geam(h, opa, opb, m, n, alpha, a, lda, beta, b, ldb, c, ldc); \
    } \
    cublasStatus_t cublas##S##dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const T *a, \
        int lda, const T *x, int incx, T *c, int ldc) \
    { \
        return dgmm(h, side, m, n, a, lda, x, incx, c, ldc); \
    }

extern "C" {
EXPORT(S, s, float)
EXPORT(D, d, double)
EXPORT_PRODUCTS(S, float)
EXPORT_PRODUCTS(D, double)
EXPORT_PRODUCTS(H, __half)

cublasStatus_t cublasCreate(cublasHandle_t *handle)
{
    if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
    cublasHandle_t h = new cublasContext();
    if (cudaMalloc(&h->parts, (PARTS + 1) * sizeof *h->parts)) {
        delete h;
        return CUBLAS_STATUS_ALLOC_FAILED;
    }
    *handle = h;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t h)
{
    NEEDS(1);
    cudaFree(h->parts);
    delete h;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t h, int *version)
{
    NEEDS(version);
    *version = CUDART_VERSION * 10;
    return CUBLAS_STATUS_SUCCESS;
}

#define ATTRIBUTE(Name, type, member) \
    cublasStatus_t cublasSet##Name(cublasHandle_t h, type value) \
    { \
        NEEDS(1); \
        h->member = value; \
        return CUBLAS_STATUS_SUCCESS; \
    } \
    cublasStatus_t cublasGet##Name(cublasHandle_t h, type *value) \
    { \
        NEEDS(value); \
        *value = h->member; \
        return CUBLAS_STATUS_SUCCESS; \
    }
ATTRIBUTE(Stream, cudaStream_t, stream)
ATTRIBUTE(PointerMode, cublasPointerMode_t, mode)
ATTRIBUTE(MathMode, cublasMath_t, math)

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t h, cublasAtomicsMode_t)
{
    NEEDS(1);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace(cublasHandle_t h, void *, size_t)
{
    NEEDS(1);
    return CUBLAS_STATUS_SUCCESS;
}

/* stream: of a call that returns before the copy has ended; NULL: the others */
static cublasStatus_t rows(int bytes, int width, int height, const void *from, int from_pitch, void *to,
    int to_pitch, cudaMemcpyKind kind, const cudaStream_t *stream)
{
    if (bytes <= 0 || width < 0 || height < 0 || from_pitch < width || to_pitch < width)
        return CUBLAS_STATUS_INVALID_VALUE;
    size_t row = (size_t)width * bytes, to_row = (size_t)to_pitch * bytes;
    size_t from_row = (size_t)from_pitch * bytes;
    cudaError_t error = stream ? cudaMemcpy2DAsync(to, to_row, from, from_row, row, height, kind, *stream)
                               : cudaMemcpy2D(to, to_row, from, from_row, row, height, kind);
    return error ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS;
}
#define COPIES(Set, kind) \
    cublasStatus_t cublas##Set##Vector(int n, int bytes, const void *x, int incx, void *y, int incy) \
    { \
        return rows(bytes, 1, n, x, incx, y, incy, kind, NULL); \
    } \
    cublasStatus_t cublas##Set##VectorAsync(int n, int bytes, const void *x, int incx, void *y, int incy, \
        cudaStream_t stream) \
    { \
        return rows(bytes, 1, n, x, incx, y, incy, kind, &stream); \
    } \
    cublasStatus_t cublas##Set##Matrix(int m, int n, int bytes, const void *a, int lda, void *b, int ldb) \
    { \
        return rows(bytes, m, n, a, lda, b, ldb, kind, NULL); \
    } \
    cublasStatus_t cublas##Set##MatrixAsync(int m, int n, int bytes, const void *a, int lda, void *b, \
        int ldb, cudaStream_t stream) \
    { \
        return rows(bytes, m, n, a, lda, b, ldb, kind, &stream); \
    }
COPIES(Set, cudaMemcpyHostToDevice)
COPIES(Get, cudaMemcpyDeviceToHost)

static const struct {
    cublasStatus_t status;
    const char *name, *text;
} statuses[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
        "an unsupported value or parameter was passed to the function"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "the GPU program failed to execute"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED",
        "the functionality requested is not supported"},
};
const char *cublasGetStatusName(cublasStatus_t status)
{
    for (auto &s : statuses)
        if (s.status == status) return s.name;
    return "CUBLAS_STATUS_UNKNOWN";
}
const char *cublasGetStatusString(cublasStatus_t status)
{
    for (auto &s : statuses)
        if (s.status == status) return s.text;
    return "unknown error";
}
}

#include "xt.h"
