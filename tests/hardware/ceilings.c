/* ceilings.c - cudaMemcpy and cuBLAS, timed in the same way as the kernels.
 *
 *     row-major  C = A B          is, to cuBLAS, which is column-major,  C^T = B^T A^T
 *     row-major  C = A A^T        is                                      C = (A^T)^T A^T
 *
 * So the routines get the same buffers as the kernels, with the operands exchanged or transposed.
 * Sources: CUDA Driver API and cuBLAS references. The parameter types below are those of their ABI.
 */
#include "hardware/ceilings.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The values of CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_FILL_MODE_LOWER, CUDA_R_32F, CUDA_R_16F,
 * CUBLAS_COMPUTE_32F, CUBLAS_COMPUTE_32F_FAST_TF32 and CUBLAS_GEMM_DEFAULT, and the number of timed
 * runs. */
enum {
    OP_PLAIN = 0,
    OP_TURNED = 1,
    LOWER_HALF = 0,
    REAL_32 = 0,
    REAL_16 = 2,
    COMPUTE_FLOAT = 68,
    COMPUTE_TF32 = 77,
    ANY_ALGORITHM = -1,
    RUNS = 15
};

/* ENTRY(variable, name in the library, parameters) */
#define DRIVER \
    ENTRY(version, cuDriverGetVersion, (int *)) \
    ENTRY(copy, cuMemcpyDtoD_v2, (unsigned long long, unsigned long long, size_t)) \
    ENTRY(synchronize, cuCtxSynchronize, (void)) \
    ENTRY(event_create, cuEventCreate, (void **, unsigned)) \
    ENTRY(event_destroy, cuEventDestroy_v2, (void *)) \
    ENTRY(event_record, cuEventRecord, (void *, void *)) \
    ENTRY(event_synchronize, cuEventSynchronize, (void *)) \
    ENTRY(event_elapsed, cuEventElapsedTime, (float *, void *, void *))
#define CUBLAS \
    ENTRY(create, cublasCreate_v2, (void **)) \
    ENTRY(destroy, cublasDestroy_v2, (void *)) \
    ENTRY(get_version, cublasGetVersion_v2, (void *, int *)) \
    ENTRY(gemm, cublasSgemm_v2, \
        (void *, int, int, int, int, int, const float *, const float *, int, const float *, int, \
            const float *, float *, int)) \
    ENTRY(geam, cublasSgeam, \
        (void *, int, int, int, int, const float *, const float *, int, const float *, \
            const float *, int, float *, int)) \
    ENTRY(gemm_ex, cublasGemmEx, \
        (void *, int, int, int, int, int, const float *, const float *, int, int, const float *, \
            int, int, const float *, float *, int, int, int, int)) \
    ENTRY(syrk, cublasSsyrk_v2, \
        (void *, int, int, int, int, const float *, const float *, int, const float *, float *, \
            int))

/* The functions found in each library. handle is cuBLAS's context; number is its version as
 * text. */
static struct {
#define ENTRY(variable, name, params) int(*variable) params;
    DRIVER
#undef ENTRY
} driver;
static struct {
#define ENTRY(variable, name, params) int(*variable) params;
    CUBLAS
#undef ENTRY
    void *handle;
    char number[32];
} blas;

/* Resolve the driver's functions. Returns 0 if all of them are there. After a failure the next call
 * searches again. */
