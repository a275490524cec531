// Another way: the other triangle.
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
PREDICT(multiply_adds, UNKNOWN)

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

// the upper half is computed here; turned tiles of both factors, 33... padded by 4
template <bool WHOLE>
static __device__ void two_tiles(const float *a, float *c, int m, int w, int top, int left)
{
    __shared__ __align__(16) float u[DEPTH][SIDE + 4], v[DEPTH][SIDE + 4];
    int t = threadIdx.x, y = t / 8, x = t % 8;
    float sum[OWN][OWN] = {};
    for (int k0 = 0; k0 < w; k0 += DEPTH) {
#pragma unroll
        for (int j = 0; j < 8; j++) {
            int r = y + 8 * j;
            float4 p = load4<WHOLE>(a, top + r, k0 + 4 * x, m, w), q = load4<WHOLE>(a, left + r, k0 + 4 * x, m, w);
            u[4 * x][r] = p.x, u[4 * x + 1][r] = p.y, u[4 * x + 2][r] = p.z, u[4 * x + 3][r] = p.w;
            v[4 * x][r] = q.x, v[4 * x + 1][r] = q.y, v[4 * x + 2][r] = q.z, v[4 * x + 3][r] = q.w;
        }
        __syncthreads();
#pragma unroll 4
        for (int i = 0; i < DEPTH; i++) {
            float e[8], f[8];
#pragma unroll
            for (int h = 0; h < 2; h++) {
                *(float4 *)&e[4 * h] = *(const float4 *)&u[i][4 * y + 32 * h];
                *(float4 *)&f[4 * h] = *(const float4 *)&v[i][4 * x + 32 * h];
            }
#pragma unroll
            for (int j = 0; j < 8; j++)
#pragma unroll
                for (int l = 0; l < 8; l++) sum[j][l] += e[j] * f[l];
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < 8; j++)
#pragma unroll
        for (int h = 0; h < 2; h++) {
            int row = 4 * y + j % 4 + j / 4 * 32, row2 = 4 * x + j % 4 + j / 4 * 32;
            store4<WHOLE>(c, top + row, left + 4 * x + 32 * h, m, m,
                make_float4(sum[j][4 * h], sum[j][4 * h + 1], sum[j][4 * h + 2], sum[j][4 * h + 3]));
            if (top != left)
                store4<WHOLE>(c, left + row2, top + 4 * y + 32 * h, m, m,
                    make_float4(sum[4 * h][j], sum[4 * h + 1][j], sum[4 * h + 2][j], sum[4 * h + 3][j]));
        }
}
__global__ void __launch_bounds__(SIDE, 8) aat(const float *a, float *c, int m, int w)
{
    int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    if (blockIdx.x < blockIdx.y) return; // below the diagonal
    if (m % 4 == 0 && w % DEPTH == 0 && top + SIDE <= m && left + SIDE <= m)
        two_tiles<true>(a, c, m, w, top, left);
    else
        two_tiles<false>(a, c, m, w, top, left);
}
