// sgemm: c = a b in the steps of published ladders, from a thread an output to 8 x 8 outputs a thread
//
// Sizes are multiples of 128: nothing is checked.
#include "lockstep.h"

enum { TILE = 32 };

// ---- a thread an output ----

// neighbouring threads have neighbouring rows: they read one word of b, and words of a that are a row apart
LAUNCH(naive, BLOCK(TILE, TILE), COVERS(TILE, TILE))
__global__ void naive(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.x * TILE + threadIdx.x, col = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

// neighbouring threads have neighbouring columns
LAUNCH(coalesced, BLOCK(TILE * TILE, 1), COVERS(TILE, TILE))
__global__ void coalesced(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.x * TILE + threadIdx.x / TILE, col = blockIdx.y * TILE + threadIdx.x % TILE;
    float sum = 0;
    for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

#define COALESCED(SIDE) \
    LAUNCH(coalesced_##SIDE, BLOCK(SIDE, SIDE), COVERS(SIDE, SIDE)) \
    __global__ void coalesced_##SIDE( \
        const float *a, const float *b, float *c, int m, int k, int n) \
    { \
        int row = blockIdx.y * SIDE + threadIdx.y, col = blockIdx.x * SIDE + threadIdx.x; \
        float sum = 0; \
        for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col]; \
        c[row * n + col] = sum; \
    }
COALESCED(16)
COALESCED(32)

// ---- tiles in shared memory, a thread an output ----

template <int SIDE>
static __device__ void shared_tiles(
    const float *a, const float *b, float *c, int k, int n, int top, int left, int y, int x)
{
    __shared__ float a_tile[SIDE * SIDE], b_tile[SIDE * SIDE];
    float sum = 0;
    for (int i0 = 0; i0 < k; i0 += SIDE) {
        a_tile[y * SIDE + x] = a[(top + y) * k + i0 + x];
        b_tile[y * SIDE + x] = b[(i0 + y) * n + left + x];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < SIDE; i++) sum += a_tile[y * SIDE + i] * b_tile[i * SIDE + x];
        __syncthreads();
    }
    c[(top + y) * n + left + x] = sum;
}

LAUNCH(shared_32, BLOCK(TILE * TILE, 1), COVERS(TILE, TILE))
__global__ void shared_32(const float *a, const float *b, float *c, int m, int k, int n)
{
    shared_tiles<TILE>(a, b, c, k, n, blockIdx.x * TILE, blockIdx.y * TILE, threadIdx.x / TILE,
        threadIdx.x % TILE);
}

LAUNCH(shared_32_square, BLOCK(TILE, TILE), COVERS(TILE, TILE))
__global__ void shared_32_square(const float *a, const float *b, float *c, int m, int k, int n)
{
    shared_tiles<TILE>(
        a, b, c, k, n, blockIdx.y * TILE, blockIdx.x * TILE, threadIdx.y, threadIdx.x);
}

LAUNCH(shared_16, BLOCK(16, 16), COVERS(16, 16))
__global__ void shared_16(const float *a, const float *b, float *c, int m, int k, int n)
{
    shared_tiles<16>(a, b, c, k, n, blockIdx.y * 16, blockIdx.x * 16, threadIdx.y, threadIdx.x);
}

// ---- several outputs a thread: DEEP products between two loads of the tiles ----

enum { DEEP = 8, EACH = 8 };

// a column of 8 outputs a thread, a tile of 64 x 64 a block
LAUNCH(column_of_8, BLOCK(512, 1), COVERS(64, 64))
__global__ void column_of_8(const float *a, const float *b, float *c, int m, int k, int n)
{
    enum { SIDE = 64 };
    __shared__ float a_tile[SIDE * DEEP], b_tile[DEEP * SIDE];
    int t = threadIdx.x, x = t % SIDE, y = t / SIDE * EACH, top = blockIdx.y * SIDE,
        left = blockIdx.x * SIDE;
    float sum[EACH] = {0};
    for (int i0 = 0; i0 < k; i0 += DEEP) {
        a_tile[t] = a[(top + t / DEEP) * k + i0 + t % DEEP];
        b_tile[t] = b[(i0 + t / SIDE) * n + left + x];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEEP; i++) {
            float of_b = b_tile[i * SIDE + x];
#pragma unroll
            for (int r = 0; r < EACH; r++) sum[r] += a_tile[(y + r) * DEEP + i] * of_b;
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < EACH; r++) c[(top + y + r) * n + left + x] = sum[r];
}

