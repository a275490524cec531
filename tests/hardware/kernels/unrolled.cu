// unrolled: 20 kernels, each unrolled by 5 factors, for `lockstep-hardware unrolled`, which counts their registers. The lists at the
// end make 100 kernels NAME_FACTOR of them; these are compiled and never launched.
#include "lockstep.h"

#define HERE template <int N> __device__ __forceinline__ void

__device__ __forceinline__ int thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ __forceinline__ int threads() { return gridDim.x * blockDim.x; }

// ---- sums ----

// A dot product, in one sum.
HERE dot(const float *a, const float *b, float *out, int n, int m)
{
    float sum = 0;
#pragma unroll N
    for (int i = thread(); i < n; i += threads())
        sum += a[i] * b[i];
    out[thread()] = sum;
}

// A dot product in N separate sums, N elements at a time.
HERE dot_apart(const float *__restrict__ a, const float *__restrict__ b, float *out, int n, int m)
{
    float sum[N] = {};
    for (int i = thread(); i < n; i += N * threads())
#pragma unroll
        for (int k = 0; k < N; k++)
            sum[k] += a[i + k * threads()] * b[i + k * threads()];
#pragma unroll
    for (int k = 1; k < N; k++)
        sum[0] += sum[k];
    out[thread()] = sum[0];
}

// A sum: N elements a thread, then a tree in shared memory.
HERE reduce(const float *a, const float *b, float *out, int n, int m)
{
    __shared__ float part[256];
    int t = threadIdx.x, i = blockIdx.x * N * 256 + t;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < N; k++)
        if (i + k * 256 < n)
            sum += a[i + k * 256];
    part[t] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

// The sum and the maximum of a row: a warp a row, then shuffles.
HERE row_sum(const float *a, const float *b, float *out, int n, int m)
{
    int row = thread() / 32, lane = threadIdx.x % 32;
    float sum = 0, most = a[row * m];
#pragma unroll N
    for (int k = lane; k < m; k += 32) {
        sum += a[row * m + k];
        most = fmaxf(most, a[row * m + k]);
    }
    for (int lanes = 16; lanes; lanes /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, lanes);
        most = fmaxf(most, __shfl_down_sync(0xffffffffu, most, lanes));
    }
    if (lane == 0)
        out[row] = sum / most;
}

// Running sums of N elements a thread, which stay in registers until an offset is added.
HERE scan(const float *a, const float *b, float *out, int n, int m)
{
    int first = thread() * N;
    float kept[N], sum = 0;
#pragma unroll
    for (int k = 0; k < N; k++)
        kept[k] = sum += a[first + k];
    sum = b[thread()];
#pragma unroll
    for (int k = 0; k < N; k++)
        out[first + k] = kept[k] + sum;
}

// ---- products ----

// A matrix times a vector, a thread a row.
HERE matvec(const float *a, const float *b, float *out, int n, int m)
{
    int row = thread();
    float sum = 0;
    if (row >= n)
        return;
#pragma unroll N
    for (int k = 0; k < m; k++)
        sum += a[row * m + k] * b[k];
    out[row] = sum;
}

// C = A B, an element a thread.
HERE product(const float *a, const float *b, float *out, int n, int m)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (row >= n || col >= m)
        return;
#pragma unroll N
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * m + col];
    out[row * m + col] = sum;
}

