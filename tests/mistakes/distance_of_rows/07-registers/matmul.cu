// matmul_column, matmul: c = a b, several outputs a thread, their sums in registers
//   Given:   a (m x k) and b (k x n), row-major floats, any m, k, n from 1 on; c is m x n. x of the grid runs
//            over the columns of c, y over its rows.
//            matmul_column: a block of 64 x 8 threads computes 64 x 64 outputs; thread (x, y) those of rows
//            8 y .. 8 y + 7 in column x of the block. A step along k has 8 columns of a and 8 rows of b.
//            matmul: a block of 256 threads computes 128 x 128 outputs, a thread 8 x 8 of them.
//   Example: {1,2, 3,4} {5,6, 7,8} -> {19,22, 43,50}
//   Budget:  at m = n = 2048, k = 64, counted once per warp: matmul_column at most 3145728 loads from shared
//            memory; matmul at most 524288, 1048576 wavefronts and 32768 global loads, and at least 60% of
//            its instructions are multiply-adds
//   Read:    README.md steps 1 to 4, slides/07-registers.md
#include "lockstep.h"

#define SIDE 64
#define WIDE 128
#define DEPTH 8
#define OWN 8
LAUNCH(matmul_column, BLOCK(SIDE, SIDE / OWN), COVERS(SIDE, SIDE))
LAUNCH(matmul, BLOCK(256, 1), COVERS(WIDE, WIDE))

PREDICT(column_loads, 3145728)
PREDICT(tile_loads, 524288)

__global__ void matmul_column(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ __align__(16) float As[DEPTH][SIDE + 4];
    __shared__ float Bs[DEPTH][SIDE];
    int x = threadIdx.x, y = threadIdx.y;
    int tid = y * SIDE + x;
    int ar = tid / DEPTH, ac = tid % DEPTH; // what this thread fetches of a
    int rowA = blockIdx.y * SIDE + ar;
    int col = blockIdx.x * SIDE + x;
    float acc[OWN] = {0};

    for (int t = 0; t < k; t += DEPTH) {
        As[ac][ar] = (rowA < m && t + ac < k) ? a[rowA * k + t + ac] : 0.0f;
        Bs[y][x] = (t + y < k && col < n) ? b[(t + y) * n + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            float bv = Bs[i][x];
#pragma unroll
            for (int o = 0; o < OWN; o++)
                acc[o] += As[i][OWN * y + o] * bv;
        }
        __syncthreads();
    }
#pragma unroll
    for (int o = 0; o < OWN; o++) {
        int row = blockIdx.y * SIDE + OWN * y + o;
        if (row < m && col < n)
            c[row * n + col] = acc[o];
    }
}

// Given: four neighbours of a row; outside the matrix zeros. WHOLE: all rows begin at a multiple of 16
// bytes, so the four are one access, and nothing is outside. The kernel decides that once for a block.
template <bool WHOLE>
static __device__ float4 load4(const float *p, int row, int col, int rows, int cols)
{
    float4 v = {0, 0, 0, 0};
    p += row * cols + col;
    if (WHOLE)
        return *(const float4 *)p;
    if (row < rows) {
        if (col < cols) v.x = p[0];
        if (col + 1 < cols) v.y = p[1];
        if (col + 2 < cols) v.z = p[2];
        if (col + 3 < cols) v.w = p[3];
    }
    return v;
}

template <bool WHOLE>
static __device__ void store4(float *p, int row, int col, int rows, int cols, float4 v)
{
    p += row * cols + col;
    if (WHOLE) {
        *(float4 *)p = v;
    } else if (row < rows) {
        if (col < cols) p[0] = v.x;
        if (col + 1 < cols) p[1] = v.y;
        if (col + 2 < cols) p[2] = v.z;
        if (col + 3 < cols) p[3] = v.w;
    }
}

template <bool WHOLE>
static __device__ void product(const float *a, const float *b, float *c, int m, int k, int n)
{
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    // Given: a warp computes 32 x 64 outputs of the block, its lanes lie 4 x 8. This thread has rows
    // r to r + 3 and r + 16 to r + 19, and columns q to q + 3 and q + 32 to q + 35. Lanes i and i ^ 1 share
    // rows, lanes i and i ^ 2 columns.
    int r = warp % 4 * 32 + (lane / 2 % 2 + lane / 4 % 2 * 2) * 4;
    int q = warp / 4 * 64 + (lane % 2 + lane / 8 * 2) * 4;

    __shared__ __align__(16) float As[DEPTH][WIDE + 4];
    __shared__ __align__(16) float Bs[DEPTH][WIDE];
    int top = blockIdx.y * WIDE, left = blockIdx.x * WIDE;
    int fa_row = t / 2, fa_col = t % 2 * 4; // float4 of a that I fetch: 128 rows of 2
    int fb_row = t / 32, fb_col = lane * 4; // float4 of b: 8 rows of 32
    float acc[OWN][OWN] = {};

    for (int k0 = 0; k0 < k; k0 += DEPTH) {
        float4 fa = load4<WHOLE>(a, top + fa_row, k0 + fa_col, m, k);
        float4 fb = load4<WHOLE>(b, k0 + fb_row, left + fb_col, k, n);
        As[fa_col + 0][fa_row] = fa.x;
        As[fa_col + 1][fa_row] = fa.y;
        As[fa_col + 2][fa_row] = fa.z;
        As[fa_col + 3][fa_row] = fa.w;
        *(float4 *)&Bs[fb_row][fb_col] = fb;
        __syncthreads();

#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            float av[OWN], bv[OWN];
            *(float4 *)&av[0] = *(const float4 *)&As[i][r];
            *(float4 *)&av[4] = *(const float4 *)&As[i][r + 16];
            *(float4 *)&bv[0] = *(const float4 *)&Bs[i][q];
            *(float4 *)&bv[4] = *(const float4 *)&Bs[i][q + 16];
#pragma unroll
            for (int u = 0; u < OWN; u++)
#pragma unroll
                for (int v = 0; v < OWN; v++)
                    acc[u][v] += av[u] * bv[v];
        }
        __syncthreads();
    }

#pragma unroll
    for (int u = 0; u < OWN; u++) {
        int row = top + r + (u < 4 ? u : u + 12);
        float4 lo = make_float4(acc[u][0], acc[u][1], acc[u][2], acc[u][3]);
        float4 hi = make_float4(acc[u][4], acc[u][5], acc[u][6], acc[u][7]);
        store4<WHOLE>(c, row, left + q, m, n, lo);
        store4<WHOLE>(c, row, left + q + 32, m, n, hi);
    }
}

// Given. At most 128 registers a thread, so that two blocks fit on a multiprocessor.
__global__ void __launch_bounds__(256, 2)
matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int bottom = (blockIdx.y + 1) * WIDE, right = (blockIdx.x + 1) * WIDE;
    if (k % DEPTH == 0 && n % 4 == 0 && bottom <= m && right <= n)
        product<true>(a, b, c, m, k, n);
    else
        product<false>(a, b, c, m, k, n);
}
