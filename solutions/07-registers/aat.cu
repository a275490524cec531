// aat: c = a a^T, half of the tiles computed and each stored twice
#include "lockstep.h"

#define SIDE 64 // of a tile of c
#define DEPTH 32 // of a step along w
#define OWN 8
// A block for two tiles of c: half as many as there are.
LAUNCH(aat, BLOCK(SIDE, 1), COVERS(SIDE, 2 * SIDE))

PREDICT(multiply_adds, 136 * 64 * 64 * 32) // 16 x 17 / 2 tiles of 16 x 16

// Four neighbours of a row; outside the matrix zeros. WHOLE: all rows begin at a multiple of 16 bytes, so the
// four are one access, and the block's outputs are all inside. The kernel decides that once for a block.
template <bool WHOLE>
static __device__ float4 load4(const float *p, int row, int col, int rows, int cols)
{
    float4 v = {0, 0, 0, 0};
    p += row * cols + col;
    if (WHOLE) {
        if (row < rows && col < cols) v = *(const float4 *)p;
    } else if (row < rows) {
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

// A tile of c needs DEPTH columns of SIDE rows of a as its rows, and as many as its columns.
struct factors {
    float down[DEPTH][SIDE], right[DEPTH][SIDE]; // column i of a is row i
};

// Thread x fetches row top + x and stores it down column x: neighbouring lanes, neighbouring banks.
template <bool WHOLE>
static __device__ void fetch(float (*tile)[SIDE], const float *a, int top, int w0, int m, int w)
{
    int x = threadIdx.x;
#pragma unroll
    for (int i = 0; i < DEPTH; i += 4) {
        float4 v = load4<WHOLE>(a, top + x, w0 + i, m, w);
        tile[i][x] = v.x, tile[i + 1][x] = v.y, tile[i + 2][x] = v.z, tile[i + 3][x] = v.w;
    }
}

// Tile (top, left) of c, and the one that mirrors it.
template <bool WHOLE>
static __device__ void two_tiles(struct factors &f, const float *a, float *c, int m, int w, int top, int left)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // A warp computes 32 x 64 outputs, its lanes lie 4 x 8, as in matmul.
    int r = warp * 32 + (lane / 2 % 2 + lane / 4 % 2 * 2) * 4, q = (lane % 2 + lane / 8 * 2) * 4;
    float sum[OWN][OWN] = {};
    for (int w0 = 0; w0 < w; w0 += DEPTH) {
        fetch<WHOLE>(f.down, a, top, w0, m, w);
        fetch<WHOLE>(f.right, a, left, w0, m, w);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < DEPTH; i++) {
            float4 d[2] = {*(float4 *)&f.down[i][r], *(float4 *)&f.down[i][r + 16]};
            float4 e[2] = {*(float4 *)&f.right[i][q], *(float4 *)&f.right[i][q + 32]};
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
            // c is m x m, so the mirrored tile is aligned where this one is. Its rows are columns of sum.
            float4 v = {sum[j][l], sum[j][l + 1], sum[j][l + 2], sum[j][l + 3]};
            float4 u = {sum[l][j], sum[l + 1][j], sum[l + 2][j], sum[l + 3][j]};
            store4<WHOLE>(c, top + r + j / 4 * 16 + j % 4, left + q + l / 4 * 32, m, m, v);
            if (top != left)
                store4<WHOLE>(c, left + q + j / 4 * 32 + j % 4, top + r + l / 4 * 16, m, m, u);
        }
}

__global__ void __launch_bounds__(SIDE, 8) aat(const float *a, float *c, int m, int w)
{
    // Tiles i and i + far, counted in a circle, give each pair once: far is 0 .. tiles / 2. If the number of
    // tiles is even, the pairs that are half a circle apart would come twice: half of the blocks leave them.
    __shared__ struct factors f;
    int tiles = gridDim.x, number = blockIdx.y * gridDim.x + blockIdx.x;
    int i = number / gridDim.y;
    for (int far = number % gridDim.y; far <= tiles / 2; far += gridDim.y)
        if (2 * far < tiles || i < far) {
            int top = i * SIDE, left = (i + far) % tiles * SIDE;
            if (m % 4 == 0 && w % 4 == 0 && top + SIDE <= m && left + SIDE <= m)
                two_tiles<true>(f, a, c, m, w, top, left);
            else
                two_tiles<false>(f, a, c, m, w, top, left);
        }
}