static int find_driver(void)
{
    static int found;
    void *lib = found ? NULL : dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    int whole = lib != NULL;
#define ENTRY(variable, name, params) \
    *(void **)&driver.variable = whole ? dlsym(lib, #name) : NULL; \
    whole = whole && driver.variable;
    if (!found) {
        DRIVER
        found = whole;
    }
#undef ENTRY
    return found ? 0 : -1;
}

/* Find cuBLAS, resolve its functions and create its context. It is tried once; later calls
 * return that result. */
static int find_blas(void)
{
    static const char *const names[] = {
        "libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so", NULL};
    static int tried;
    void *lib = NULL;
    for (const char *const *n = names; *n && !lib && !tried; n++)
        lib = dlopen(*n, RTLD_NOW | RTLD_LOCAL);
    int whole = lib != NULL, number = 0;
#define ENTRY(variable, name, params) \
    *(void **)&blas.variable = whole ? dlsym(lib, #name) : NULL; \
    whole = whole && blas.variable;
    if (!tried) {
        CUBLAS
        tried = 1;
        if (whole && blas.create(&blas.handle)) blas.handle = NULL;
        if (blas.handle && !blas.get_version(blas.handle, &number)) /* 130100 is 13.1.0 */
            snprintf(blas.number, sizeof blas.number, "%d.%d.%d", number / 10000,
                number / 100 % 100, number % 100);
    }
#undef ENTRY
    return blas.handle ? 0 : -1;
}

const char *ceilings_cuda_version(void)
{
    static char text[32] = "-";
    int number = 0;
    if (!find_driver() && !driver.version(&number)) /* 13000 is 13.0 */
        snprintf(text, sizeof text, "%d.%d", number / 1000, number % 1000 / 10);
    return text;
}

const char *ceilings_cublas_version(void)
{
    return !find_blas() && *blas.number ? blas.number : "-";
}

/* ---- the routines ---- */

typedef int routine(const struct field *f);

static float *pointer(const struct field *f, int buffer)
{
    return (float *)(uintptr_t)f->data[buffer];
}

static const float one = 1, zero = 0;

static int copy(const struct field *f)
{
    return driver.copy(f->data[1], f->data[0], sizeof(float) * f->dims[0] * f->dims[1]);
}

static int geam(const struct field *f)
{
    int rows = f->dims[0], cols = f->dims[1];
    return blas.geam(blas.handle, OP_TURNED, OP_PLAIN, rows, cols, &one, pointer(f, 0), cols, &zero,
        pointer(f, 1), rows, pointer(f, 1), rows);
}

static int gemm(const struct field *f)
{
    int m = f->dims[0], k = f->dims[1], n = f->dims[2];
    return blas.gemm(blas.handle, OP_PLAIN, OP_PLAIN, n, m, k, &one, pointer(f, 1), n,
        pointer(f, 0), k, &zero, pointer(f, 2), n);
}

/* C = A B by tensor cores, with factors rounded to TF32. */
static int gemm_tf32(const struct field *f)
{
    int m = f->dims[0], k = f->dims[1], n = f->dims[2];
    return blas.gemm_ex(blas.handle, OP_PLAIN, OP_PLAIN, n, m, k, &one, pointer(f, 1), REAL_32, n,
        pointer(f, 0), REAL_32, k, &zero, pointer(f, 2), REAL_32, n, COMPUTE_TF32, ANY_ALGORITHM);
}

/* C = A B of halves, by tensor cores; sums and outputs are floats. */
static int gemm_half(const struct field *f)
{
    int m = f->dims[0], k = f->dims[1], n = f->dims[2];
    return blas.gemm_ex(blas.handle, OP_PLAIN, OP_PLAIN, n, m, k, &one, pointer(f, 1), REAL_16, n,
        pointer(f, 0), REAL_16, k, &zero, pointer(f, 2), REAL_32, n, COMPUTE_FLOAT, ANY_ALGORITHM);
}

static int gemm_aat(const struct field *f)
{
    int m = f->dims[0], w = f->dims[1];
    return blas.gemm(blas.handle, OP_TURNED, OP_PLAIN, m, m, w, &one, pointer(f, 0), w,
        pointer(f, 0), w, &zero, pointer(f, 1), m);
}

static int syrk(const struct field *f)
{
    int m = f->dims[0], w = f->dims[1];
    return blas.syrk(
        blas.handle, LOWER_HALF, OP_TURNED, m, w, &one, pointer(f, 0), w, &zero, pointer(f, 1), m);
}

enum { PART, WHOLE, ROUNDED };
/* The routines for each problem. */
static const struct ceiling {
    const char *problem, *name;
    routine *run;
    /* whole: WHOLE: the routine computes the entire output, which is checked; PART: only a part of
     * it; ROUNDED: the entire output from factors that it rounds, so only the error is reported */
    int needs_blas, whole;
} ceilings[] = {
    {"copy", "cudaMemcpy, device to device", copy, 0, WHOLE},
    {"transpose", "cublasSgeam", geam, 1, WHOLE},
    {"matmul", "cublasSgemm", gemm, 1, WHOLE},
    {"matmul", "cublasGemmEx, TF32", gemm_tf32, 1, ROUNDED},
    {"matmul_halves", "cublasGemmEx, half", gemm_half, 1, WHOLE},
    {"aat", "cublasSgemm", gemm_aat, 1, WHOLE},
    {"aat", "cublasSsyrk (half of C)", syrk, 1, PART},
};

/* ---- timing ---- */

/* One run from a cold L2, timed by two events around it. */
static int run_once(
    const struct ceiling *c, const struct field *f, void *const *event, double *ms, struct err *e)
{
    float elapsed = 0;
    if (device_flush(f->device, e)) return -1;
    int bad = driver.event_record(event[0], NULL) || c->run(f) ||
              driver.event_record(event[1], NULL) || driver.event_synchronize(event[1]) ||
              driver.synchronize() || driver.event_elapsed(&elapsed, event[0], event[1]);
    *ms = elapsed;
    return bad ? err_set(e, ERR_ENV, "%s failed", c->name) : 0;
}

/* A warm-up, then the median of RUNS runs. The output is checked if the routine computes all of
 * it. */
static int time_one(
    const struct ceiling *c, struct field *f, double *ms, double *error, struct err *e)
{
    void *event[2] = {0};
    double times[RUNS], warm;
    if (driver.event_create(&event[0], 0) || driver.event_create(&event[1], 0))
        return err_set(e, ERR_ENV, "the driver makes no timer");
    int bad = run_once(c, f, event, &warm, e);
    for (int i = 0; i < RUNS && !bad; i++) bad = run_once(c, f, event, &times[i], e);
    driver.event_destroy(event[0]);
    driver.event_destroy(event[1]);
    qsort(times, RUNS, sizeof *times, compare_doubles);
    *ms = times[RUNS / 2];
    *error = bad || c->whole == PART ? NAN : field_error(f, e);
    return bad || *error < 0 || (c->whole == WHOLE && field_check(f, c->name, e)) ? -1 : 0;
}

/* Call done for each routine of the field's problem. Without cuBLAS its routines are skipped,
 * not failed. */
int ceilings_measure(
    struct field *f, ceiling_done *done, void *context, const char **missing, struct err *e)
{
    *missing = NULL;
    if (find_driver()) return err_set(e, ERR_ENV, "the driver lacks what timing a copy needs");
    for (size_t i = 0; i < sizeof ceilings / sizeof *ceilings; i++) {
        const struct ceiling *c = &ceilings[i];
        double ms = 0, error = NAN;
        if (strcmp(c->problem, f->problem->name)) continue;
        if (c->needs_blas && find_blas()) {
            *missing = "libcublas is not found: its directory belongs into LD_LIBRARY_PATH";
            continue;
        }
        if (time_one(c, f, &ms, &error, e)) return -1;
        done(context, c->name, ms, error);
    }
    return 0;
}