// C = A B by tiles in shared memory, an element a thread.
HERE tiled(const float *a, const float *b, float *out, int n, int m)
{
    __shared__ float left[16][16], right[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    float sum = 0;
    for (int first = 0; first < n; first += 16) {
        left[y][x] = a[row * n + first + x];
        right[y][x] = b[(first + y) * m + col];
        __syncthreads();
#pragma unroll N
        for (int k = 0; k < 16; k++)
            sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    out[row * m + col] = sum;
}

// C = A B by tiles in shared memory, N elements of a column a thread.
HERE column(const float *a, const float *b, float *out, int n, int m)
{
    __shared__ float left[8 * N][16], right[16][32];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 * N + y * N, col = blockIdx.x * 32 + x;
    float sum[N] = {};
    for (int first = 0; first < n; first += 16) {
        for (int i = y * 32 + x; i < 8 * N * 16; i += 256)
            left[i / 16][i % 16] = a[(blockIdx.y * 8 * N + i / 16) * n + first + i % 16];
        right[y][x] = b[(first + y) * m + col];
        right[y + 8][x] = b[(first + y + 8) * m + col];
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            float r = right[k][x];
#pragma unroll
            for (int i = 0; i < N; i++)
                sum[i] += left[y * N + i][k] * r;
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < N; i++)
        out[(row + i) * m + col] = sum[i];
}

// C = A B by tiles in shared memory, N x N elements a thread.
HERE square(const float *a, const float *b, float *out, int n, int m)
{
    __shared__ float left[8][16 * N], right[8][16 * N];
    int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x, row = blockIdx.y * 16 * N, col = blockIdx.x * 16 * N;
    float sum[N][N] = {};
    for (int first = 0; first < n; first += 8) {
        for (int i = t; i < 8 * 16 * N; i += 256) {
            left[i % 8][i / 8] = a[(row + i / 8) * n + first + i % 8];
            right[i / (16 * N)][i % (16 * N)] = b[(first + i / (16 * N)) * m + col + i % (16 * N)];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float l[N], r[N];
#pragma unroll
            for (int i = 0; i < N; i++)
                l[i] = left[k][y * N + i], r[i] = right[k][x * N + i];
#pragma unroll
            for (int i = 0; i < N * N; i++)
                sum[i / N][i % N] += l[i / N] * r[i % N];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < N * N; i++)
        out[(row + y * N + i / N) * m + col + x * N + i % N] = sum[i / N][i % N];
}

// ---- neighbours ----

// N outputs in a row a thread, each the mean of 7 neighbours.
HERE window(const float *__restrict__ a, const float *b, float *__restrict__ out, int n, int m)
{
    int first = thread() * N;
#pragma unroll
    for (int k = 0; k < N; k++) {
        float sum = 0;
#pragma unroll
        for (int j = -3; j <= 3; j++)
            sum += a[first + k + j];
        out[first + k] = sum / 7;
    }
}

// A five-point stencil, N rows a thread.
HERE five(const float *__restrict__ a, const float *b, float *__restrict__ out, int n, int m)
{
    int x = thread(), y = blockIdx.y * N;
    if (x < 1 || x >= m - 1)
        return;
#pragma unroll
    for (int k = 0; k < N; k++) {
        int at = (y + k + 1) * m + x;
        out[at] = a[at] + 0.25f * (a[at - 1] + a[at + 1] + a[at - m] + a[at + m]);
    }
}

// A seven-point stencil along the third dimension; the values above and below stay in registers.
HERE seven(const float *__restrict__ a, const float *b, float *__restrict__ out, int n, int m)
{
    int x = thread(), y = blockIdx.y, plane = m * gridDim.y, at = y * m + x;
    float below = a[at], here = a[at + plane];
#pragma unroll N
    for (int z = 1; z < n - 1; z++) {
        at += plane;
        float above = a[at + plane];
        out[at] = below + above + a[at - 1] + a[at + 1] + a[at - m] + a[at + m] - 6 * here;
        below = here;
        here = above;
    }
}

// A convolution along a row, with 2 N + 1 weights.
__constant__ float weights[33];
HERE taps(const float *a, const float *b, float *out, int n, int m)
{
    __shared__ float part[256 + 2 * N];
    int t = threadIdx.x, i = thread();
    part[t + N] = a[i];
    if (t < N) {
        part[t] = i >= N ? a[i - N] : 0;
        part[t + 256 + N] = i + 256 < n ? a[i + 256] : 0;
    }
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = -N; k <= N; k++)
        sum += weights[k + N] * part[t + N + k];
    out[i] = sum;
}

// ---- moves ----

// A tile of 32 x 32 transposed by 32 x 32 / N threads.
HERE turn(const float *a, const float *b, float *out, int n, int m)
{
    __shared__ float tile[32][33];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32, col = blockIdx.x * 32;
#pragma unroll
    for (int k = 0; k < N; k++)
        tile[y + k * (32 / N)][x] = a[(row + y + k * (32 / N)) * m + col + x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < N; k++)
        out[(col + y + k * (32 / N)) * n + row + x] = tile[x][y + k * (32 / N)];
}

// 16 bytes an access, N accesses a thread.
HERE wide(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n, int m)
{
    const float4 *left = (const float4 *)a, *right = (const float4 *)b;
#pragma unroll
    for (int k = 0; k < N; k++) {
        int i = thread() + k * threads();
        float4 l = left[i], r = right[i];
        ((float4 *)out)[i] = make_float4(2 * l.x + r.x, 2 * l.y + r.y, 2 * l.z + r.z, 2 * l.w + r.w);
    }
}

// Products of neighbours with elements whose indices another array holds: a sparse row a thread.
HERE gather(const float *a, const float *b, float *out, int n, int m)
{
    const int *place = (const int *)b;
    float sum = 0;
    int row = thread();
    if (row >= n)
        return;
#pragma unroll N
    for (int k = place[row]; k < place[row + 1]; k++)
        sum += a[k] * a[place[n + k]];
    out[row] = sum;
}

// ---- arithmetic ----

// N polynomials of degree 7, in doubles.
HERE horner(const float *a, const float *b, float *out, int n, int m)
{
#pragma unroll
    for (int k = 0; k < N; k++) {
        double x = a[thread() + k * n], y = 1.0;
        for (int i = 1; i < 8; i++)
            y = y * x + 1.0 / i;
        out[thread() + k * n] = (float)y;
    }
}

// The accelerations of bodies by gravity.
HERE bodies(const float *a, const float *b, float *out, int n, int m)
{
    const float4 *all = (const float4 *)a;
    float4 me = all[thread()];
    float ax = 0, ay = 0, az = 0;
#pragma unroll N
    for (int j = 0; j < n; j++) {
        float4 other = all[j];
        float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
        float near = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f), pull = other.w * near * near * near;
        ax += dx * pull;
        ay += dy * pull;
        az += dz * pull;
    }
    ((float4 *)out)[thread()] = make_float4(ax, ay, az, 0);
}

// N streams of random bits, m steps each.
HERE streams(const float *a, const float *b, float *out, int n, int m)
{
    unsigned bits[N];
#pragma unroll
    for (int k = 0; k < N; k++)
        bits[k] = __float_as_uint(a[thread() + k * n]);
    for (int i = 0; i < m; i++)
#pragma unroll
        for (int k = 0; k < N; k++) {
            bits[k] ^= bits[k] << 13;
            bits[k] ^= bits[k] >> 17;
            bits[k] ^= bits[k] << 5;
        }
#pragma unroll
    for (int k = 0; k < N; k++)
        out[thread() + k * n] = (float)bits[k];
}

// ---- the kernels ----

#define KERNEL(name, factor) \
    __global__ void name##_##factor(const float *a, const float *b, float *out, int n, int m) \
    { \
        name<factor>(a, b, out, n, m); \
    }
#define FACTORS(name) KERNEL(name, 1) KERNEL(name, 2) KERNEL(name, 4) KERNEL(name, 8) KERNEL(name, 16)
FACTORS(dot) FACTORS(dot_apart) FACTORS(reduce) FACTORS(row_sum) FACTORS(scan)
FACTORS(matvec) FACTORS(product) FACTORS(tiled) FACTORS(column)
KERNEL(square, 1) KERNEL(square, 2) KERNEL(square, 3) KERNEL(square, 4) KERNEL(square, 8)
FACTORS(window) FACTORS(five) FACTORS(seven) FACTORS(taps)
FACTORS(turn) FACTORS(wide) FACTORS(gather)
FACTORS(horner) FACTORS(bodies) FACTORS(streams)
