// cuBLAS's everyday part, on whole numbers, whose sums are exact in any order.
// build: -lcublas
#include <cstdio>
#include <cublasXt.h>
#include <cublas_v2.h>

static void check(cublasStatus_t status, int line)
{
    if (status) std::printf("line %d: %s\n", line, cublasGetStatusName(status));
}
#define CHECK(call) check(call, __LINE__)

template <class T> static T *device(int n, int factor)
{
    T *p, *h = new T[n];
    for (int i = 0; i < n; i++) h[i] = T(i * factor % 7 - 3);
    cudaMalloc(&p, n * sizeof(T));
    cublasSetVector(n, sizeof(T), h, 1, p, 1);
    delete[] h;
    return p;
}

template <class T> static void show(const char *what, const T *p, int rows, int cols, int ld)
{
    T *h = new T[ld * cols];
    cublasGetMatrix(rows, cols, sizeof(T), p, ld, h, ld);
    double sum = 0;
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++) sum += (i + 2 * j) % 5 * h[i + j * ld];
    std::printf("%s: %g %g %g, %g\n", what, (double)h[0], (double)h[rows - 1], (double)h[rows - 1 + (cols - 1) * ld], sum);
    delete[] h;
}

int main()
{
    const int m = 70, n = 33, k = 45, ld = 80;
    cublasHandle_t handle;
    CHECK(cublasCreate(&handle));
    float *a = device<float>(ld * ld, 3), *b = device<float>(ld * ld, 5), *c = device<float>(ld * ld, 2), two = 2,
          minus = -1, zero = 0, result;
    int index;
    CHECK(cublasSaxpy(handle, 1000, &two, a, 1, b, 1)), show("axpy", b, 1000, 1, 1000);
    CHECK(cublasSscal(handle, 500, &minus, b, 2)), show("scal", b, 1000, 1, 1000);
    CHECK(cublasSdot(handle, 1000, a, 1, b, 2, &result)), std::printf("dot %g\n", result);
    CHECK(cublasSnrm2(handle, 4, a, 1, &result)), std::printf("nrm2 %.5f\n", result);
    CHECK(cublasSasum(handle, 1000, a, 1, &result)), std::printf("asum %g\n", result);
    CHECK(cublasIsamax(handle, 1000, b, 1, &index)), std::printf("amax at %d\n", index);
    CHECK(cublasIsamin(handle, 1000, b, 1, &index)), std::printf("amin at %d\n", index);
    CHECK(cublasSgemv(handle, CUBLAS_OP_N, m, k, &two, a, ld, b, 1, &minus, c, 1)), show("gemv", c, m, 1, ld);
    CHECK(cublasSgemv(handle, CUBLAS_OP_T, m, k, &two, a, ld, b, 1, &zero, c, 1)), show("gemv, transposed", c, k, 1, ld);
    CHECK(cublasSger(handle, m, n, &two, a, 1, b, 1, c, ld)), show("ger", c, m, n, ld);
    cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T};
    for (auto opa : ops)
        for (auto opb : ops) {
            CHECK(cublasSgemm(handle, opa, opb, m, n, k, &two, a, ld, b, ld, &minus, c, ld));
            show("gemm", c, m, n, ld);
        }
    CHECK(cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, m, k, &two, a, ld, &zero, c, ld)), show("syrk", c, m, m, ld);
    CHECK(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &two, a, ld, &minus, b, ld, c, ld)), show("geam", c, m, n, ld);
    CHECK(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &two, a, ld, &zero, nullptr, ld, c, ld)), show("transpose", c, m, n, ld);
    CHECK(cublasSdgmm(handle, CUBLAS_SIDE_RIGHT, m, n, a, ld, b, 1, c, ld)), show("dgmm", c, m, n, ld);
    CHECK(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, 9, 8, 7, &two, a, 9, 63, b, 8, 56, &zero, c, 9, 72, 20));
    show("batches", c, 9, 160, 9);

    // scalars on the device
    float *scalars;
    cudaMalloc(&scalars, 3 * sizeof(float));
    cublasSetVector(1, sizeof(float), &two, 1, scalars, 1);
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    CHECK(cublasSaxpy(handle, 100, scalars, a, 1, c, 1)), show("axpy", c, 100, 1, 100);
    CHECK(cublasSdot(handle, 100, a, 1, c, 1, scalars + 1)), show("dot", scalars, 2, 1, 2);
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));

    double *da = device<double>(ld * ld, 3), *db = device<double>(ld * ld, 5), *dc = device<double>(ld * ld, 2), half = 0.5, one = 1, sum;
    CHECK(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &half, da, ld, db, ld, &one, dc, ld)), show("dgemm", dc, m, n, ld);
    CHECK(cublasDaxpy(handle, 1000, &half, da, -1, dc, 2)), show("daxpy", dc, 2000, 1, 2000);
    CHECK(cublasDdot(handle, 1000, da, 1, dc, 2, &sum)), std::printf("ddot %g\n", sum);

    // copies in a stream: every second element; a part of a matrix
    float few[] = {1, 2, 3, 4, 5, 6}, part[6] = {};
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    CHECK(cublasSetVectorAsync(3, sizeof(float), few, 2, scalars, 1, stream)), CHECK(cublasGetVectorAsync(2, sizeof(float), scalars, 1, part, 3, stream));
    CHECK(cublasSetMatrixAsync(2, 3, sizeof(float), few, 2, c, ld, stream)), CHECK(cublasGetMatrixAsync(1, 3, sizeof(float), c + 1, ld, part + 1, 2, stream));
    cudaStreamSynchronize(stream);
    std::printf("%g %g %g %g %g %g\n", part[0], part[1], part[2], part[3], part[4], part[5]);
    // matrices of the host: a product with a row of C behind each column, which stays
    float left[] = {1, 2, 3, 4, 5, 6}, right[] = {1, 0, 2, 1, 1, 1}, product[] = {1, 1, 9, 1, 1, 9};
    int devices[] = {0};
    cublasXtHandle_t xt;
    CHECK(cublasXtCreate(&xt)), CHECK(cublasXtDeviceSelect(xt, 1, devices)), CHECK(cublasXtSetBlockDim(xt, 64));
    CHECK(cublasXtSgemm(xt, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &two, left, 2, right, 3, &minus, product, 3)), CHECK(cublasXtDestroy(xt));
    for (float x : product) std::printf("%g ", x);
    std::printf("\n");
    std::printf("%s\n", cublasGetStatusName(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &two, a, m - 1, b, ld, &zero, c, ld)));
    CHECK(cublasDestroy(handle));
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
