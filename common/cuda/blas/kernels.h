/* kernels.h - the kernels of the kit's cuBLAS: each a template over the type of its elements.
 *
 *     gemm: a block computes 64 x 64 of C, a thread 4 x 4 of them, over slices of 16 of k in shared memory:
 *
 *           op(B) slice  16 x 64              thread (x, y) has rows x, x + 16, x + 32, x + 48 of it,
 *     op(A)  ┌-------┐                        and columns y, y + 16, y + 32, y + 48: neighbouring threads
 *     64x16  │ C     │                        store neighbouring elements of a column
 */
#ifndef LOCKSTEP_BLAS_KERNELS_H
#define LOCKSTEP_BLAS_KERNELS_H

enum { THREADS = 256, TILE = 64, SLICE = 16, SIDE = 16, PARTS = 128 };

/* Element i of a vector whose elements are inc apart; a negative inc counts from the end. */
static __device__ __forceinline__ long at(long i, int n, int inc) { return (inc < 0 ? i - n + 1 : i) * inc; }

template <class T> __global__ void blas_axpy(int n, T alpha, const T *x, int incx, T *y, int incy)
{
    for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[at(i, n, incy)] += alpha * x[at(i, n, incx)];
}

template <class T> __global__ void blas_scal(int n, T alpha, T *x, int incx)
{
    for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i * incx] *= alpha;
}

template <class T> __global__ void blas_copy(int n, const T *x, int incx, T *y, int incy)
{
    for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[at(i, n, incy)] = x[at(i, n, incx)];
}

template <class T> __global__ void blas_swap(int n, T *x, int incx, T *y, int incy)
{
    for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        T keep = x[at(i, n, incx)];
        x[at(i, n, incx)] = y[at(i, n, incy)];
        y[at(i, n, incy)] = keep;
    }
}

/* ---- sums: each block computes a part in double precision; then one block adds up the parts ---- */

enum sum { DOT, NRM2, ASUM };

static __device__ double block_sum(double mine)
{
    __shared__ double warps[THREADS / 32];
    for (int step = 16; step; step /= 2) mine += __shfl_down_sync(~0u, mine, step);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = mine;
    __syncthreads();
    double all = 0;
    for (int w = 0; w < THREADS / 32; w++) all += warps[w];
    return all;
}

template <class T>
__global__ void blas_sum(enum sum what, int n, const T *x, int incx, const T *y, int incy, double *parts)
{
    double mine = 0;
    for (long i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
        double a = x[at(i, n, incx)];
        mine += what == DOT ? a * (double)y[at(i, n, incy)] : what == NRM2 ? a * a : fabs(a);
    }
    double all = block_sum(mine);
    if (threadIdx.x == 0) parts[blockIdx.x] = all;
}

template <class T> __global__ void blas_sum_parts(enum sum what, int count, const double *parts, T *result)
{
    double all = block_sum(threadIdx.x < count ? parts[threadIdx.x] : 0);
    if (threadIdx.x == 0) *result = (T)(what == NRM2 ? sqrt(all) : all);
}

/* The first index, from 1, of the element of largest magnitude or, if least is set, of smallest. Runs in one
 * block. */
template <class T> __global__ void blas_iamax(int n, const T *x, int incx, int least, int *result)
{
    __shared__ T best[THREADS];
    __shared__ int where[THREADS];
    int mine = -1;
    T value = 0;
    for (int i = threadIdx.x; i < n; i += THREADS) {
        T a = fabs(x[(long)i * incx]);
        if (mine < 0 || (least ? a < value : a > value)) mine = i, value = a;
    }
    best[threadIdx.x] = value, where[threadIdx.x] = mine;
    for (int half = THREADS / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x >= half) continue;
        T a = best[threadIdx.x], b = best[threadIdx.x + half];
        int i = where[threadIdx.x], k = where[threadIdx.x + half];
        if (k >= 0 && (i < 0 || (least ? b < a : b > a) || (a == b && k < i)))
            best[threadIdx.x] = b, where[threadIdx.x] = k;
    }
    if (threadIdx.x == 0) *result = where[0] + 1;
}

