// Products by nvcuda::wmma: every shape and type that it has, both layouts, and the hash of the results.
#include <cstdio>
#include <cstdint>
#include <type_traits>
#include <mma.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
using namespace nvcuda;

template <int m, int n, int k, class T, class S, class C, class LA, class LB>
__global__ void product(const S *a, const S *b, const C *c, C *d, int lda, int ldb, int ldc, bool shared)
{
    extern __shared__ __align__(32) unsigned char room[];
    S *sa = (S *)room, *sb = sa + m * k;
    for (int i = threadIdx.x; i < m * k; i += 32) sa[i] = a[i];
    for (int i = threadIdx.x; i < n * k; i += 32) sb[i] = b[i];
    __syncthreads();
    wmma::fragment<wmma::matrix_a, m, n, k, T, LA> fa;
    wmma::fragment<wmma::matrix_b, m, n, k, T, LB> fb;
    wmma::fragment<wmma::accumulator, m, n, k, C> fc, fd;
    if (shared) {
        wmma::load_matrix_sync(fa, sa, lda);
        wmma::load_matrix_sync(fb, sb, ldb);
    } else {
        wmma::load_matrix_sync(fa, a, lda);
        wmma::load_matrix_sync(fb, b, ldb);
    }
    wmma::load_matrix_sync(fc, c, ldc, ldc == n ? wmma::mem_row_major : wmma::mem_col_major);
    wmma::mma_sync(fd, fa, fb, fc);
    for (int i = 0; i < fd.num_elements; i++) fd.x[i] = fd.x[i] + fd.x[i];
    wmma::store_matrix_sync(d, fd, n, wmma::mem_row_major);
    wmma::store_matrix_sync(d + m * n, fd, m, wmma::mem_col_major);
}

static uint32_t state = 1;
static int next() { return (int)((state = state * 1664525 + 1013904223) >> 24) - 128; }
template <class T> static T number() { return T((float)next() / 16); }
template <> int number<int>() { return next(); }
template <> signed char number<signed char>() { return (signed char)next(); }
template <> unsigned char number<unsigned char>() { return (unsigned char)next(); }
template <> double number<double>() { return next() / 16.0; }

template <int m, int n, int k, class T, class S, class C, class LA, class LB> static void run(const char *name)
{
    const bool row_a = std::is_same<LA, wmma::row_major>::value, row_b = std::is_same<LB, wmma::row_major>::value;
    S *a, *b;
    C *c, *d;
    cudaMallocManaged(&a, sizeof(S) * m * k), cudaMallocManaged(&b, sizeof(S) * n * k);
    cudaMallocManaged(&c, sizeof(C) * m * n), cudaMallocManaged(&d, sizeof(C) * 2 * m * n);
    for (int i = 0; i < m * k; i++) a[i] = number<S>();
    for (int i = 0; i < n * k; i++) b[i] = number<S>();
    for (int i = 0; i < m * n; i++) c[i] = number<C>();
    printf("%-12s %2dx%2dx%2d %s%s", name, m, n, k, row_a ? "row " : "col ", row_b ? "row" : "col");
    for (int shared = 0; shared < 2; shared++) {
        int ldc = shared ? m : n; // C by columns the second time
        product<m, n, k, T, S, C, LA, LB><<<1, 32, sizeof(S) * (m * k + n * k)>>>(a, b, c, d, row_a ? k : m, row_b ? n : k, ldc, shared);
        if (cudaDeviceSynchronize()) printf(" %s", cudaGetErrorString(cudaGetLastError()));
        uint64_t h = 0xcbf29ce484222325u;
        for (size_t i = 0; i < 2 * m * n; i++) h = (h ^ (uint64_t)(int64_t)(double)((double)d[i] * 256)) * 0x100000001b3u;
        printf(" %016llx", (unsigned long long)h);
    }
    printf("\n");
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
}
template <int m, int n, int k, class T, class S, class C> static void layouts(const char *name)
{
    run<m, n, k, T, S, C, wmma::row_major, wmma::col_major>(name);
    run<m, n, k, T, S, C, wmma::col_major, wmma::row_major>(name);
}
template <class T, class S, class C> static void shapes(const char *name)
{
    layouts<16, 16, 16, T, S, C>(name);
    layouts<32, 8, 16, T, S, C>(name);
    layouts<8, 32, 16, T, S, C>(name);
}

int main()
{
    shapes<half, half, float>("f32 += f16");
    shapes<half, half, half>("f16 += f16");
    shapes<__nv_bfloat16, __nv_bfloat16, float>("f32 += bf16");
    shapes<signed char, signed char, int>("s32 += s8");
    shapes<unsigned char, unsigned char, int>("s32 += u8");
    layouts<16, 16, 8, wmma::precision::tf32, float, float>("f32 += tf32");
    layouts<8, 8, 4, double, double, double>("f64 += f64");
}