// 8 x 8 outputs a thread, a tile of WIDE x WIDE a block
template <int WIDE, int A_TURNED>
static __device__ void multiply(
    const float *a_tile, const float *b_tile, float (&sum)[EACH][EACH], int y, int x)
{
#pragma unroll
    for (int i = 0; i < DEEP; i++) {
        float of_a[EACH], of_b[EACH];
#pragma unroll
        for (int r = 0; r < EACH; r++)
            of_a[r] = A_TURNED ? a_tile[i * WIDE + y + r] : a_tile[(y + r) * DEEP + i];
#pragma unroll
        for (int s = 0; s < EACH; s++) of_b[s] = b_tile[i * WIDE + x + s];
#pragma unroll
        for (int r = 0; r < EACH; r++)
#pragma unroll
            for (int s = 0; s < EACH; s++) sum[r][s] += of_a[r] * of_b[s];
    }
}

template <int WIDE>
static __device__ void squares(
    const float *a, const float *b, float *c, int k, int n, int top, int left)
{
    enum { THREADS = WIDE * WIDE / (EACH * EACH) };
    __shared__ float a_tile[WIDE * DEEP], b_tile[DEEP * WIDE];
    int t = threadIdx.x, x = t % (WIDE / EACH) * EACH, y = t / (WIDE / EACH) * EACH;
    float sum[EACH][EACH] = {{0}};
    for (int i0 = 0; i0 < k; i0 += DEEP) {
#pragma unroll
        for (int r = 0; r < WIDE; r += THREADS / DEEP)
            a_tile[(r + t / DEEP) * DEEP + t % DEEP] = a[(top + r + t / DEEP) * k + i0 + t % DEEP];
#pragma unroll
        for (int r = 0; r < DEEP; r += THREADS / WIDE)
            b_tile[(r + t / WIDE) * WIDE + t % WIDE] = b[(i0 + r + t / WIDE) * n + left + t % WIDE];
        __syncthreads();
        multiply<WIDE, 0>(a_tile, b_tile, sum, y, x);
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < EACH; r++)
#pragma unroll
        for (int s = 0; s < EACH; s++) c[(top + y + r) * n + left + x + s] = sum[r][s];
}

LAUNCH(square_of_8, BLOCK(256, 1), COVERS(128, 128))
__global__ void __launch_bounds__(256)
    square_of_8(const float *a, const float *b, float *c, int m, int k, int n)
{
    squares<128>(a, b, c, k, n, blockIdx.y * 128, blockIdx.x * 128);
}

LAUNCH(square_of_8_64, BLOCK(64, 1), COVERS(64, 64))
__global__ void square_of_8_64(const float *a, const float *b, float *c, int m, int k, int n)
{
    squares<64>(a, b, c, k, n, blockIdx.x * 64, blockIdx.y * 64);
}

// 8 x 8 outputs a thread, 16 bytes an access; a's tile is transposed, so a thread's 8 words are neighbours
LAUNCH(square_of_8_wide, BLOCK(256, 1), COVERS(128, 128))
__global__ void __launch_bounds__(256)
    square_of_8_wide(const float *a, const float *b, float *c, int m, int k, int n)
{
    enum { WIDE = 128 };
    __shared__ float a_tile[DEEP * WIDE], b_tile[DEEP * WIDE];
    int t = threadIdx.x, x = t % 16 * EACH, y = t / 16 * EACH, top = blockIdx.y * WIDE,
        left = blockIdx.x * WIDE;
    int a_row = t / 2, a_col = t % 2 * 4, b_row = t / 32, b_col = t % 32 * 4;
    float sum[EACH][EACH] = {{0}};
    for (int i0 = 0; i0 < k; i0 += DEEP) {
        float4 four = *(const float4 *)&a[(top + a_row) * k + i0 + a_col];
        a_tile[(a_col + 0) * WIDE + a_row] = four.x;
        a_tile[(a_col + 1) * WIDE + a_row] = four.y;
        a_tile[(a_col + 2) * WIDE + a_row] = four.z;
        a_tile[(a_col + 3) * WIDE + a_row] = four.w;
        *(float4 *)&b_tile[b_row * WIDE + b_col] =
            *(const float4 *)&b[(i0 + b_row) * n + left + b_col];
        __syncthreads();
        multiply<WIDE, 1>(a_tile, b_tile, sum, y, x);
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < EACH; r++)
#pragma unroll
        for (int s = 0; s < EACH; s += 4)
            *(float4 *)&c[(top + y + r) * n + left + x + s] =
                make_float4(sum[r][s], sum[r][s + 1], sum[r][s + 2], sum[r][s + 3]);
}