/* ---- a matrix and vectors ---- */

/* One thread per row: neighbouring threads read neighbouring elements of a column. */
template <class T>
__global__ void blas_gemv(
    int m, int n, T alpha, const T *a, int lda, const T *x, int incx, T beta, T *y, int incy)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m) return;
    T sum = 0;
    for (int k = 0; k < n; k++) sum += a[row + (long)k * lda] * x[at(k, n, incx)];
    T *out = &y[at(row, m, incy)];
    *out = beta == 0 ? alpha * sum : alpha * sum + beta * *out;
}

/* The same with A transposed: one warp per column. */
template <class T>
__global__ void blas_gemv_t(
    int m, int n, T alpha, const T *a, int lda, const T *x, int incx, T beta, T *y, int incy)
{
    int column = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (column >= n) return;
    T sum = 0;
    for (int i = lane; i < m; i += 32) sum += a[i + (long)column * lda] * x[at(i, m, incx)];
    for (int step = 16; step; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
    T *out = &y[at(column, n, incy)];
    if (lane == 0) *out = beta == 0 ? alpha * sum : alpha * sum + beta * *out;
}

template <class T>
__global__ void blas_ger(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a, int lda)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
    if (i < m) a[i + (long)j * lda] += alpha * x[at(i, m, incx)] * y[at(j, n, incy)];
}

/* ---- matrices ---- */

/* The matrices of a batch: in a list of pointers, or a stride apart. */
template <class T> struct batch {
    T *first;
    T *const *list;
    long long stride;
    __device__ T *operator[](int i) const { return list ? list[i] : first + i * stride; }
};

/* What is applied to an element of C before it is stored; doubles and integers are never changed. D_GELU:
 * multiply by the derivative of GELU. */
enum activation { AS_IT_IS, RELU, GELU, D_GELU };

/* aux: NULL, or an element of a second matrix, which D_GELU reads and the others set to x. */
template <class Out>
static __device__ __forceinline__ float activated(float x, enum activation how, Out *aux)
{
    const float sqrt_2_pi = 0.7978845608f;
    float y = how == D_GELU ? float(*aux) : x;
    float t = how >= GELU ? tanhf(sqrt_2_pi * (y + 0.044715f * y * y * y)) : 0;
    if (how == D_GELU)
        return x * 0.5f * (1 + t + y * (1 - t * t) * sqrt_2_pi * (1 + 0.134145f * y * y));
    if (aux) *aux = Out(x);
    return how == RELU ? (x > 0 ? x : 0) : how == GELU ? 0.5f * x * (1 + t) : x;
}
template <class Out>
static __device__ __forceinline__ double activated(double x, enum activation, Out *)
{
    return x;
}
template <class Out> static __device__ __forceinline__ int activated(int x, enum activation, Out *)
{
    return x;
}
template <class Out>
static __device__ __forceinline__ __half activated(__half x, enum activation how, Out *aux)
{
    return how == AS_IT_IS ? x : __float2half(activated(__half2float(x), how, aux));
}

/* A and B hold elements of type T, C of type Out; products are added up as type Sum. */
template <class T, class Out = T, class Sum = T> struct gemm {
    int m, n, k, lda, ldb, ldc;
    int a_by_rows, b_by_rows; /* 1: the matrix is transposed */
    int triangle;             /* 0: all of C; 1: its lower triangle; 2: its upper one */
    Sum alpha, beta;
    batch<const T> a, b;
    batch<Out> c;
    const Out *bias; /* NULL, or one element for each row of C, which is added to that row */
    enum activation activation;
    Out *aux; /* NULL, or a second matrix with the shape of C */
    long aux_ld;
};

/* Copy a slice of op(X) to shared memory as to[k][i], where i counts the rows or columns of the block's tile.
 * Neighbouring threads load neighbouring addresses. */
