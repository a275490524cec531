// matmul_column, matmul: c = a b, several outputs a thread, their sums in registers
#include "lockstep.h"

#define SIDE 64  // matmul_column: a block computes SIDE x SIDE outputs
#define WIDE 128 // matmul: WIDE x WIDE
#define DEPTH 8  // columns of a in a step along k
#define OWN 8    // outputs of a thread in a column; in matmul also in a row
LAUNCH(matmul_column, BLOCK(SIDE, SIDE / OWN), COVERS(SIDE, SIDE))
LAUNCH(matmul, BLOCK(256, 1), COVERS(WIDE, WIDE))

PREDICT(column_loads, 3 * 64 * 131072 / 8) // for each k and 8 outputs a lane: two loads of a, one of b
PREDICT(tile_loads, 4 * 64 * 131072 / 64)  // for 64 outputs: two of a, two of b

__global__ void matmul_column(const float *a, const float *b, float *c, int m, int k, int n)
{
    // Column i of a's tile is row i here, so that the 8 floats of a thread are neighbours: two 16-byte loads.
    // Rows of SIDE + 4 floats keep them aligned, and put the 8 rows that a warp stores to in different banks.
    __shared__ __align__(16) float a_tile[DEPTH][SIDE + 4], b_tile[DEPTH][SIDE];
    int x = threadIdx.x, y = threadIdx.y, t = y * SIDE + x;
    int top = blockIdx.y * SIDE, col = blockIdx.x * SIDE + x;
    float sum[OWN] = {};
    for (int k_tile = 0; k_tile < k; k_tile += DEPTH) {
        int row = top + t / DEPTH, down = t % DEPTH;
        a_tile[down][t / DEPTH] = row < m && k_tile + down < k ? a[row * k + k_tile + down] : 0;
        b_tile[y][x] = k_tile + y < k && col < n ? b[(k_tile + y) * n + col] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            float right = b_tile[i][x]; // one load, OWN multiply-adds
#pragma unroll
            for (int r = 0; r < OWN; r++)
                sum[r] += a_tile[i][y * OWN + r] * right;
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < OWN; r++)
        if (top + y * OWN + r < m && col < n)
            c[(top + y * OWN + r) * n + col] = sum[r];
}

// [FOUR]
// Load four neighbours of a row, zeros outside the matrix. WHOLE: all rows begin at a multiple of 16 bytes,
// so the four are one access, and nothing is outside. The kernel decides that once for a block.
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
// [/FOUR]

template <bool WHOLE>
static __device__ void product(const float *a, const float *b, float *c, int m, int k, int n)
{
    __shared__ __align__(16) float a_tile[DEPTH][WIDE + 4], b_tile[DEPTH][WIDE];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int top = blockIdx.y * WIDE, left = blockIdx.x * WIDE;
    // A warp computes 32 x 64 outputs by 4 x 8 lanes. A thread has rows r to r + 3, r + 16 to r + 19, and
    // columns q to q + 3 and q + 32 to q + 35. Lanes i and i ^ 1 share rows, lanes i and i ^ 2 columns:
    // then a 16-byte load takes two wavefronts instead of four.
    int r = warp % 4 * 32 + (lane / 2 % 2 + lane / 4 % 2 * 2) * 4;
    int q = warp / 4 * 64 + (lane % 2 + lane / 8 * 2) * 4;
    float sum[OWN][OWN] = {};
    float4 u = load4<WHOLE>(a, top + t / 2, t % 2 * 4, m, k);
    float4 v = load4<WHOLE>(b, t / 32, left + lane * 4, k, n);
    for (int k_tile = 0; k_tile < k; k_tile += DEPTH) {
        float (*four)[WIDE + 4] = &a_tile[t % 2 * 4];
        four[0][t / 2] = u.x, four[1][t / 2] = u.y, four[2][t / 2] = u.z, four[3][t / 2] = u.w;
        *(float4 *)&b_tile[t / 32][lane * 4] = v;
        __syncthreads();
        if (k_tile + DEPTH < k) { // the next tiles are on their way while the products of these are added
            u = load4<WHOLE>(a, top + t / 2, k_tile + DEPTH + t % 2 * 4, m, k);
            v = load4<WHOLE>(b, k_tile + DEPTH + t / 32, left + lane * 4, k, n);
        }
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            // 16 floats from shared memory for 64 multiply-adds
            float4 down[2] = {*(float4 *)&a_tile[i][r], *(float4 *)&a_tile[i][r + 16]};
            float4 right[2] = {*(float4 *)&b_tile[i][q], *(float4 *)&b_tile[i][q + 32]};
            float x[OWN] = {down[0].x, down[0].y, down[0].z, down[0].w,
                down[1].x, down[1].y, down[1].z, down[1].w};
            float y[OWN] = {right[0].x, right[0].y, right[0].z, right[0].w,
                right[1].x, right[1].y, right[1].z, right[1].w};
#pragma unroll
            for (int j = 0; j < OWN; j++)
#pragma unroll
                for (int l = 0; l < OWN; l++)
                    sum[j][l] += x[j] * y[l];
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < OWN; j++)
#pragma unroll
        for (int l = 0; l < OWN; l += 4) {
            float4 four = {sum[j][l], sum[j][l + 1], sum[j][l + 2], sum[j][l + 3]};
            store4<WHOLE>(c, top + r + j / 4 * 16 + j % 4, left + q + l / 4 * 32, m, n, four);
        }
}

// Two blocks a multiprocessor, so at most 128 registers: one computes while the other waits for its tiles.
__global__ void __launch_bounds__(256, 2)
matmul(const float *a, const float *b, float *c, int m, int k, int n)
{
    int bottom = (blockIdx.y + 1) * WIDE, right = (blockIdx.x + 1) * WIDE;
    if (k % DEPTH == 0 && n % 4 == 0 && bottom <= m && right <= n)
        product<true>(a, b, c, m, k, n);
    else
        product<false>(a, b, c, m, k, n);
}
