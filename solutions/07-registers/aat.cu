// aat: c = a a^T, half of the tiles computed and each stored twice
#include "lockstep.h"

#define SIDE 64 // rows and columns of a tile of c
#define DEPTH 32 // columns of a in a step along w
#define OWN 8
LAUNCH(aat, BLOCK(SIDE, 1), COVERS(SIDE, SIDE))

PREDICT(multiply_adds, 528 * 64 * 64 * 32) // 32 x 33 / 2 of 32 x 32 tiles

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
        __stcs((float4 *)p, v); // nobody reads c again: what is written should leave the L2 first
    } else if (row < rows) {
        if (col < cols) p[0] = v.x;
        if (col + 1 < cols) p[1] = v.y;
        if (col + 2 < cols) p[2] = v.z;
        if (col + 3 < cols) p[3] = v.w;
    }
}

// DEPTH columns of a: down, in the rows of the tile; right, in its columns. Column i of a is row i here.
struct factors {
    float down[DEPTH][SIDE + 4], right[DEPTH][SIDE + 4];
};

// Compute tile (top, left) of c, and store it and its mirror image.
template <bool WHOLE>
static __device__ void two_tiles(factors &s, const float *a, float *c, int m, int w, int top, int left)
{
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    // A warp computes 32 x 64 outputs by 4 x 8 lanes, as in matmul.
    int r = warp * 32 + (lane / 2 % 2 + lane / 4 % 2 * 2) * 4, q = (lane % 2 + lane / 8 * 2) * 4;
    float sum[OWN][OWN] = {};
    for (int w0 = 0; w0 < w; w0 += DEPTH) {
#pragma unroll
        for (int j = 0; j < SIDE; j += SIDE / 8) {
            // Eight lanes fetch the 32 floats of a row, so a load of a warp touches four lines. The stores
            // conflict: four lanes write to one bank. That costs less than touching more lines would: a
            // tile is stored once, and read for all of its products.
            int i = t % 8 * 4, row = j + t / 8;
            float4 u = load4<WHOLE>(a, top + row, w0 + i, m, w);
            float4 v = load4<WHOLE>(a, left + row, w0 + i, m, w);
            s.down[i][row] = u.x, s.down[i + 1][row] = u.y;
            s.down[i + 2][row] = u.z, s.down[i + 3][row] = u.w;
            s.right[i][row] = v.x, s.right[i + 1][row] = v.y;
            s.right[i + 2][row] = v.z, s.right[i + 3][row] = v.w;
        }
        __syncthreads();
#pragma unroll 2
        for (int i = 0; i < DEPTH; i++) {
            float4 d[2] = {*(float4 *)&s.down[i][r], *(float4 *)&s.down[i][r + 16]};
            float4 e[2] = {*(float4 *)&s.right[i][q], *(float4 *)&s.right[i][q + 32]};
            float x[OWN] = {d[0].x, d[0].y, d[0].z, d[0].w, d[1].x, d[1].y, d[1].z, d[1].w};
            float y[OWN] = {e[0].x, e[0].y, e[0].z, e[0].w, e[1].x, e[1].y, e[1].z, e[1].w};
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
            store4<WHOLE>(c, top + r + j / 4 * 16 + j % 4, left + q + l / 4 * 32, m, m, four);
        }
    if (top == left)
        return;
    // The rows of the mirror image are columns of sum. c is m x m, so both tiles are aligned, or neither.
#pragma unroll
    for (int l = 0; l < OWN; l++)
#pragma unroll
        for (int j = 0; j < OWN; j += 4) {
            float4 four = {sum[j][l], sum[j + 1][l], sum[j + 2][l], sum[j + 3][l]};
            store4<WHOLE>(c, left + q + l / 4 * 32 + l % 4, top + r + j / 4 * 16, m, m, four);
        }
}

__global__ void __launch_bounds__(SIDE, 8) aat(const float *a, float *c, int m, int w)
{
    __shared__ __align__(16) factors s;
    // The tiles above the diagonal mirror those below it.
    int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    if (left > top)
        return;
    if (m % 4 == 0 && w % DEPTH == 0 && top + SIDE <= m && left + SIDE <= m)
        two_tiles<true>(s, a, c, m, w, top, left);
    else
        two_tiles<false>(s, a, c, m, w, top, left);
}
