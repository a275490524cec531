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
PREDICT(multiply_adds, (32 * 33 / 2) * 64 * 64 * 32)

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
    __shared__ __align__(16) float p[DEPTH][SIDE + 4], s[DEPTH][SIDE + 4]; // both turned
    int t = threadIdx.x, lane = t % 32;
    int r = t / 32 * 32 + (lane / 2 % 2 + lane / 4 % 2 * 2) * 4;
    int q = (lane % 2 + lane / 8 * 2) * 4;
    int fc = t % 8 * 4, fr = t / 8;
    float sum[OWN][OWN] = {};
    for (int d = 0; d < w; d += DEPTH) {
#pragma unroll
        for (int h = 0; h < SIDE; h += 8) {
            float4 u = load4<WHOLE>(a, top + h + fr, d + fc, m, w);
            float4 v = load4<WHOLE>(a, left + h + fr, d + fc, m, w);
            p[fc][h + fr] = u.x;
            p[fc + 1][h + fr] = u.y;
            p[fc + 2][h + fr] = u.z;
            p[fc + 3][h + fr] = u.w;
            s[fc][h + fr] = v.x;
            s[fc + 1][h + fr] = v.y;
            s[fc + 2][h + fr] = v.z;
            s[fc + 3][h + fr] = v.w;
        }
        __syncthreads();
#pragma unroll 2
        for (int i = 0; i < DEPTH; i++) {
            float u[OWN], v[OWN];
            *(float4 *)&u[0] = *(float4 *)&p[i][r];
            *(float4 *)&u[4] = *(float4 *)&p[i][r + 16];
            *(float4 *)&v[0] = *(float4 *)&s[i][q];
            *(float4 *)&v[4] = *(float4 *)&s[i][q + 32];
#pragma unroll
            for (int j = 0; j < OWN; j++)
#pragma unroll
                for (int l = 0; l < OWN; l++)
                    sum[j][l] += u[j] * v[l];
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < OWN; j++)
#pragma unroll
        for (int l = 0; l < OWN; l += 4)
            store4<WHOLE>(c, top + r + j % 4 + j / 4 * 16, left + q + l * 8, m, m,
                make_float4(sum[j][l], sum[j][l + 1], sum[j][l + 2], sum[j][l + 3]));
    if (top == left)
        return;
    // the mirror image
#pragma unroll
    for (int l = 0; l < OWN; l++)
#pragma unroll
        for (int j = 0; j < OWN; j += 4)
            store4<WHOLE>(c, left + q + l % 4 + l / 4 * 32, top + r + j * 4, m, m,
                make_float4(sum[l][j], sum[l][j + 1], sum[l][j + 2], sum[l][j + 3]));
}

__global__ void __launch_bounds__(SIDE, 8) aat(const float *a, float *c, int m, int w)
{
    int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    if (top > left)
        return; // below the diagonal
    if (m % 4 == 0 && w % DEPTH == 0 && top + SIDE <= m && left + SIDE <= m)
        two_tiles<true>(a, c, m, w, top, left);
    else
        two_tiles<false>(a, c, m, w, top, left);
}