template <class T, class Sum>
static __device__ void load_slice(
    Sum to[SLICE][TILE + 1], const T *x, int ld, int contiguous_k, int first, int count, int k0, int k_count)
{
    for (int t = threadIdx.x; t < SLICE * TILE; t += THREADS) {
        int k = contiguous_k ? t % SLICE : t / TILE, i = contiguous_k ? t / SLICE : t % TILE;
        int inside = first + i < count && k0 + k < k_count;
        long row = first + i, column = k0 + k;
        to[k][i] = inside ? Sum(x[contiguous_k ? column + row * ld : row + column * ld]) : Sum(0);
    }
}

template <class T, class Out, class Sum>
__global__ void __launch_bounds__(THREADS) blas_gemm(gemm<T, Out, Sum> p)
{
    __shared__ Sum as[SLICE][TILE + 1], bs[SLICE][TILE + 1];
    const T *a = p.a[blockIdx.z], *b = p.b[blockIdx.z];
    int row = blockIdx.x * TILE, column = blockIdx.y * TILE, x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
    Sum sum[4][4];
#pragma unroll
    for (int i = 0; i < 16; i++) sum[i / 4][i % 4] = Sum(0);
    for (int k0 = 0; k0 < p.k; k0 += SLICE) {
        load_slice(as, a, p.lda, p.a_by_rows, row, p.m, k0, p.k);
        load_slice(bs, b, p.ldb, !p.b_by_rows, column, p.n, k0, p.k);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < SLICE; k++)
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++) sum[i][j] += as[k][x + SIDE * i] * bs[k][y + SIDE * j];
        __syncthreads();
    }
    Out *c = p.c[blockIdx.z];
#pragma unroll
    for (int j = 0; j < 4; j++)
#pragma unroll
        for (int i = 0; i < 4; i++) {
            int r = row + x + SIDE * i, s = column + y + SIDE * j;
            if (r >= p.m || s >= p.n || (p.triangle == 1 && r < s) || (p.triangle == 2 && r > s)) continue;
            Out *out = &c[r + (long)s * p.ldc];
            Sum value = p.beta == Sum(0) ? p.alpha * sum[i][j] : p.alpha * sum[i][j] + p.beta * Sum(*out);
            if (p.bias) value += Sum(p.bias[r]);
            *out = Out(activated(value, p.activation, p.aux ? &p.aux[r + (long)s * p.aux_ld] : nullptr));
        }
}

/* C = alpha op(A) + beta op(B), in tiles of 16 x 16. A transposed matrix is read through shared memory. */
template <class T>
static __device__ T tile_element(T (*tile)[SIDE + 1], const T *x, int ld, int by_rows, T factor, int m, int n)
{
    int tx = threadIdx.x % SIDE, ty = threadIdx.x / SIDE, i = blockIdx.x * SIDE, j = blockIdx.y * SIDE;
    if (factor == 0) return 0;
    if (!by_rows) return i + tx < m && j + ty < n ? factor * x[i + tx + (long)(j + ty) * ld] : T(0);
    __syncthreads();
    if (j + tx < n && i + ty < m) tile[ty][tx] = x[j + tx + (long)(i + ty) * ld];
    __syncthreads();
    return i + tx < m && j + ty < n ? factor * tile[tx][ty] : T(0);
}

template <class T>
__global__ void blas_geam(int m, int n, int a_by_rows, int b_by_rows, T alpha, const T *a, int lda, T beta,
    const T *b, int ldb, T *c, int ldc)
{
    __shared__ T tile[SIDE][SIDE + 1];
    T value = tile_element(tile, a, lda, a_by_rows, alpha, m, n);
    value += tile_element(tile, b, ldb, b_by_rows, beta, m, n);
    int i = blockIdx.x * SIDE + threadIdx.x % SIDE, j = blockIdx.y * SIDE + threadIdx.x / SIDE;
    if (i < m && j < n) c[i + (long)j * ldc] = value;
}

template <class T>
__global__ void blas_dgmm(int left, int m, int n, const T *a, int lda, const T *x, int incx, T *c, int ldc)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
    if (i < m) c[i + (long)j * ldc] = a[i + (long)j * lda] * x[left ? at(i, m, incx) : at(j, n, incx)];
}

#endif
