// occupancy: how many blocks a multiprocessor holds, and a product that is faster with fewer of its warps
#include "lockstep.h"

#define SIDE 16 // rows and columns of a tile of `one`
#define SHARED (44 * 1024)
#define OUTPUTS 14 // outputs of a thread of `large`
LAUNCH(full, BLOCK(SIDE, SIDE), COVERS(SIDE, SIDE))
LAUNCH_SHARED(reserved, BLOCK(SIDE, SIDE), COVERS(SIDE, SIDE), SHARED)
LAUNCH(one_warp, BLOCK(32, 1), COVERS(32, 1))
LAUNCH(large, BLOCK(32, 32), COVERS(32, 32 * OUTPUTS))
LAUNCH(few, BLOCK(16, 16), COVERS(64, 64))

PREDICT(full_blocks, 8)      // 2048 threads / 256
PREDICT(reserved_blocks, 4)  // 2 KB, 44 KB and 1 KB that the system takes: four times 47 KB of 228 KB
PREDICT(one_warp_blocks, 32) // no more blocks than that, whatever they need
PREDICT(large_blocks, 1)     // 1024 threads of more than 32 registers: two blocks would need over 65536

// One output a thread, tiles of SIDE x SIDE
static __device__ void one(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ float a_tile[SIDE][SIDE], b_tile[SIDE][SIDE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * SIDE + y, col = blockIdx.x * SIDE + x;
    float sum = 0;
    for (int t = 0; t < k; t += SIDE) {
        a_tile[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0;
        b_tile[y][x] = t + y < k && col < n ? b[(t + y) * n + col] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < SIDE; i++)
            sum += a_tile[y][i] * b_tile[i][x];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

__global__ void full(const float *a, const float *b, float *c, int m, int k, int n) { one(a, b, c, m, k, n); }

__global__ void reserved(const float *a, const float *b, float *c, int m, int k, int n)
{
    one(a, b, c, m, k, n);
}

__global__ void one_warp(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    if (col >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
}

// OUTPUTS outputs a thread, 32 rows apart: sums, addresses and factors in 48 to 64 registers
__global__ void large(const float *a, const float *b, float *c, int m, int k, int n)
{
    int row = blockIdx.y * 32 * OUTPUTS + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    float sum[OUTPUTS] = {};
    if (col >= n)
        return;
    ROLLED for (int i = 0; i < k; i++) {
        float factor = b[i * n + col];
#pragma unroll
        for (int j = 0; j < OUTPUTS; j++)
            sum[j] += a[min(row + 32 * j, m - 1) * k + i] * factor;
    }
#pragma unroll
    for (int j = 0; j < OUTPUTS; j++)
        if (row + 32 * j < m)
            c[(row + 32 * j) * n + col] = sum[j];
}

#define WIDE 64 // side of a tile of c, and depth of the tiles of a and b
#define OWN 4   // a thread computes OWN x OWN outputs, 16 apart
#define ROWS 16 // threads along y

// A block fetches 64 x 64 floats of a and of b at once: 32 independent loads a thread, where `full` has two.
// So the wait is hidden by the loads of one thread instead of by other warps, and a float from shared memory
// serves four outputs. A block takes 33 KB, so there is room for few blocks, but more are not needed.
__global__ void few(const float *a, const float *b, float *c, int m, int k, int n)
{
    // 4 words more in a row of a: the two rows that a warp reads are in different banks, and 16 bytes aligned
    __shared__ __align__(16) float a_tile[WIDE][WIDE + 4], b_tile[WIDE][WIDE];
    int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x, line = t / WIDE, place = t % WIDE;
    int top = blockIdx.y * WIDE, left = blockIdx.x * WIDE;
    float sum[OWN][OWN] = {};
    for (int from = 0; from < k; from += WIDE) {
#pragma unroll
        for (int j = 0; j < WIDE; j += 4) { // 4 rows of 64 neighbours at a time
            int h = line + j;
            a_tile[h][place] = top + h < m && from + place < k ? a[(top + h) * k + from + place] : 0;
            b_tile[h][place] = from + h < k && left + place < n ? b[(from + h) * n + left + place] : 0;
        }
        __syncthreads();
#pragma unroll 4
        for (int i = 0; i < WIDE; i++)
#pragma unroll
            for (int j = 0; j < OWN; j++)
#pragma unroll
                for (int l = 0; l < OWN; l++)
                    sum[j][l] += a_tile[y + ROWS * j][i] * b_tile[i][x + 16 * l];
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < OWN; j++)
#pragma unroll
        for (int l = 0; l < OWN; l++) {
            int row = top + y + ROWS * j, col = left + x + 16 * l;
            if (row < m && col < n)
                c[row * n + col] = sum[j][l];
        }
}
