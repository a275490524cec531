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

PREDICT(multiply_adds, 69206016)

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
    __shared__ __align__(16) float L[DEPTH][SIDE + 4]; // rows top.. of a, turned
    __shared__ __align__(16) float R[DEPTH][SIDE + 4]; // rows left.. of a, turned
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int y = warp * 32 + (lane / 8) * 8; // my 8 x 8 outputs
    int x = (lane % 8) * 8;
    int piece = t % 8 * 4; // of a row of 32 floats
    float sum[OWN][OWN] = {};

    for (int base = 0; base < w; base += DEPTH) {
#pragma unroll
        for (int j = 0; j < SIDE; j += 8) {
            int line = j + t / 8;
            float4 f = load4<WHOLE>(a, top + line, base + piece, m, w);
            L[piece][line] = f.x;
            L[piece + 1][line] = f.y;
            L[piece + 2][line] = f.z;
            L[piece + 3][line] = f.w;
            f = load4<WHOLE>(a, left + line, base + piece, m, w);
            R[piece][line] = f.x;
            R[piece + 1][line] = f.y;
            R[piece + 2][line] = f.z;
            R[piece + 3][line] = f.w;
        }
        __syncthreads();
#pragma unroll 4
        for (int i = 0; i < DEPTH; i++) {
            float p[OWN], o[OWN];
            *(float4 *)p = *(float4 *)&L[i][y];
            *(float4 *)(p + 4) = *(float4 *)&L[i][y + 4];
            *(float4 *)o = *(float4 *)&R[i][x];
            *(float4 *)(o + 4) = *(float4 *)&R[i][x + 4];
#pragma unroll
            for (int j = 0; j < OWN; j++)
#pragma unroll
                for (int l = 0; l < OWN; l++)
                    sum[j][l] += p[j] * o[l];
        }
        __syncthreads();
    }

#pragma unroll
    for (int j = 0; j < OWN; j++) {
        store4<WHOLE>(c, top + y + j, left + x, m, m,
            make_float4(sum[j][0], sum[j][1], sum[j][2], sum[j][3]));
        store4<WHOLE>(c, top + y + j, left + x + 4, m, m,
            make_float4(sum[j][4], sum[j][5], sum[j][6], sum[j][7]));
    }
    if (left != top) {
#pragma unroll
        for (int l = 0; l < OWN; l++) {
            store4<WHOLE>(c, left + x + l, top + y, m, m,
                make_float4(sum[0][l], sum[1][l], sum[2][l], sum[3][l]));
            store4<WHOLE>(c, left + x + l, top + y + 4, m, m,
                make_float4(sum[4][l], sum[5][l], sum[6][l], sum[7][l]));
        }
    }
}

__global__ void __launch_bounds__(SIDE, 8) aat(const float *a, float *c, int m, int w)
{
    int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    if (top >= left)
        return; // stored by the block on the other side of the diagonal
    if (m % 4 == 0 && w % DEPTH == 0 && top + SIDE <= m && left + SIDE <= m)
        two_tiles<true>(a, c, m, w, top, left);
    else
        two_tiles<false>(a, c, m, w, top, left);
}
