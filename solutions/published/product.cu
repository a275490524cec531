// product: c = a b in the five shapes of a lecture's table; k and the other sizes are multiples of 256
#include "lockstep.h"

// ---- a thread an output, 256 threads in a row ----

LAUNCH(naive, BLOCK(256, 1), COVERS(256, 1))
__global__ void naive(const float *a, const float *b, float *c, int m, int k, int n)
{
    // neighbouring threads have neighbouring rows: their words of a and c are a row apart
    int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

LAUNCH(coalesced, BLOCK(256, 1), COVERS(256, 1))
__global__ void coalesced(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

// ---- a thread a tile of SIDE x SIDE outputs: few threads, each with its own working set ----

enum { SIDE = 16 };

static __device__ void tile(const float *a, const float *b, float *c, int k, int n, int top, int left)
{
    for (int row = top; row < top + SIDE; row++)
        for (int col = left; col < left + SIDE; col++)
            c[row * n + col] = 0;
    for (int i0 = 0; i0 < k; i0 += SIDE)
        for (int row = top; row < top + SIDE; row++)
#pragma unroll 1 // only the innermost loop is unrolled
            for (int col = left; col < left + SIDE; col++) {
                float sum = c[row * n + col];
                for (int i = i0; i < i0 + SIDE; i++)
                    sum += a[row * k + i] * b[i * n + col];
                c[row * n + col] = sum;
            }
}

LAUNCH(tiled, BLOCK(16, 16), COVERS(16 * SIDE, 16 * SIDE))
__global__ void tiled(const float *a, const float *b, float *c, int m, int k, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    tile(a, b, c, k, n, x * SIDE, y * SIDE); // neighbouring threads: SIDE rows apart
}

LAUNCH(tiled_coalesced, BLOCK(16, 16), COVERS(16 * SIDE, 16 * SIDE))
__global__ void tiled_coalesced(const float *a, const float *b, float *c, int m, int k, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    tile(a, b, c, k, n, y * SIDE, x * SIDE); // neighbouring threads: SIDE columns apart, so nearer
}

// ---- a thread an output, a block a tile, through shared memory ----

LAUNCH(shared_tiles, BLOCK(SIDE, SIDE), COVERS(SIDE, SIDE))
__global__ void shared_tiles(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * SIDE + y, col = blockIdx.x * SIDE + x;
    float sum = 0;
    for (int i0 = 0; i0 < k; i0 += SIDE) {
        a_tile[y][x] = a[row * k + i0 + x];
        b_tile[y][x] = b[(i0 + y) * n + col];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < SIDE; i++)
            sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
