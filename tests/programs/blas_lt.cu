// cuBLASLt: products with a bias and an activation, on whole numbers, whose sums are exact in any order.
// build: -lcublasLt
#include <cstdio>
#include <cublasLt.h>
#include <cuda_fp16.h>

enum { M = 72, N = 40, K = 48, LD = 80, COUNT = 2 };

static void check(cublasStatus_t status, int line)
{
    if (status) std::printf("line %d: status %d\n", line, (int)status);
}
#define CHECK(call) check(call, __LINE__)

template <class T> static T *device(int factor)
{
    static T h[LD * LD * COUNT];
    T *p;
    for (int i = 0; i < LD * LD * COUNT; i++) h[i] = T((float)(i * factor % 7 - 3));
    cudaMalloc(&p, sizeof h);
    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
    return p;
}

template <class T> static void show(const char *what, const T *d)
{
    static T h[LD * LD * COUNT];
    double sum = 0;
    cudaDeviceSynchronize();
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int z = 0; z < COUNT; z++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < M; i++) sum += (i + 2 * j) % 5 * (double)(float)h[i + (j + z * N) * LD];
    std::printf("%s: %.4g %.4g %.4g, %.1f\n", what, (double)(float)h[0], (double)(float)h[M - 1], (double)(float)h[M - 1 + (N - 1) * LD], sum);
}

static cublasLtMatrixLayout_t layout(cudaDataType type, int rows, int cols)
{
    cublasLtMatrixLayout_t made;
    int count = COUNT;
    int64_t stride = (int64_t)cols * LD;
    CHECK(cublasLtMatrixLayoutCreate(&made, type, rows, cols, LD));
    CHECK(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count));
    CHECK(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride));
    return made;
}

struct product {
    const char *what;
    cublasOperation_t opa, opb;
    cublasLtEpilogue_t epilogue;
    float alpha, beta;
    bool in_place;
};

template <class T> static void run(cublasLtHandle_t handle, cudaDataType type, const product &p)
{
    T *a = device<T>(3), *b = device<T>(5), *c = device<T>(2), *d = p.in_place ? c : device<T>(1), *bias = device<T>(6);
    bool ta = p.opa != CUBLAS_OP_N, tb = p.opb != CUBLAS_OP_N;
    cublasLtMatrixLayout_t la = layout(type, ta ? K : M, ta ? M : K), lb = layout(type, tb ? N : K, tb ? K : N), lc = layout(type, M, N);
    cublasLtMatmulDesc_t desc;
    CHECK(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &p.opa, sizeof p.opa));
    CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSB, &p.opb, sizeof p.opb));
    CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &p.epilogue, sizeof p.epilogue));
    if (p.epilogue & CUBLASLT_EPILOGUE_BIAS)
        CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias));
    cublasLtMatmulPreference_t preference;
    size_t room = 1 << 20;
    void *workspace;
    cudaMalloc(&workspace, room);
    CHECK(cublasLtMatmulPreferenceCreate(&preference));
    CHECK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &room, sizeof room));
    cublasLtMatmulHeuristicResult_t found;
    int count = 0;
    CHECK(cublasLtMatmulAlgoGetHeuristic(handle, desc, la, lb, lc, lc, preference, 1, &found, &count));
    if (count)
        CHECK(cublasLtMatmul(handle, desc, &p.alpha, a, la, b, lb, &p.beta, c, lc, d, lc, &found.algo, workspace, room, 0));
    show(p.what, d);
    cublasLtMatmulPreferenceDestroy(preference);
    cublasLtMatmulDescDestroy(desc);
    cublasLtMatrixLayoutDestroy(la), cublasLtMatrixLayoutDestroy(lb), cublasLtMatrixLayoutDestroy(lc);
    cudaFree(workspace);
    cudaFree(a), cudaFree(b), cudaFree(bias), cudaFree(c);
    if (d != c) cudaFree(d);
}

// The caller's own objects, and attributes read back.
static void attributes()
{
    cublasLtMatmulDescOpaque_t desc;
    cublasLtMatrixLayoutOpaque_t matrix;
    cublasLtMatmulPreferenceOpaque_t preference;
    CHECK(cublasLtMatmulDescInit(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    CHECK(cublasLtMatrixLayoutInit(&matrix, CUDA_R_16F, 30, 20, 32));
    CHECK(cublasLtMatmulPreferenceInit(&preference));
    int epilogue = 0, op = -1, type = -1;
    uint64_t rows = 0;
    size_t written = 0;
    CHECK(cublasLtMatmulDescGetAttribute(&desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue, &written));
    CHECK(cublasLtMatmulDescGetAttribute(&desc, CUBLASLT_MATMUL_DESC_TRANSA, &op, sizeof op, nullptr));
    CHECK(cublasLtMatrixLayoutGetAttribute(&matrix, CUBLASLT_MATRIX_LAYOUT_TYPE, &type, sizeof type, nullptr));
    CHECK(cublasLtMatrixLayoutGetAttribute(&matrix, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows, sizeof rows, nullptr));
    std::printf("epilogue %d of %zu bytes, op %d, type %d, %d rows\n", epilogue, written, op, type, (int)rows);
    std::printf("too small: status %d\n", (int)cublasLtMatrixLayoutSetAttribute(&matrix, CUBLASLT_MATRIX_LAYOUT_ROWS, &type, sizeof type));
}

int main()
{
    const product products[] = {
        {"plain", CUBLAS_OP_N, CUBLAS_OP_N, CUBLASLT_EPILOGUE_DEFAULT, 1, 0, true},
        {"C is not D", CUBLAS_OP_T, CUBLAS_OP_N, CUBLASLT_EPILOGUE_DEFAULT, 2, -1, false},
        {"relu", CUBLAS_OP_N, CUBLAS_OP_T, CUBLASLT_EPILOGUE_RELU, 1, 0, true},
        {"bias", CUBLAS_OP_T, CUBLAS_OP_N, CUBLASLT_EPILOGUE_BIAS, -1, 1, true},
        {"bias, relu", CUBLAS_OP_T, CUBLAS_OP_N, CUBLASLT_EPILOGUE_RELU_BIAS, 1, 0, true},
        {"gelu", CUBLAS_OP_T, CUBLAS_OP_N, CUBLASLT_EPILOGUE_GELU, 0.03125f, 0, true},
        {"bias, gelu", CUBLAS_OP_T, CUBLAS_OP_N, CUBLASLT_EPILOGUE_GELU_BIAS, 0.03125f, 0, true},
    };
    cublasLtHandle_t handle;
    CHECK(cublasLtCreate(&handle));
    for (const product &p : products) run<float>(handle, CUDA_R_32F, p);
    std::printf("halves\n");
    for (const product &p : products) run<__half>(handle, CUDA_R_16F, p);
    attributes();
    CHECK(cublasLtDestroy(handle));
}
