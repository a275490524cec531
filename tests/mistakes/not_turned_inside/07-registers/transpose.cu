// transpose: out = in^T, 16 bytes an access on both sides
//   Given:   in (rows x cols), row-major floats, any shape; out is cols x rows. x of the grid runs over the
//            columns of in, y over its rows. A block of 16 x 16 threads moves a tile of 64 x 64 floats: 4 x
//            4 a thread.
//   Example: {1,2,3, 4,5,6} (2 x 3) -> {1,4, 2,5, 3,6} (3 x 2)
//   Budget:  at 2048 x 2048 at most 32768 loads from global memory and 32768 stores to it, counted once per
//            warp; no bank conflicts, neither of loads nor of stores
//   Read:    README.md steps 5 and 6, slides/07-registers.md
#include "lockstep.h"

#define SIDE 64
#define FOURS (SIDE / 4)
LAUNCH(transpose, BLOCK(FOURS, FOURS), COVERS(SIDE, SIDE))

// TODO 1: predict, at 2048 x 2048: loads from global memory in all warps; sectors that one of them touches;
//     wavefronts that a 16-byte store to the tile takes if it has no conflict.
PREDICT(loads, 32768)
PREDICT(sectors, 16)
PREDICT(tile_wavefronts, 4)

// Given: four neighbours of a row, outside the matrix zeros. All rows begin at a multiple of 16 bytes if
// cols is a multiple of 4: then it is one access.
static __device__ float4 load4(const float *p, int row, int col, int rows, int cols)
{
    float4 v = {0, 0, 0, 0};
    if (row >= rows || col >= cols)
        return v;
    p += row * cols + col;
    if (cols % 4 == 0)
        return __ldg((const float4 *)p);
    v.x = p[0];
    if (col + 1 < cols) v.y = p[1];
    if (col + 2 < cols) v.z = p[2];
    if (col + 3 < cols) v.w = p[3];
    return v;
}

static __device__ void store4(float *p, int row, int col, int rows, int cols, float4 v)
{
    if (row >= rows || col >= cols)
        return;
    p += row * cols + col;
    if (cols % 4 == 0) {
        *(float4 *)p = v;
        return;
    }
    p[0] = v.x;
    if (col + 1 < cols) p[1] = v.y;
    if (col + 2 < cols) p[2] = v.z;
    if (col + 3 < cols) p[3] = v.w;
}

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    // row r of the turned tile: quads[r / 4][r % 4 * FOURS ...], padded by one quad
    __shared__ float4 quads[FOURS][4 * FOURS + 1];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int r0 = blockIdx.y * SIDE;
    int c0 = blockIdx.x * SIDE;

    for (int e = 0; e < 4; e++) {
        float4 q = load4(in, r0 + 4 * ty + e, c0 + 4 * tx, rows, cols);
        quads[tx][e * FOURS + ty] = q;
    }
    __syncthreads();
    for (int j = ty; j < SIDE; j += FOURS) {
        float4 q = quads[j / 4][j % 4 * FOURS + tx];
        store4(out, c0 + j, r0 + 4 * tx, cols, rows, q);
    }
}
