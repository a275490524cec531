// aat: c = a a^T, half of the tiles computed and each stored twice
//   Given:   a (m x w), row-major floats, any m and w; c is m x m.
//            x of the grid runs over the columns of c, y over its rows. A block of 64 threads has a tile of
//            64 x 64 outputs, 8 x 8 a thread.
//   Example: {1,2, 3,4} -> {5,11, 11,25}
//   Budget:  at m = 2048, w = 32 at most 69206016 multiply-adds, and 32768 stores to global memory, counted
//            once per warp
//   Read:    README.md steps 7 and 8, slides/07-registers.md
#include "lockstep.h"

#define SIDE 64
#define DEPTH 32
#define OWN 8
LAUNCH(aat, BLOCK(SIDE, 1), COVERS(SIDE, SIDE))

// TODO 1: predict, at m = 2048, w = 32: the multiply-adds of all threads, if of each pair of mirrored tiles
//     one is computed, and the tiles of the diagonal whole.
PREDICT(multiply_adds, 528 * 64 * 64 * 32)

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

// Tile (top, left) of c, and the one that mirrors it.
template <bool WHOLE>
static __device__ void two_tiles(const float *a, float *c, int m, int w, int top, int left)
{
    __shared__ __align__(16) float rowsT[DEPTH][SIDE + 4]; // rows top .. of a, turned
    __shared__ __align__(16) float colsT[DEPTH][SIDE + 4]; // rows left .. of a, turned
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int r = warp * 32 + (lane / 2 % 2 + lane / 4 % 2 * 2) * 4; // rows r.. r+3 and r+16 .. r+19
    int q = (lane % 2 + lane / 8 * 2) * 4;                     // columns q .. q+3 and q+32 .. q+35
    float sum[OWN][OWN] = {};

    for (int step = 0; step < w; step += DEPTH) {
        int i = t % 8 * 4;
#pragma unroll
        for (int pass = 0; pass < 8; pass++) {
            int line = pass * 8 + t / 8;
            float4 v = load4<WHOLE>(a, top + line, step + i, m, w);
            rowsT[i][line] = v.x, rowsT[i + 1][line] = v.y, rowsT[i + 2][line] = v.z, rowsT[i + 3][line] = v.w;
            v = load4<WHOLE>(a, left + line, step + i, m, w);
            colsT[i][line] = v.x, colsT[i + 1][line] = v.y, colsT[i + 2][line] = v.z, colsT[i + 3][line] = v.w;
        }
        __syncthreads();
#pragma unroll 2
        for (int d = 0; d < DEPTH; d++) {
            float x[OWN], y[OWN];
#pragma unroll
            for (int h = 0; h < 2; h++) {
                *(float4 *)&x[4 * h] = *(float4 *)&rowsT[d][r + 16 * h];
                *(float4 *)&y[4 * h] = *(float4 *)&colsT[d][q + 32 * h];
            }
#pragma unroll
            for (int j = 0; j < OWN; j++)
#pragma unroll
                for (int l = 0; l < OWN; l++)
                    sum[j][l] += x[j] * y[l];
        }
        __syncthreads();
    }

#pragma unroll
    for (int j = 0; j < OWN; j++) {
        int row = top + r + j % 4 + j / 4 * 16;
        store4<WHOLE>(c, row, left + q, m, m, {sum[j][0], sum[j][1], sum[j][2], sum[j][3]});
        store4<WHOLE>(c, row, left + q + 32, m, m, {sum[j][4], sum[j][5], sum[j][6], sum[j][7]});
    }
    if (top != left) { // the mirror image: a column of sum is a row
#pragma unroll
        for (int l = 0; l < OWN; l++) {
            int row = left + q + l;
            store4<WHOLE>(c, row, top + r, m, m, {sum[0][l], sum[1][l], sum[2][l], sum[3][l]});
            store4<WHOLE>(c, row, top + r + 16, m, m, {sum[4][l], sum[5][l], sum[6][l], sum[7][l]});
        }
    }
}

__global__ void __launch_bounds__(SIDE, 8) aat(const float *a, float *c, int m, int w)
{
    int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    if (top < left)
        return; // stored by the block on the other side of the diagonal
    if (m % 4 == 0 && w % DEPTH == 0 && top + SIDE <= m && left + SIDE <= m)
        two_tiles<true>(a, c, m, w, top, left);
    else
        two_tiles<false>(a, c, m, w, top, left);
}
